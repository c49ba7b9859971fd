//! The same intent under another release: what the verdict becomes, which findings go and come,
//! which options are spelled otherwise, what start-up resolves otherwise.
//!
//! Derived from judging both plans and from the tables of flags; nothing here knows a release.

use super::check::{WithMap, check_with};
use super::command::{options, print};
use super::plan::{Plan, Role, Server};
use super::record::Record;
use super::release::Release;
use super::report::{Finding, Verdict};
use super::startup::Startup;
use super::value::Value;
use serde::Serialize;

/// What another release changes for a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Upgrade {
    /// The plan with both sides at that release. Options that it takes by another name have that.
    pub plan: Plan,
    /// The verdict as the plan is.
    pub before: Verdict,
    /// The verdict at that release.
    pub after: Verdict,
    /// Findings that are gone there.
    pub gone: Vec<Finding>,
    /// Findings that are new there.
    pub new: Vec<Finding>,
    /// Options that are spelled otherwise there, or that only one of the releases has.
    pub options: Vec<Respelled>,
    /// Settings that start-up resolves otherwise there.
    pub settings: Vec<Resolved>,
}

/// An option that two releases spell differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Respelled {
    /// The side that sets it.
    pub side: Role,
    /// The option with its values as the plan's release has it; none if it has none.
    pub before: Option<String>,
    /// As the other release has it; none if it has none and so refuses it.
    pub after: Option<String>,
}

/// A setting that two releases resolve differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The side that has it.
    pub side: Role,
    /// The server's field, such as `pageSize`.
    pub field: &'static str,
    /// What the plan's release makes of it.
    pub before: Value,
    /// What the other release makes of it.
    pub after: Value,
}

/// What `to` changes for a plan; a downgrade is asked for in the same way.
pub fn upgrade(plan: &Plan, to: Release) -> Upgrade {
    let mut new_plan = Plan { release: to, ..plan.clone() };
    let (mut options, mut settings) = (Vec::new(), Vec::new());
    for role in [Role::Prefill, Role::Decode] {
        new_plan.server_mut(role).release = None;
        rename(&mut new_plan.server_mut(role).extra, to);
        options.extend(respelled(plan, &new_plan, role));
        settings.extend(resolved(plan, &new_plan, role));
    }
    let [before, after] = [plan, &new_plan].map(|plan| check_with(plan, WithMap::No));
    let only = |these: &[Finding], others: &[Finding]| -> Vec<Finding> {
        let is_same = |a: &Finding, b: &Finding| (a.rule, a.side, a.outcome) == (b.rule, b.side, b.outcome);
        these.iter().filter(|this| !others.iter().any(|other| is_same(this, other))).cloned().collect()
    };
    Upgrade {
        before: before.verdict,
        after: after.verdict,
        gone: only(&before.findings, &after.findings),
        new: only(&after.findings, &before.findings),
        plan: new_plan,
        options,
        settings,
    }
}

/// Gives carried options the name that a release has for them, where the table knows it.
fn rename(words: &mut [String], to: Release) {
    for word in words.iter_mut().filter(|word| word.starts_with("--")) {
        let (name, rest) = word.split_at_checked(word.find('=').unwrap_or(word.len())).unwrap_or((word, ""));
        if let Some(renamed) = options::renamed(to, name) {
            *word = format!("{renamed}{rest}");
        }
    }
}

fn respelled(old: &Plan, new: &Plan, side: Role) -> Vec<Respelled> {
    let (from, to) = (old.release_of(side), new.release_of(side));
    let mut all: Vec<(Option<String>, Option<String>)> = Vec::new();
    for field in Server::FIELDS.iter().filter(|field| !field.flags.is_empty()) {
        let words = |plan: &Plan, release| print::flag(plan.server(side), field, release);
        let spelled =
            |plan, release| words(plan, release).filter(|words| !words.is_empty()).map(|words| words.join(" "));
        all.push((spelled(old, from), spelled(new, to)));
    }
    let [before, after] = [old, new].map(|plan| Startup::of(plan, side, Some(side)).flags);
    for ((old_name, values), (name, _)) in before.iter().zip(&after) {
        let spelled = |name: &str, release| {
            let is_known = matches!(options::find(release, name), options::Found::Exact(_));
            is_known.then(|| [&[name], values.as_slice()].concat().join(" "))
        };
        all.push((spelled(old_name, from), spelled(name, to)));
    }
    let differing = all.into_iter().filter(|(before, after)| before != after);
    differing.map(|(before, after)| Respelled { side, before, after }).collect()
}

fn resolved(old: &Plan, new: &Plan, side: Role) -> Vec<Resolved> {
    let [before, after] = [old, new].map(|plan| Startup::of(plan, side, Some(side)).run().0.server);
    let fields = Server::FIELDS.iter().filter(|field| !matches!(field.name, "release" | "extra"));
    let differing = fields.filter(|field| (field.read)(&before) != (field.read)(&after));
    let resolved = differing.map(|field| Resolved {
        side,
        field: field.name,
        before: (field.read)(&before),
        after: (field.read)(&after),
    });
    resolved.collect()
}
