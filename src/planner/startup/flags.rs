//! The options that a plan carries through in `extra`, found by SGLang's own names.

use crate::planner::command::options::{Found, find};
use crate::planner::release::Release;

/// Options and their values, in order.
pub type Flags<'a> = Vec<(&'a str, Vec<&'a str>)>;

/// The options of a list of words, under the names that the newest release puts first.
pub fn of(words: &[String], release: Release) -> Flags<'_> {
    let mut flags: Flags<'_> = Vec::new();
    for word in words {
        match (word.starts_with('-'), flags.last_mut()) {
            (false, Some((_, values))) => values.push(word),
            (false, None) => {}
            (true, _) => {
                let (typed, value) = word.split_once('=').map_or((word.as_str(), None), |(name, v)| (name, Some(v)));
                flags.push((name_of(typed, release), value.into_iter().collect()));
            }
        }
    }
    flags
}

fn name_of(typed: &str, release: Release) -> &str {
    match find(release, typed) {
        Found::Exact(argument) | Found::Prefix(argument) => argument.name,
        Found::Ambiguous(_) | Found::Unknown { .. } => typed,
    }
}

/// The value of an option; the last one counts.
pub fn value<'a>(flags: &Flags<'a>, option: &str) -> Option<&'a str> {
    flags.iter().rev().find(|(name, _)| *name == option).and_then(|(_, values)| values.first().copied())
}

/// Whether a switch is on.
pub fn has(flags: &Flags<'_>, option: &str) -> bool {
    flags.iter().any(|(name, _)| *name == option)
}

/// The words without some options and their values.
pub fn without(words: &[String], release: Release, options: &[&str]) -> Vec<String> {
    let mut dropping = false;
    let kept = words.iter().filter(|word| {
        if word.starts_with('-') {
            let typed = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
            dropping = options.contains(&name_of(typed, release)) || options.contains(&typed);
        }
        !dropping
    });
    kept.cloned().collect()
}
