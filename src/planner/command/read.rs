//! Launch commands as a plan.
//!
//! Reading never fails: it returns a plan and what it has to say, with the place in the text.
//! Several commands make one plan: the prefill's and the decode's are told apart by
//! `--disaggregation-mode`, node ranks of one server are merged. Manifests and other YAML are
//! not read yet.

use super::launch::{Launch, arguments, read as read_launch};
use super::shell::{Command, commands};
use crate::planner::catalog::{ModelName, find};
use crate::planner::link::{Diagnostic, open};
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::value::Size;

/// The most text that is read.
pub const MOST_BYTES: usize = 1 << 20;

/// The plan of pasted commands, or of a pasted link.
pub fn parse(text: &str, release: Release) -> (Plan, Vec<Diagnostic>) {
    if text.contains("#/plan?") {
        return open(text);
    }
    let mut said = Vec::new();
    let mut plan = Plan { release: named_release(text).unwrap_or(release), ..Plan::default() };
    if text.len() > MOST_BYTES {
        say(&mut said, "text", format!("this is {} bytes; at most {MOST_BYTES} are read", text.len()));
        return (plan, said);
    }
    let launches = launches(text, plan.release, 0, &mut said);
    if launches.is_empty() {
        say(
            &mut said,
            "text",
            "no command here starts a server: neither sglang.launch_server nor sglang serve is in it",
        );
    }
    for role in [Role::Prefill, Role::Decode] {
        let own: Vec<&Launch> = launches.iter().filter(|launch| side_of(launch, &launches) == role).collect();
        match own.split_first() {
            Some((first, rest)) => {
                *plan.server_mut(role) = first.server.clone();
                merge(role, first, rest, &mut said);
                name_model(&mut plan, first);
            }
            None if launches.is_empty() => {}
            None => {
                say(&mut said, role.word(), format!("there is no {role} command; its sizes stay at their defaults"))
            }
        }
    }
    if let Some(launch) = launches.iter().find(|launch| launch.role.is_none()) {
        let role = side_of(launch, &launches);
        say(&mut said, "--disaggregation-mode", format!("a command does not say its mode; it was taken as {role}"));
    }
    if let Some(problem) = plan.problem() {
        say(&mut said, &problem.field, problem.message);
    }
    (plan, said)
}

/// The side of a launch. One that does not say its mode is the side that no other is.
fn side_of(launch: &Launch, all: &[Launch]) -> Role {
    let has_prefill = all.iter().any(|other| other.role == Some(Role::Prefill));
    launch.role.unwrap_or(if has_prefill { Role::Decode } else { Role::Prefill })
}

/// The launches in a text, also those inside a quoted `bash -c "…"`.
fn launches(text: &str, release: Release, depth: u8, said: &mut Vec<Diagnostic>) -> Vec<Launch> {
    let (commands, open_quote) = commands(text);
    if let Some(at) = open_quote {
        let line = text.get(..at).map_or(1, |before| before.lines().count().max(1));
        say(said, &format!("line {line}"), "a quote that begins here is not closed");
    }
    let mut found = Vec::new();
    for command in &commands {
        match arguments(command) {
            Some(words) => found.push(read_launch(command, words, release, said)),
            None if depth < 3 => found.extend(inside(command, release, depth, said)),
            None => {}
        }
    }
    found
}

fn inside(command: &Command, release: Release, depth: u8, said: &mut Vec<Diagnostic>) -> Vec<Launch> {
    let quoted =
        command.words.iter().filter(|word| word.text.contains("sglang") && word.text.contains(char::is_whitespace));
    quoted.flat_map(|word| launches(&word.text, release, depth.saturating_add(1), said)).collect()
}

/// Node ranks of one server are one server; anything else is a contradiction.
fn merge(role: Role, first: &Launch, rest: &[&Launch], said: &mut Vec<Diagnostic>) {
    if rest.is_empty() {
        if first.server.nodes > Size::ONE {
            let nodes = first.server.nodes;
            say(said, role.word(), format!("one of {nodes} nodes' commands; the others are taken to be like it"));
        }
        return;
    }
    let differing: Vec<&str> = Server::FIELDS
        .iter()
        .filter(|field| rest.iter().any(|other| (field.read)(&other.server) != (field.read)(&first.server)))
        .map(|field| field.name)
        .collect();
    let ranks: Vec<&str> =
        std::iter::once(&first).chain(rest).filter_map(|launch| launch.node_rank.as_deref()).collect();
    let count = rest.len().saturating_add(1);
    if !differing.is_empty() {
        let text = format!("{count} commands start it and differ in {}; the first one is used", differing.join(", "));
        say(said, role.word(), text);
    } else if ranks.len() == count {
        say(said, role.word(), format!("node ranks {} were merged into one server", ranks.join(", ")));
    } else {
        say(said, role.word(), format!("{count} equal commands were taken as one server"));
    }
}

/// Names the plan's model after a launch: a model of the catalogue by its own name.
fn name_model(plan: &mut Plan, launch: &Launch) {
    let Some(path) = &launch.model else { return };
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    let known = find(path).or_else(|| find(last)).map(|row| row.name.to_owned());
    plan.model = ModelName::Named(known.unwrap_or_else(|| path.clone()));
}

/// The release of an image tag such as `sglang:v0.5.18`.
fn named_release(text: &str) -> Option<Release> {
    let tag = text.split("sglang:").nth(1)?;
    let name: String = tag.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '.').collect();
    Release::named(&name)
}

fn say(said: &mut Vec<Diagnostic>, place: &str, message: impl Into<String>) {
    said.push(Diagnostic { place: place.to_owned(), message: message.into() });
}
