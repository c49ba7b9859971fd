//! The command-line options of each release, found by what was typed, as Python's argparse does.
//!
//! The table is `options.txt`, made from SGLang's source by `tests/oracle/options.py`. An exact
//! string of an option wins; else a string that only one option string of the release begins
//! with. Two strings of one option make a prefix of both ambiguous, as in argparse.
//!
//! What an option's value may be, and which options SGLang calls deprecated, is not here.

use crate::planner::release::{Range, Release};
use std::sync::LazyLock;

/// An option, whichever of its strings was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The string that the newest release puts first, such as `--tp-size`. The opposite of an
    /// option, `--no-…`, is an option of its own.
    pub name: &'static str,
    /// How many values it takes.
    pub kind: Kind,
}

/// How many values an option takes; `nargs` in argparse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Exactly one.
    One,
    /// None: the option is a switch.
    Switch,
    /// One or none.
    Optional,
    /// One or more.
    Several,
    /// Any number, none included.
    Any,
}

/// What a release makes of a typed option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// One of the option's strings, in full.
    Exact(&'static Argument),
    /// The beginning of one of the option's strings, and of no other string.
    Prefix(&'static Argument),
    /// The beginning of these strings, in alphabetical order; the release refuses it.
    Ambiguous(Vec<&'static str>),
    /// No option, so the release refuses it.
    Unknown {
        /// The last earlier release that takes it, in full or as a unique prefix.
        before: Option<Release>,
        /// The first later release that takes it, in full or as a unique prefix.
        since: Option<Release>,
    },
}

/// What `release` makes of `typed`: a word of the command that begins with `-`, with or without
/// `=value`. The word `--` by itself, negative numbers and values are not options: they are
/// unknown here, and a caller that expects them asks first.
pub fn find(release: Release, typed: &str) -> Found {
    let near = near(typed);
    let found = match matching(near, release, typed).as_slice() {
        [] => None,
        [row] if row.string == without_value(typed) => row.argument(release).map(Found::Exact),
        [row] => row.argument(release).map(Found::Prefix),
        many => Some(Found::Ambiguous(many.iter().map(|row| row.string).collect())),
    };
    found.unwrap_or_else(|| {
        let takes = |other: &&Release| matching(near, **other, typed).len() == 1;
        let mut releases = Release::ALL.iter().filter(|_| !near.is_empty());
        Found::Unknown {
            before: releases.clone().filter(|other| **other < release).rfind(takes).copied(),
            since: releases.find(|other| **other > release && takes(other)).copied(),
        }
    })
}

/// The option that some release takes `name` for another string of, if `release` has that option
/// and not `name`.
pub fn renamed(release: Release, name: &str) -> Option<&'static str> {
    let named = || near(name).iter().filter(|row| row.string == name);
    let target = named().find_map(|row| match row.meaning {
        Meaning::AliasOf(target) => Some(target),
        Meaning::Itself(_) => None,
    })?;
    let has = matches!(find(release, target), Found::Exact(_));
    (has && !named().any(|row| row.held_by(release))).then_some(target)
}

/// The rows that `typed` may stand for in any release. The table is in the order of its strings.
fn near(typed: &str) -> &'static [Row] {
    let start = match typed {
        "--" => return &[],
        long if long.starts_with("--") => without_value(typed),
        // After a single dash, argparse takes what follows the first letter for a value.
        short => match short.char_indices().nth(2).map_or(Some(short), |(at, _)| short.get(..at)) {
            Some(short) => short,
            None => return &[],
        },
    };
    let from = ROWS.partition_point(|row| row.string < start);
    let rest = ROWS.get(from..).unwrap_or_default();
    let is_near = |row: &Row| if typed.starts_with("--") { row.string.starts_with(start) } else { row.string == start };
    rest.get(..rest.partition_point(is_near)).unwrap_or_default()
}

/// The option strings that `typed` may stand for: the one that equals it, or all that it begins.
fn matching(near: &'static [Row], release: Release, typed: &str) -> Vec<&'static Row> {
    let name = without_value(typed);
    let mut held = near.iter().filter(|row| row.held_by(release));
    match held.clone().find(|row| row.string == name) {
        Some(exact) => vec![exact],
        // A short option alone is in the table or it is none.
        None if typed.chars().count() <= 2 => Vec::new(),
        None => held.by_ref().collect(),
    }
}

fn without_value(typed: &str) -> &str {
    typed.split_once('=').map_or(typed, |(name, _)| name)
}

/// A line of the table: an option string and the releases in which it means that.
pub struct Row {
    /// The string, such as `--tp-size`.
    pub string: &'static str,
    /// What it means.
    pub meaning: Meaning,
    /// Where.
    pub releases: Vec<Range>,
}

/// What an option string means.
pub enum Meaning {
    /// An option of that name.
    Itself(Argument),
    /// The option that the newest release calls so.
    AliasOf(&'static str),
}

/// The whole table, in the order of its strings.
pub fn rows() -> &'static [Row] {
    &ROWS
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| include_str!("options.txt").lines().filter_map(Row::read).collect());

impl Row {
    /// Reads a line; a comment, or a line of another form, is none.
    fn read(line: &'static str) -> Option<Row> {
        let mut words = line.split(' ');
        let string = words.next().filter(|word| word.starts_with('-'))?;
        let meaning = match words.next()? {
            "v" => Meaning::Itself(Argument { name: string, kind: Kind::One }),
            "f" => Meaning::Itself(Argument { name: string, kind: Kind::Switch }),
            "?" => Meaning::Itself(Argument { name: string, kind: Kind::Optional }),
            "+" => Meaning::Itself(Argument { name: string, kind: Kind::Several }),
            "*" => Meaning::Itself(Argument { name: string, kind: Kind::Any }),
            alias => Meaning::AliasOf(alias.strip_prefix('=')?),
        };
        let releases = match words.next() {
            None => vec![Range::ALL],
            Some(ranges) => ranges.split(',').map(range).collect::<Option<_>>()?,
        };
        words.next().is_none().then_some(Row { string, meaning, releases })
    }

    /// Whether `release` has it.
    fn held_by(&self, release: Release) -> bool {
        self.releases.iter().any(|range| range.contains(release))
    }

    /// The option that the string belongs to in `release`.
    fn argument(&'static self, release: Release) -> Option<&'static Argument> {
        match &self.meaning {
            Meaning::Itself(argument) => Some(argument),
            Meaning::AliasOf(name) => {
                near(name).iter().filter(|row| row.held_by(release)).find_map(|row| match &row.meaning {
                    Meaning::Itself(argument) => Some(argument).filter(|argument| argument.name == *name),
                    Meaning::AliasOf(_) => None,
                })
            }
        }
    }
}

/// Reads `0.5.14-0.5.20`, or `0.5.14-` for that release and all later ones.
fn range(text: &str) -> Option<Range> {
    let (from, until) = text.split_once('-')?;
    let from = Release::named(from)?;
    match until {
        "" => Some(Range::since(from)),
        until => Some(Range::between(from, Release::named(until)?)),
    }
}

#[cfg(test)]
mod tests;
