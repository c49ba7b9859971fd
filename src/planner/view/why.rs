//! Why a rule's finding is so, and where SGLang says so.

use super::escape;
use crate::planner::check::{WithMap, check_with};
use crate::planner::plan::Plan;

pub fn view(plan: &Plan, rule: &str) -> String {
    let report = check_with(plan, WithMap::No);
    let Some(finding) = report.findings.iter().find(|finding| finding.rule == rule) else {
        return "<p>Nothing is found by such a rule.</p>".to_owned();
    };
    let (why, stage, side) = (escape(finding.why), finding.stage, finding.side);
    let mut out = format!("<p>{why}</p><p>Strikes at {stage}, on {side}. Source: ");
    for (at, source) in finding.sources.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let (url, symbol, tag) = (escape(&source.url), escape(source.symbol), escape(&source.tag));
        out.push_str(&format!("{comma}<a href=\"{url}\" target=\"_blank\" rel=\"noreferrer\">{symbol} at {tag}</a>"));
    }
    out.push_str(".</p>");
    out
}
