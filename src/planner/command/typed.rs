//! Words of a command → its options as they were typed, each with its values.

use super::options::{Argument, Found, Kind, find};
use super::shell::Word;
use crate::planner::plan::Server;
use crate::planner::record::Record;
use crate::planner::release::Release;

/// An option as it was typed.
pub struct Typed<'a> {
    /// The word that names it.
    pub word: &'a Word,
    /// Its name, without a value behind an equals sign.
    pub name: &'a str,
    /// What the release makes of the name.
    pub found: Found,
    /// The option that is meant; none if no option of the release is.
    pub argument: Option<&'static Argument>,
    /// The value behind an equals sign.
    pub inline: Option<&'a str>,
    /// The values in words of their own.
    pub values: Vec<&'a Word>,
}

impl<'a> Typed<'a> {
    /// All values.
    pub fn texts(&self) -> Vec<&'a str> {
        self.inline.into_iter().chain(self.values.iter().map(|value| value.text.as_str())).collect()
    }
}

/// The options among words, in order. A word that belongs to none is an error.
pub fn options(words: &[Word], release: Release) -> impl Iterator<Item = Result<Typed<'_>, &Word>> {
    let mut words = words.iter().peekable();
    std::iter::from_fn(move || {
        let word = words.next()?;
        let Some((name, inline)) = option(word) else { return Some(Err(word)) };
        let found = find(release, name);
        let argument = meant(&found, release);
        let most =
            if inline.is_some() { 0 } else { argument.map_or(usize::MAX, |argument| most_values(argument.kind)) };
        let mut values = Vec::new();
        while values.len() < most
            && let Some(value) = words.next_if(|next| option(next).is_none())
        {
            values.push(value);
        }
        Some(Ok(Typed { word, name, found, argument, inline, values }))
    })
}

/// An option's name and the value after `=`. Negative numbers are values, as for argparse.
fn option(word: &Word) -> Option<(&str, Option<&str>)> {
    let rest = word.text.strip_prefix('-')?;
    let is_number = rest.chars().all(|c| c.is_ascii_digit() || c == '.');
    if rest.is_empty() || is_number {
        return None;
    }
    Some(word.text.split_once('=').map_or((word.text.as_str(), None), |(name, value)| (name, Some(value))))
}

/// The option that a name means: of several, the one that sets a size is what people mean.
fn meant(found: &Found, release: Release) -> Option<&'static Argument> {
    match found {
        Found::Exact(argument) | Found::Prefix(argument) => Some(argument),
        Found::Ambiguous(strings) => match find(release, strings.iter().find(|string| field_of(string).is_some())?) {
            Found::Exact(argument) | Found::Prefix(argument) => Some(argument),
            Found::Ambiguous(_) | Found::Unknown { .. } => None,
        },
        Found::Unknown { .. } => None,
    }
}

fn most_values(kind: Kind) -> usize {
    match kind {
        Kind::Switch => 0,
        Kind::One | Kind::Optional => 1,
        Kind::Several | Kind::Any => usize::MAX,
    }
}

/// The server's field that an option sets by itself.
pub fn field_of(option: &str) -> Option<&'static str> {
    let sets = |flags: &[(crate::planner::release::Range, &str)]| flags.iter().any(|(_, flag)| *flag == option);
    Server::FIELDS.iter().find(|field| sets(field.flags)).map(|field| field.name)
}
