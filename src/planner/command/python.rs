//! Python's argument lists and keyword arguments → the servers they start.
//!
//! Reads literals alone: `prefill_args = ["--tp", "4"]`, `Engine(tp_size=4, …)`,
//! `dict(tp_size=4)`, `prefill_env = {"NAME": "1"}`. It runs nothing; a name where a value
//! should be stays as it is written.

use super::flags;
use super::node::{Node, Shape, Style};
use super::python_words::{Token, tokens};
use super::shell::Word;
use super::start::{Around, Gathered, Hint, Start, role_named};
use std::collections::BTreeMap;
use std::rc::Rc;

/// How deep literals may stand in each other.
const MOST_DEPTH: u8 = 16;

/// Whether a line begins Python code: an assignment with blanks around its sign, a call that is
/// assigned, a definition, an import.
pub fn is_python(line: &str) -> bool {
    let line = line.trim();
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
    let name = line.split(" = ").next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || "_.:[], ".contains(c)) && !name.contains("--");
    begins(&["import ", "from ", "class ", "def ", "sgl.", "sglang.", "Engine(", "ServerArgs("])
        || (line.contains(" = ") && is_name && !name.trim_end().contains(char::is_whitespace))
}

/// Adds the servers of a Python text.
pub fn servers(text: &str, out: &mut Gathered) {
    let tokens = tokens(text);
    let mut reader = Reader { rest: &tokens, env: BTreeMap::new() };
    let mut name = (String::new(), 1);
    let mut starts = Vec::new();
    while let Some((token, line)) = reader.next() {
        match token {
            Token::Name(word) => name = (word.clone(), *line),
            Token::Mark('=') => {
                let assigned = std::mem::take(&mut name);
                reader.assigned(&assigned.0, assigned.1, &mut starts, out);
            }
            Token::Mark('(') => {
                let node = reader.arguments(0, *line);
                starts.extend(start(&name.0, name.1, &node, out));
            }
            Token::Mark(_) | Token::Text(_) | Token::Number(_) => {}
        }
    }
    for mut start in starts {
        let role = start.around.role.as_ref().map(|hint| hint.role.word()).unwrap_or_default();
        start.env = reader.env.get(role).or(reader.env.get("")).cloned().unwrap_or_default();
        out.add(start);
    }
}

struct Reader<'a> {
    rest: &'a [(Token, usize)],
    /// Variables by the role that their name speaks of.
    env: BTreeMap<&'static str, BTreeMap<String, String>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a (Token, usize)> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn next_is(&mut self, mark: char) -> bool {
        let is_it = matches!(self.rest.first(), Some((Token::Mark(next), _)) if *next == mark);
        if is_it {
            self.next();
        }
        is_it
    }

    /// What is assigned to a name: a list, a mapping, or a call.
    fn assigned(&mut self, name: &str, line: usize, starts: &mut Vec<Start>, out: &mut Gathered) {
        let mut last = name;
        while let Some((Token::Name(word), _)) = self.rest.first() {
            last = word;
            self.next();
            self.next_is('.');
        }
        let node = match self.rest.first() {
            Some((Token::Mark('[' | '{'), line)) => self.value(0, *line),
            Some((Token::Mark('('), line)) => {
                self.next();
                self.arguments(0, *line)
            }
            _ => return,
        };
        if name.to_ascii_lowercase().contains("env") && last == name {
            let role = role_named(name).map(|role| role.word()).unwrap_or_default();
            self.env.insert(role, flags::variables(&node).0);
        } else {
            starts.extend(start(name, line, &node, out));
        }
    }

    /// Keyword arguments up to the closing parenthesis, as a mapping.
    fn arguments(&mut self, depth: u8, line: usize) -> Node {
        let mut entries = Vec::new();
        while let Some((token, line)) = self.next() {
            match token {
                Token::Mark(')') => break,
                Token::Name(name) if self.next_is('=') => {
                    entries.push((name.clone(), Rc::new(self.value(depth.saturating_add(1), *line))));
                }
                Token::Mark('(') => {
                    self.arguments(depth.saturating_add(1).min(MOST_DEPTH), *line);
                }
                Token::Name(_) | Token::Mark(_) | Token::Text(_) | Token::Number(_) => {}
            }
        }
        Node { line, shape: Shape::Map(entries) }
    }

    /// A literal. A list or mapping that stands too deep is read as nothing.
    fn value(&mut self, depth: u8, line: usize) -> Node {
        let inner = depth.saturating_add(1);
        let shape = match self.next().map(|(token, _)| token) {
            Some(Token::Text(text)) => Shape::Scalar(text.clone(), Style::Quoted),
            Some(Token::Number(text) | Token::Name(text)) => Shape::Scalar(text.clone(), Style::Plain),
            Some(Token::Mark('-')) => match self.next() {
                Some((Token::Number(text), _)) => Shape::Scalar(format!("-{text}"), Style::Plain),
                _ => Shape::default(),
            },
            Some(Token::Mark('[' | '(')) if inner < MOST_DEPTH => self.items(inner),
            Some(Token::Mark('{')) if inner < MOST_DEPTH => self.pairs(inner),
            Some(Token::Mark(_)) | None => Shape::default(),
        };
        Node { line, shape }
    }

    fn items(&mut self, depth: u8) -> Shape {
        let mut items = Vec::new();
        while let Some((token, line)) = self.rest.first() {
            if matches!(token, Token::Mark(']' | ')' | ',')) {
                self.next();
                if *token == Token::Mark(',') { continue } else { break }
            }
            items.push(Rc::new(self.value(depth, *line)));
        }
        Shape::List(items)
    }

    fn pairs(&mut self, depth: u8) -> Shape {
        let mut entries = Vec::new();
        while let Some((token, line)) = self.next() {
            match token {
                Token::Mark('}') => break,
                Token::Text(name) if self.next_is(':') => {
                    entries.push((name.clone(), Rc::new(self.value(depth, *line))));
                }
                Token::Name(_) | Token::Mark(_) | Token::Text(_) | Token::Number(_) => {}
            }
        }
        Shape::Map(entries)
    }
}

/// The server that a list of arguments or a mapping of options asks for, if it is one.
fn start(name: &str, line: usize, node: &Node, out: &mut Gathered) -> Option<Start> {
    let is_list = node.items().iter().any(|item| item.text().is_some_and(|text| text.starts_with("--")));
    let options = node.entries().iter().filter(|(name, _)| flags::is_option(name)).count();
    let is_options = options > 0 && node.entries().len() <= options.saturating_mul(2);
    let arguments: Vec<Word> = match (is_list, is_options) {
        (true, _) => flags::list(node),
        (false, true) => flags::words(node, out),
        (false, false) => return None,
    };
    let role = role_named(name).map(|role| Hint { role, from: name.to_owned(), sets_mode: false });
    Some(Start { line, arguments, around: Around { role, ..Around::default() }, ..Start::default() })
}
