//! What a shell puts in place of `$…`: variables, their defaults, arithmetic.
//!
//! What cannot be known without running something stays as it is written: variables that
//! nothing sets, `$(…)`, and the expansions that people hardly use. So does what would grow
//! beyond a megabyte.

use super::arithmetic;
use std::collections::BTreeMap;

/// How many variables a text may set.
const MOST_VARIABLES: usize = 512;
/// How deep defaults may stand in defaults.
const MOST_DEPTH: u8 = 8;

/// The variables that a text has set so far.
#[derive(Clone, Debug)]
pub struct Variables {
    set: BTreeMap<String, String>,
    /// How many more bytes variables may put into the text.
    left: usize,
}

impl Default for Variables {
    fn default() -> Self {
        Variables { set: BTreeMap::new(), left: super::read::MOST_BYTES }
    }
}

impl Variables {
    /// Variables that are set before the text begins.
    pub fn of(set: &BTreeMap<String, String>) -> Variables {
        Variables { set: set.clone(), ..Variables::default() }
    }

    /// Those that are set.
    pub fn set(&self) -> &BTreeMap<String, String> {
        &self.set
    }

    /// Sets one; beyond [`MOST_VARIABLES`] new ones are left out.
    pub fn insert(&mut self, name: String, value: String) {
        if self.set.len() < MOST_VARIABLES || self.set.contains_key(&name) {
            self.set.insert(name, value);
        }
    }

    /// What stands for the `$…` that a text begins with, and how many bytes of the text it takes.
    pub fn expand(&mut self, text: &str) -> (Option<String>, usize) {
        let (value, length) = self.dollar(text, 0);
        let value = value.filter(|value| value.len() <= self.left);
        self.left = self.left.saturating_sub(value.as_ref().map_or(0, String::len));
        (value, length)
    }

    fn dollar(&self, text: &str, depth: u8) -> (Option<String>, usize) {
        let rest = text.get(1..).unwrap_or_default();
        if rest.starts_with('{') {
            let length = bracketed(rest, b'{', b'}');
            let inside = rest.get(1..length.saturating_sub(1)).unwrap_or_default();
            return (self.braced(inside, depth), length.saturating_add(1));
        }
        if rest.starts_with('(') {
            let length = bracketed(rest, b'(', b')');
            let inside = rest.get(..length).and_then(|run| run.strip_prefix("((")?.strip_suffix("))"));
            let value = inside.and_then(|inside| arithmetic::value(inside, &|name| self.set.get(name).cloned()));
            return (value.map(|value| value.to_string()), length.saturating_add(1));
        }
        let name = name(rest);
        (self.set.get(name).cloned(), name.len().saturating_add(1))
    }

    /// `NAME`, and `NAME:-default` with its kin.
    fn braced(&self, inside: &str, depth: u8) -> Option<String> {
        let name = name(inside);
        let set = self.set.get(name);
        let rest = inside.get(name.len()..)?;
        let (ifs, word) = match rest.strip_prefix(':') {
            Some(rest) => (set.filter(|value| !value.is_empty()), rest),
            None => (set, rest),
        };
        let default = word.get(1..).unwrap_or_default();
        match word.chars().next() {
            None => set.cloned(),
            Some('-' | '=') if !name.is_empty() => match ifs {
                Some(value) => Some(value.clone()),
                None => self.within(default, depth.saturating_add(1)),
            },
            Some('?') => ifs.cloned(),
            Some(_) => None,
        }
    }

    /// A default, in which variables may stand too; quotes around it are taken off.
    fn within(&self, text: &str, depth: u8) -> Option<String> {
        let unquoted = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
        let mut rest = unquoted.unwrap_or(text);
        let mut out = String::new();
        while let Some(at) = rest.find('$') {
            let (before, dollar) = rest.split_at(at);
            let (value, length) = if depth < MOST_DEPTH { self.dollar(dollar, depth) } else { (None, 1) };
            out.push_str(before);
            out.push_str(&value.filter(|value| value.len() <= self.left)?);
            if out.len() > self.left {
                return None;
            }
            rest = dollar.get(length..).unwrap_or_default();
        }
        out.push_str(rest);
        Some(out)
    }
}

/// The variable's name that a text begins with.
fn name(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    text.get(..length).unwrap_or_default()
}

/// The length of the bracketed run that a text begins with; all of it if it stays open.
fn bracketed(text: &str, open: u8, close: u8) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        if byte == open {
            depth = depth.saturating_add(1);
        } else if byte == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at.saturating_add(1);
            }
        }
    }
    text.len()
}
