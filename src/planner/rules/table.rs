//! The rule table as data, for programs and for `assets/rules.json`.

use super::{Rule, all};
use crate::planner::release::{Range, Release};
use crate::planner::report::{Evidence, LinkedSource, Outcome, Source, Stage};
use serde::Serialize;

/// A rule as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the fields are those of `Rule`")]
pub struct Row {
    pub id: &'static str,
    pub summary: &'static str,
    pub why: &'static str,
    pub stage: Stage,
    pub outcome: Outcome,
    pub releases: Range,
    pub raises: Option<&'static str>,
    pub seen: &'static str,
    pub evidence: Evidence,
    pub sources: Vec<LinkedSource>,
    /// The same in every release that has it.
    pub places: &'static [Source],
    /// A plan that breaks it, as a link.
    pub breaks: String,
    /// A near neighbour that holds it, as a link.
    pub holds: String,
}

/// The table.
pub fn rows() -> Vec<Row> {
    all().map(row).collect()
}

fn row(rule: &'static Rule) -> Row {
    let newest = Release::ALL.iter().rev().copied().find(|release| rule.releases.contains(*release));
    let release = newest.unwrap_or(Release::NEWEST);
    Row {
        id: rule.id,
        summary: rule.summary(),
        why: rule.why(),
        stage: rule.stage,
        outcome: rule.outcome,
        releases: rule.releases,
        raises: rule.raises,
        seen: rule.seen,
        evidence: rule.evidence,
        sources: rule.sources_in(release),
        places: rule.sources,
        breaks: example(rule.breaks),
        holds: example(rule.holds),
    }
}

/// An example's link.
fn example(query: &str) -> String {
    format!("#/plan?v={}&{query}", crate::planner::link::VERSION)
}
