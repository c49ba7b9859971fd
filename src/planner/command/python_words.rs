//! Python text → names, texts, numbers and marks, with their lines.

use std::iter::Peekable;
use std::str::CharIndices;

/// How many are read.
const MOST_TOKENS: usize = 60_000;

/// A word of Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Name(String),
    /// What stands in quotes.
    Text(String),
    /// A number, as it is written.
    Number(String),
    /// Any other character.
    Mark(char),
}

/// The words of a text, without its comments. Texts that stand side by side are one.
pub fn tokens(text: &str) -> Vec<(Token, usize)> {
    let mut all: Vec<(Token, usize)> = Vec::new();
    let mut line = 1_usize;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if all.len() >= MOST_TOKENS {
            break;
        }
        match c {
            '\n' => line = line.saturating_add(1),
            c if c.is_whitespace() || c == '\\' => {}
            '#' => while chars.next_if(|(_, c)| *c != '\n').is_some() {},
            '\'' | '"' => {
                let (inner, lines) = quoted(text, at, c, &mut chars);
                match all.last_mut() {
                    Some((Token::Text(before), _)) => before.push_str(&inner),
                    _ => all.push((Token::Text(inner), line)),
                }
                line = line.saturating_add(lines);
            }
            c if c.is_alphanumeric() || c == '_' => {
                let mut word = c.to_string();
                let is_number = c.is_ascii_digit();
                let belongs = |c: char| c.is_alphanumeric() || c == '_' || (is_number && c == '.');
                while let Some((_, c)) = chars.next_if(|(_, c)| belongs(*c)) {
                    word.push(c);
                }
                let is_prefix = word.len() < 3 && matches!(chars.peek(), Some((_, '\'' | '"')));
                if !is_prefix {
                    all.push((if is_number { Token::Number(word) } else { Token::Name(word) }, line));
                }
            }
            c => all.push((Token::Mark(c), line)),
        }
    }
    all
}

/// What stands in quotes, and how many lines it spans. Three quotes end with three.
fn quoted(text: &str, at: usize, quote: char, chars: &mut Peekable<CharIndices<'_>>) -> (String, usize) {
    let three = quote.to_string().repeat(3);
    let is_long = text.get(at..).is_some_and(|rest| rest.starts_with(&three));
    if is_long {
        chars.next();
        chars.next();
    }
    let mut inner = String::new();
    let mut lines = 0_usize;
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote && !is_long => break,
            c if c == quote && text.get(at..).is_some_and(|rest| rest.starts_with(&three)) => {
                chars.next();
                chars.next();
                break;
            }
            '\\' => match chars.next() {
                Some((_, 'n')) => inner.push('\n'),
                Some((_, '\n')) => lines = lines.saturating_add(1),
                Some((_, c)) => inner.push(c),
                None => {}
            },
            '\n' if !is_long => {
                lines = lines.saturating_add(1);
                break;
            }
            c => {
                lines = lines.saturating_add(usize::from(c == '\n'));
                inner.push(c);
            }
        }
    }
    (inner, lines)
}
