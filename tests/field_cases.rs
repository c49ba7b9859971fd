//! Public reports of PD pairs, judged by 0.5.23: what each should get, and what it gets. Where the two
//! differ, the case says why.

use pd_planner::planner::catalog::ModelName;
use pd_planner::planner::command::read;
use pd_planner::planner::release::Release;
use pd_planner::planner::report::{Outcome, Verdict};
use pd_planner::planner::{Report, check};
use serde_json::Value;

const CASES: &str = include_str!("cases/field_cases.jsonl");

fn judged(case: &Value) -> Report {
    let text = |name: &str| case[name].as_str().unwrap();
    let commands = format!("{}\n{}", text("prefill"), text("decode"));
    let mut plan = read(&commands, Release::V0_5_23).plan;
    plan.release = Release::V0_5_23;
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
    let mut count = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let report = judged(&case);
        let expected = case["expected"].as_str().unwrap();
        let is_argued = case["argued"].is_string();
        let id = case["id"].as_str().unwrap();
        println!("{id:10} {expected:12} {:22} {}", report.verdict.word(), report.headline);
        if is_as_expected(expected, report.verdict) == is_argued {
            wrong.push(format!("{id}: expected {expected}, got {} ({})", report.verdict.word(), report.headline));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 41);
}

#[test]
fn flags_that_are_gone_do_not_hide_what_the_topology_gets() {
    for id in ["field-008", "field-024", "field-058"] {
        let case = CASES.lines().find(|line| line.contains(id)).unwrap();
        let report = judged(&serde_json::from_str(case).unwrap());
        let breaks =
            |outcome| matches!(outcome, Outcome::Rejects | Outcome::Fails | Outcome::Hangs | Outcome::Corrupts);
        let others = report.findings.iter().filter(|finding| finding.rule != "flag-must-exist-in-release");
        let others: Vec<&str> = others.filter(|finding| breaks(finding.outcome)).map(|finding| finding.rule).collect();
        assert!(others.is_empty(), "{id}: {others:?}");
    }
}
