//! The laws of the rule table.

mod common;

use common::{plan, plans};
use pd_planner::planner::record::Record;
use pd_planner::planner::release::Release;
use pd_planner::planner::report::{Finding, Outcome};
use pd_planner::planner::rules::{Rule, all};
use pd_planner::planner::{Plan, Server, check};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

fn findings_of(rule: &Rule, plan: &Plan) -> Vec<Finding> {
    check(plan).findings.into_iter().filter(|finding| finding.rule == rule.id).collect()
}

/// Whether the plan breaks the rule where a finding said so. A rule on one server's flags
/// judges each side for itself.
fn breaks(finding: &Finding, rule: &Rule, plan: &Plan) -> bool {
    let same = |other: &Finding| other.outcome != Outcome::Needs && other.side == finding.side;
    findings_of(rule, plan).iter().any(same)
}

#[test]
fn every_rule_file_is_in_the_table_under_its_name() {
    let mut files = BTreeSet::new();
    for folder in ["launch", "handshake", "mapping", "connection", "transfer", "routing"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner/rules").join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name != "mod.rs" {
                files.insert(name.trim_end_matches(".rs").replace('_', "-"));
            }
        }
    }
    let ids: BTreeSet<String> = all().map(|rule| rule.id.to_owned()).collect();
    assert_eq!(ids, files);
    assert_eq!(ids.len(), all().count(), "ids are unique");
}

#[test]
fn every_rule_is_documented() {
    for rule in all() {
        assert!(rule.summary().ends_with(['.', ')']), "{}: the summary is a sentence: {:?}", rule.id, rule.summary());
        assert!(rule.summary().len() < 110, "{}: the summary is short", rule.id);
        assert!(rule.why().len() > 40, "{}: the documentation says why", rule.id);
        assert!(rule.seen.ends_with(['.', '"']), "{}: who sees it is said: {:?}", rule.id, rule.seen);
    }
}

#[test]
fn every_rule_names_its_source_in_every_release() {
    for rule in all() {
        for release in Release::ALL.iter().filter(|release| rule.releases.contains(**release)) {
            assert!(!rule.sources_in(*release).is_empty(), "{} in {release}", rule.id);
        }
        for source in rule.sources {
            assert!(source.path.starts_with("python/sglang/srt/") && source.path.ends_with(".py"), "{}", rule.id);
        }
    }
}

#[test]
fn every_rule_holds_in_some_release() {
    for rule in all() {
        assert!(Release::ALL.iter().any(|release| rule.releases.contains(*release)), "{}", rule.id);
    }
}

#[test]
fn every_breaking_example_breaks_its_rule_and_the_fixes_mend_it() {
    for rule in all() {
        let plan = plan(rule.breaks);
        let found = findings_of(rule, &plan);
        let finding = found.first().unwrap_or_else(|| panic!("{} does not speak on {}", rule.id, rule.breaks));
        assert_eq!(finding.outcome, rule.outcome, "{}", rule.id);
        assert_eq!(
            finding.error.is_some(),
            rule.raises.is_some(),
            "{}: an error is told where SGLang raises one",
            rule.id
        );
        assert!(!finding.fixes.is_empty() || rule.outcome == Outcome::Notes, "{}: a fix is offered", rule.id);
        for fix in &finding.fixes {
            assert!(!breaks(finding, rule, &fix.apply(&plan).unwrap()), "{}: {:?}", rule.id, fix.title);
        }
    }
}

#[test]
fn every_holding_example_holds_its_rule() {
    for rule in all() {
        assert_eq!(findings_of(rule, &plan(rule.holds)), [], "{}", rule.id);
    }
}

#[test]
fn a_fix_is_not_offered_to_a_release_that_cannot_follow_it() {
    let model = "m=attention:mla.states:swa,swa.ratios:0,2,128";
    let plan = plan(&format!("sgl=0.5.23&{model}&p=tp8.sgl:0%2E5%2E18&d=tp8.spec:DSPARK"));
    let report = check(&plan);
    let finding = report.findings.iter().find(|finding| finding.rule == "dspark-layout-must-match").unwrap();
    let titles: Vec<&str> = finding.fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["Turn DSpark off on both"]);
}

fn is_field(path: &str) -> bool {
    match path.split_once('.') {
        Some(("prefill" | "decode", name)) => Server::field(name).is_some(),
        Some(("model", name)) => pd_planner::planner::catalog::Model::field(name).is_some(),
        _ => matches!(path, "release" | "model"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn applying_a_fix_makes_its_rule_hold(plan in plans()) {
        for finding in check(&plan).findings {
            let rule = all().find(|rule| rule.id == finding.rule).unwrap();
            for fix in &finding.fixes {
                let mended = fix.apply(&plan);
                prop_assert!(mended.is_ok(), "{}: {:?}", rule.id, mended);
                prop_assert!(!breaks(&finding, rule, &mended.unwrap()), "{} still breaks after {:?}", rule.id, fix);
            }
        }
    }

    #[test]
    fn findings_name_fields_that_exist(plan in plans()) {
        for finding in check(&plan).findings {
            for field in &finding.fields {
                prop_assert!(is_field(field), "{}: {field}", finding.rule);
            }
        }
    }
}
