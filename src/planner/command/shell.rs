//! Shell text as commands: words with their places, and the variables set for them.
//!
//! Reads what people paste: line continuations, quotes, comments, exports, variables. It runs
//! nothing: a variable that the text does not set, and `$(…)`, stay as they are written, and the
//! reader says so. Redirections are left out.

use super::environment::assignment;
use super::expand::Variables;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::ControlFlow;
use std::str::CharIndices;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word, with quotes and variables resolved.
    pub text: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// Variables in it that the text does not set.
    pub unknown: Vec<String>,
}

impl Word {
    /// A word that stands in a line.
    pub fn of(text: impl Into<String>, line: usize) -> Word {
        Word { text: text.into(), line, unknown: Vec::new() }
    }
}

/// A command and the variables set for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Variables set for it alone.
    pub env: BTreeMap<String, String>,
    /// Variables set earlier in the text.
    pub before: BTreeMap<String, String>,
    /// The last comment before it that names an image of SGLang.
    pub image: Option<String>,
    /// Its words.
    pub words: Vec<Word>,
}

/// How many words of a text are read.
const MOST_WORDS: usize = 60_000;

/// Reads the commands of a shell text whose first line is line `first`, with these variables set
/// before, and calls `visit` with each that `is_kept` for its words, until `visit` breaks off.
/// Returns the line of a quote that stays open.
pub fn commands(
    text: &str,
    first: usize,
    variables: Variables,
    is_kept: fn(&[Word]) -> bool,
    visit: &mut dyn FnMut(Command) -> ControlFlow<()>,
) -> Option<usize> {
    let mut shell = Shell {
        text,
        chars: text.char_indices().peekable(),
        counted: (0, first),
        words: Vec::new(),
        word: None,
        variables,
        redirects: false,
        image: None,
        open_quote: None,
        is_kept,
        visit,
        left: MOST_WORDS,
    };
    while shell.left > 0 && shell.step() {}
    shell.end_command();
    shell.open_quote
}

struct Shell<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// A place in the text and its line.
    counted: (usize, usize),
    words: Vec<Word>,
    word: Option<Word>,
    variables: Variables,
    /// Whether the next word is the target of a redirection.
    redirects: bool,
    /// The last comment that names an image.
    image: Option<String>,
    open_quote: Option<usize>,
    is_kept: fn(&[Word]) -> bool,
    visit: &'a mut dyn FnMut(Command) -> ControlFlow<()>,
    /// How many more words are read.
    left: usize,
}

impl Shell<'_> {
    /// Reads one character and what belongs to it; false at the end.
    fn step(&mut self) -> bool {
        let Some((at, c)) = self.chars.next() else { return false };
        match c {
            '\\' => self.backslash(at),
            '\'' => self.quoted(at, '\''),
            '"' => self.quoted(at, '"'),
            '$' => self.variable(at),
            '#' if self.word.is_none() => self.comment(at),
            '\n' | ';' | '|' => {
                self.end_command();
                while self.chars.next_if(|(_, c)| *c == '\n').is_some() {}
            }
            '&' if self.word.as_ref().is_some_and(|word| word.text.ends_with('>')) => self.push(at, c),
            '&' => self.end_command(),
            '>' | '<' => {
                // The digit of `2>` belongs to the redirection.
                if self.word.as_ref().is_some_and(|word| word.text.chars().all(|c| c.is_ascii_digit())) {
                    self.word = None;
                }
                self.end_word();
                while self.chars.next_if(|(_, c)| matches!(c, '>' | '<' | '&')).is_some() {}
                self.redirects = true;
            }
            c if c.is_whitespace() => self.end_word(),
            c => self.push(at, c),
        }
        true
    }

    /// The line of a place at or after the last one that was asked for.
    fn line(&mut self, at: usize) -> usize {
        let (counted, line) = self.counted;
        let between = self.text.get(counted..at).unwrap_or_default();
        self.counted = (at.max(counted), line.saturating_add(between.bytes().filter(|byte| *byte == b'\n').count()));
        self.counted.1
    }

    fn push(&mut self, at: usize, c: char) {
        self.word_at(at).text.push(c);
    }

    fn word_at(&mut self, at: usize) -> &mut Word {
        if self.word.is_none() {
            let line = self.line(at);
            self.word = Some(Word::of("", line));
        }
        self.word.get_or_insert_default()
    }

    /// A line continuation, also with blanks after the backslash, as pastes have; or a character.
    fn backslash(&mut self, at: usize) {
        let mut ahead = self.chars.clone();
        while ahead.next_if(|(_, c)| matches!(c, ' ' | '\t' | '\r')).is_some() {}
        if matches!(ahead.peek(), Some((_, '\n')) | None) {
            ahead.next();
            self.chars = ahead;
            self.end_word();
        } else if let Some((_, c)) = self.chars.next() {
            self.push(at, c);
        }
    }

    fn quoted(&mut self, at: usize, quote: char) {
        self.word_at(at);
        while let Some((inner, c)) = self.chars.next() {
            match c {
                c if c == quote => return,
                '\\' if quote == '"' => match self.chars.next() {
                    Some((_, '\n')) | None => {}
                    Some((_, escaped @ ('"' | '\\' | '$' | '`'))) => self.push(inner, escaped),
                    Some((_, other)) => {
                        self.push(inner, '\\');
                        self.push(inner, other);
                    }
                },
                '$' if quote == '"' => self.variable(inner),
                c => self.push(inner, c),
            }
        }
        let line = self.word.as_ref().map_or(1, |word| word.line);
        self.open_quote.get_or_insert(line);
    }

    /// Puts in what stands for `$…`, or keeps it as it is written and notes that it is unknown.
    fn variable(&mut self, at: usize) {
        let Some(rest) = self.text.get(at..) else { return };
        let (value, length) = self.variables.expand(rest);
        let end = at.saturating_add(length);
        while self.chars.next_if(|(at, _)| *at < end).is_some() {}
        let written = rest.get(..length).unwrap_or_default();
        let word = self.word_at(at);
        match value {
            Some(value) => word.text.push_str(&value),
            None => {
                word.text.push_str(written);
                if length > 1 {
                    word.unknown.push(written.to_owned());
                }
            }
        }
    }

    fn comment(&mut self, at: usize) {
        while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
        let end = self.chars.peek().map_or(self.text.len(), |(end, _)| *end);
        let comment = self.text.get(at..end).filter(|comment| comment.contains("sglang:"));
        self.image = comment.map(str::to_owned).or(self.image.take());
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !std::mem::take(&mut self.redirects)
        {
            self.left = self.left.saturating_sub(1);
            self.words.push(word);
        }
    }

    /// Ends a command. One that only sets variables sets them for those that follow.
    fn end_command(&mut self) {
        self.end_word();
        self.redirects = false;
        if self.words.is_empty() {
            return;
        }
        let mut words = std::mem::take(&mut self.words);
        let is_export = words.first().is_some_and(|word| matches!(word.text.as_str(), "export" | "set" | "declare"));
        if is_export {
            words.remove(0);
        }
        let settings = words.iter().take_while(|word| assignment(&word.text).is_some()).count();
        let rest = words.split_off(settings);
        let set = words.iter().filter_map(|word| assignment(&word.text));
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        if rest.is_empty() || is_export {
            set.for_each(|(name, value)| self.variables.insert(name, value));
        } else if (self.is_kept)(&rest) {
            let (env, before) = (set.collect(), self.variables.set().clone());
            if (self.visit)(Command { env, before, image: self.image.take(), words: rest }).is_break() {
                self.left = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests;
