//! The rank map as a table.

use super::table;
use crate::planner::plan::Plan;
use crate::planner::{check, ranks};

/// Rows that the table shows.
const MOST_ROWS: usize = 256;

const HEADS: [&str; 5] = [
    "Decode rank",
    "Runs on",
    "Prefill ranks (dummies in parentheses)",
    "Waits for reports",
    "Registrations a prefill rank waits for",
];

pub fn view(plan: &Plan) -> String {
    let report = check(plan);
    let Some(map) = &report.map else { return "<p>There is no map: nothing connects.</p>".to_owned() };
    let mut out = table("", &HEADS, &ranks::rows(&report, map, MOST_ROWS));
    let more = map.decode_ranks.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        out.push_str(&format!("<p>and {more} more ranks</p>"));
    }
    out
}
