//! A plan as containers for Kubernetes manifests: one a node, and the router's.
//!
//! Each is an item of a `containers` list, as people paste it into their own manifest: name,
//! image, variables and arguments. What is around it (volumes, GPUs, services) is theirs.

use super::print::{Commands, LAUNCHER, image, nodes, router_words, variables, words};
use crate::planner::plan::{Plan, Role};
use std::fmt::Write;

/// The containers that launch a plan.
pub fn containers(plan: &Plan) -> Commands {
    let side = |role| nodes(plan.server(role)).map(|node| server(plan, role, node)).collect();
    let (launcher, words) = router_words(plan);
    let mut router = "- name: router\n".to_owned();
    list(&mut router, "command", launcher.iter().copied());
    list(&mut router, "args", words.iter().flatten().map(String::as_str));
    Commands { prefill: side(Role::Prefill), decode: side(Role::Decode), router }
}

fn server(plan: &Plan, role: Role, node: u32) -> String {
    let mut out = format!("- name: {role}-{node}\n  image: {}\n", image(plan.release_of(role)));
    let mut names = variables(plan.server(role)).peekable();
    if names.peek().is_some() {
        out.push_str("  env:\n");
    }
    for (name, value) in names {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  - name: {}\n    value: {}", scalar(name), scalar(value));
    }
    list(&mut out, "command", LAUNCHER.iter().copied());
    list(&mut out, "args", words(plan, role, node).iter().flatten().map(String::as_str));
    out
}

fn list<'a>(out: &mut String, name: &str, words: impl Iterator<Item = &'a str>) {
    let _ = writeln!(out, "  {name}:");
    for word in words {
        let _ = writeln!(out, "  - {}", scalar(word));
    }
}

/// A word as YAML and then Kubernetes read it back: quoted where it could be anything but a word.
fn scalar(word: &str) -> String {
    // Kubernetes puts variables in place of `$(NAME)`, and `$` in place of `$$`.
    let is_expanded = word.contains("$(") || word.contains("$$");
    let word = if is_expanded { word.replace('$', "$$") } else { word.to_owned() };
    let start = word.trim_start_matches('-');
    let is_word = start.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,".contains(c));
    let is_other = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"].iter();
    if is_word && !is_other.clone().any(|other| word.eq_ignore_ascii_case(other)) {
        return word;
    }
    let mut out = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out + "\""
}
