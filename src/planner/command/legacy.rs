//! Context parallelism as releases before 0.5.20 spell it ↔ the fields of a plan.

use super::options::{Found, find};
use crate::planner::plan::Server;
use crate::planner::release::Release;

/// Options that turn it on, and the strategy that each takes by itself. The first of a strategy
/// is the one that every old release has.
const ENABLES: &[(&str, &str)] = &[
    ("--enable-prefill-context-parallel", "zigzag"),
    ("--enable-nsa-prefill-context-parallel", "interleave"),
    ("--enable-dsa-prefill-context-parallel", "interleave"),
];
/// Options that name a strategy.
const MODES: &[&str] = &["--prefill-cp-mode", "--dsa-prefill-cp-mode", "--nsa-prefill-cp-mode"];
/// Their words, and today's.
const STRATEGIES: &[(&str, &str)] = &[("in-seq-split", "zigzag"), ("round-robin-split", "interleave")];

/// Writes what an option of old says; false if it is none of them.
pub fn read(server: &mut Server, name: &str, value: &str) -> bool {
    let is_mode = MODES.contains(&name);
    let strategy = match ENABLES.iter().find(|(option, _)| *option == name) {
        Some((_, strategy)) => strategy,
        None => match STRATEGIES.iter().find(|(word, _)| *word == value).filter(|_| is_mode) {
            Some((_, strategy)) => strategy,
            None => return false,
        },
    };
    if is_mode {
        server.cp_strategy = Some((*strategy).to_owned());
    } else {
        server.enable_prefill_cp = true;
        server.cp_strategy.get_or_insert_with(|| (*strategy).to_owned());
    }
    true
}

/// The words of old for a server's context parallelism, where a release has them.
pub fn words(server: &Server, release: Release) -> Option<Vec<String>> {
    let strategy = server.cp_strategy.as_deref();
    let words = if server.enable_prefill_cp {
        let (option, _) = ENABLES.iter().find(|(_, own)| strategy.is_none_or(|strategy| strategy == *own))?;
        vec![(*option).to_owned()]
    } else {
        let (word, _) = STRATEGIES.iter().find(|(_, own)| strategy == Some(own))?;
        vec![MODES.first().copied()?.to_owned(), (*word).to_owned()]
    };
    matches!(find(release, words.first()?), Found::Exact(_)).then_some(words)
}
