//! Holds the generated assets and the package's TypeScript types against the code.
//!
//! `PD_WRITE_ASSETS=1 cargo test --no-default-features --test assets` writes the assets anew.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "what cannot be read must fail the test"
)]

#[path = "../common/mod.rs"]
mod common;
mod fits;
mod flags;
mod types;

use pd_planner::planner::rules::table;
use pd_planner::planner::schema;
use serde::Serialize;
use std::path::Path;

const REPAIR: &str = "PD_WRITE_ASSETS=1 cargo test --no-default-features --test assets";

#[test]
fn the_rules_in_assets_are_the_table() {
    hold("rules.json", &table::rows());
}

#[test]
fn the_schema_of_plans_in_assets_is_the_code_s() {
    hold("plan.schema.json", &schema::plan());
}

#[test]
fn the_schema_of_reports_in_assets_is_the_code_s() {
    hold("report.schema.json", &schema::report());
}

/// What `tests/npm` holds the package's reports against.
#[test]
fn the_reports_that_the_package_is_tested_with_are_the_planner_s() {
    let links = [
        "p=tp8&d=tp4&tokens=1000",
        "model=Qwen/Qwen3-8B&p=tp4.pp2.page64&d=tp8.page64&tokens=1000",
        "model=DeepSeek-V3.2&p=tp4.gpu:H100&d=tp4.dcp4.gpu:H100",
        "model=Kimi-Linear&p=tp4.via:nixl&d=tp2.via:nixl",
        "p=tp4.pp2&d=tp3",
        "sgl=0.5.18&p=tp8.cp2&d=tp8.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1",
        "sgl=0.5.18&p=tp8.cp2&d=tp8.dcp8",
        "model=nobody/knows&p=tp2&d=tp2",
    ];
    let reports: Vec<_> = links
        .iter()
        .map(|link| {
            let mut report = fits::whole(&common::plan(link));
            let findings = report["findings"].as_array_mut().unwrap();
            let rules = findings.iter().map(|finding| finding["rule"].clone()).collect();
            report["findings"] = serde_json::Value::Array(rules);
            serde_json::json!({ "link": link, "report": report })
        })
        .collect();
    hold("../tests/npm/reports.json", &reports);
}

fn hold(name: &str, value: &impl Serialize) {
    hold_text(name, &(serde_json::to_string_pretty(value).unwrap() + "\n"));
}

fn hold_text(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var_os("PD_WRITE_ASSETS").is_some() {
        std::fs::write(&file, text).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == text, "assets/{name} is not what the code says; to write it anew: {REPAIR}");
}
