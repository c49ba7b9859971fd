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

#[expect(dead_code, reason = "only the plans are used here")]
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
