//! Public reports of PD pairs: what each should get, and what it gets, on 0.5.23 and on the other releases
//! that it tells of. Where the two differ, the case says why.

use pd_planner::planner::catalog::ModelName;
use pd_planner::planner::command::read;
use pd_planner::planner::release::Release;
use pd_planner::planner::report::{Outcome, Verdict};
use pd_planner::planner::{Report, check};
use serde_json::Value;

const CASES: &str = include_str!("cases/field_cases.jsonl");

fn judged(case: &Value, release: Release) -> Report {
    let text = |name: &str| case[name].as_str().unwrap();
    let commands = format!("{}\n{}", text("prefill"), text("decode"));
    let mut plan = read(&commands, release).plan;
    plan.release = release;
    plan.model = ModelName::Named(text("model").to_owned());
    check(&plan)
}

/// Whether a verdict is what a case expects.
fn is_as_expected(expected: &str, verdict: Verdict) -> bool {
    match expected {
        "accept" | "accept_warn" => matches!(verdict, Verdict::Accepted | Verdict::AcceptedWithWarnings),
        "reject" => matches!(verdict, Verdict::Rejected | Verdict::BreaksLater),
        // The report does not tell enough.
        "unknown" => true,
        other => panic!("{other}"),
    }
}

#[test]
fn reports_get_the_verdict_that_they_state() {
    let mut wrong = Vec::new();
    let (mut cases, mut others) = (0, 0);
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let is_argued = case["argued"].is_string();
        let id = case["id"].as_str().unwrap();
        let mut expected = vec![(Release::V0_5_23, case["expected"].as_str().unwrap())];
        for (release, other) in case["on"].as_object().into_iter().flatten() {
            expected.push((Release::named(release).unwrap(), other.as_str().unwrap()));
            others += 1;
        }
        for (release, expected) in expected {
            let report = judged(&case, release);
            println!("{id:10} {release:13} {expected:12} {:22} {}", report.verdict.word(), report.headline);
            if is_as_expected(expected, report.verdict) == is_argued {
                let got = report.verdict.word();
                wrong.push(format!("{id} on {release}: expected {expected}, got {got} ({})", report.headline));
            }
        }
        cases += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((cases, others), (41, 30));
}

#[test]
fn flags_that_are_gone_do_not_hide_what_the_topology_gets() {
    for id in ["field-008", "field-024", "field-058"] {
        let case = CASES.lines().find(|line| line.contains(id)).unwrap();
        let report = judged(&serde_json::from_str(case).unwrap(), Release::V0_5_23);
        let breaks =
            |outcome| matches!(outcome, Outcome::Rejects | Outcome::Fails | Outcome::Hangs | Outcome::Corrupts);
        let others = report.findings.iter().filter(|finding| finding.rule != "flag-must-exist-in-release");
        let others: Vec<&str> = others.filter(|finding| breaks(finding.outcome)).map(|finding| finding.rule).collect();
        assert!(others.is_empty(), "{id}: {others:?}");
    }
}
