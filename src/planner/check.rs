//! Judging a plan: every rule, the verdict, the map.

use super::map::Map;
use super::pair::{Pair, Side};
use super::plan::{Plan, Server};
use super::record::Record;
use super::release::Release;
use super::report::{Edit, Finding, Fix, Outcome, Report, Stage, Verdict};
use super::{rules, words};

/// Whether to list the rank map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithMap {
    /// List it.
    Yes,
    /// Leave it out; the verdict is the same.
    No,
}

/// The verdict on a plan, with its map.
pub fn check(plan: &Plan) -> Report {
    check_with(plan, WithMap::Yes)
}

/// The verdict on a plan.
pub fn check_with(plan: &Plan, with_map: WithMap) -> Report {
    judge(&Pair::of(plan), with_map)
}

/// The verdict on a pair.
pub fn judge(pair: &Pair<'_>, with_map: WithMap) -> Report {
    let plan = pair.plan;
    let mut findings: Vec<Finding> = pair.startup.clone();
    for rule in rules::all() {
        // What follows the handshake never happens when it stops.
        if rule.stage > Stage::Handshake && handshake_stops(&findings) {
            break;
        }
        findings.extend(rule.judge(pair));
    }
    for finding in &mut findings {
        keep_what_mends(plan, finding);
    }
    let listed = pair.mapping.filter(|_| !handshake_stops(&findings));
    let too_large = listed.is_some_and(|mapping| mapping.connections() > Map::MOST_CONNECTIONS);
    let map = listed.filter(|_| with_map == WithMap::Yes && !too_large);
    let failure = before_look_ups(&findings);
    let verdict = verdict(&findings);
    Report {
        verdict,
        headline: words::headline(pair, verdict, &findings),
        findings,
        prefill: pair.prefill.widths,
        decode: pair.decode.widths,
        resolved: [&pair.prefill, &pair.decode].into_iter().flat_map(|side| resolved(plan, side)).collect(),
        map: map.map(|mapping| Map::of(&mapping, failure.as_deref())),
    }
}

/// The settings that a side runs with and that its plan does not say.
fn resolved(plan: &Plan, side: &Side<'_>) -> Vec<Edit> {
    let asked = plan.server(side.role);
    let is_known = side.release >= Release::V0_5_15;
    let values = Server::FIELDS.iter().filter(|_| is_known).filter_map(|field| {
        let value = (field.read)(&side.server);
        (value != (field.read)(asked)).then(|| Edit { field: format!("{}.{}", side.role, field.name), value })
    });
    values.collect()
}

/// Leaves those fixes that make the finding's rule hold: what SGLang sets by itself can stand
/// in the way of a plain edit.
fn keep_what_mends(plan: &Plan, finding: &mut Finding) {
    let Some(rule) = rules::all().find(|rule| rule.id == finding.rule) else { return };
    let breaks =
        |other: &Finding| other.rule == rule.id && other.side == finding.side && other.outcome != Outcome::Needs;
    let mended = |fix: &Fix| {
        fix.apply(plan).is_ok_and(|plan| {
            let pair = Pair::of(&plan);
            !pair.startup.iter().chain(&rule.judge(&pair)).any(breaks)
        })
    };
    let fixes = std::mem::take(&mut finding.fixes);
    finding.fixes = fixes.into_iter().filter(mended).collect();
}

/// Whether decode never comes to map ranks.
fn handshake_stops(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| {
        finding.stage == Stage::Handshake && matches!(finding.outcome, Outcome::Rejects | Outcome::Fails)
    })
}

/// The text of a request that fails on every rank before it looks one up.
fn before_look_ups(findings: &[Finding]) -> Option<String> {
    let fails = |finding: &&Finding| {
        finding.stage == Stage::Connection && finding.outcome == Outcome::Fails && finding.rule != rules::LOOK_UP_FAILS
    };
    findings.iter().find(fails).and_then(|finding| finding.error.as_ref()).map(|error| error.message.clone())
}

/// The worst outcome. A missing fact outweighs all but a rejection, since it could be one.
fn verdict(findings: &[Finding]) -> Verdict {
    let worst = |finding: &Finding| match finding.outcome {
        Outcome::Rejects => 4,
        Outcome::Needs => 3,
        Outcome::Fails | Outcome::Hangs | Outcome::Corrupts => 2,
        Outcome::Warns => 1,
        Outcome::Notes => 0,
    };
    match findings.iter().map(worst).max().unwrap_or(0) {
        0 => Verdict::Accepted,
        1 => Verdict::AcceptedWithWarnings,
        2 => Verdict::BreaksLater,
        3 => Verdict::Unknown,
        _ => Verdict::Rejected,
    }
}
