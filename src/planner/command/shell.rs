//! Shell text as commands: words with their places, and the variables set for them.
//!
//! Reads what people paste: line continuations, quotes, comments, exports, variables. It runs
//! nothing: a variable that the text does not set, and `$(…)`, stay as they are written, and the
//! reader says so. Redirections are left out.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::CharIndices;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word, with quotes and variables resolved.
    pub text: String,
    /// Where it begins, in bytes.
    pub at: usize,
    /// Variables in it that the text does not set.
    pub unknown: Vec<String>,
}

/// A command and the variables set for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Variables set before it or exported earlier in the text.
    pub env: BTreeMap<String, String>,
    /// Its words.
    pub words: Vec<Word>,
}

/// The commands of a shell text, and whether a quote stays open: where it begins.
pub fn commands(text: &str) -> (Vec<Command>, Option<usize>) {
    let mut shell = Shell::of(text);
    while shell.step() {}
    shell.end_command();
    (shell.commands, shell.open_quote)
}

struct Shell<'a> {
    chars: Peekable<CharIndices<'a>>,
    commands: Vec<Command>,
    words: Vec<Word>,
    word: Option<Word>,
    exported: BTreeMap<String, String>,
    /// Whether the next word is the target of a redirection.
    redirects: bool,
    open_quote: Option<usize>,
}

impl<'a> Shell<'a> {
    fn of(text: &'a str) -> Shell<'a> {
        Shell {
            chars: text.char_indices().peekable(),
            commands: Vec::new(),
            words: Vec::new(),
            word: None,
            exported: BTreeMap::new(),
            redirects: false,
            open_quote: None,
        }
    }

    /// Reads one character and what belongs to it; false at the end.
    fn step(&mut self) -> bool {
        let Some((at, c)) = self.chars.next() else { return false };
        match c {
            '\\' => self.backslash(at),
            '\'' => self.quoted(at, '\''),
            '"' => self.quoted(at, '"'),
            '$' => self.variable(at),
            '#' if self.word.is_none() => self.comment(),
            '\n' | ';' | '|' => self.end_command(),
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

    fn push(&mut self, at: usize, c: char) {
        self.word_at(at).text.push(c);
    }

    fn word_at(&mut self, at: usize) -> &mut Word {
        self.word.get_or_insert_with(|| Word { at, ..Word::default() })
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
        self.open_quote.get_or_insert(at);
    }

    /// `$NAME`, `${NAME}`, `${NAME:-default}`; anything else after `$` stays as written.
    fn variable(&mut self, at: usize) {
        let (mut name, mut written) = (String::new(), "$".to_owned());
        let mut default = None;
        match self.chars.peek().map(|(_, c)| *c) {
            Some('{') => {
                let inside = self.until('{', '}');
                written.push_str(&inside);
                let inside = inside.trim_start_matches('{').trim_end_matches('}');
                let (own, other) = inside.split_once(":-").map_or((inside, None), |(own, other)| (own, Some(other)));
                (name, default) = (own.to_owned(), other.map(str::to_owned));
            }
            Some('(') => written.push_str(&self.until('(', ')')),
            _ => {
                while let Some((_, c)) = self.chars.next_if(|(_, c)| c.is_ascii_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                written.push_str(&name);
            }
        }
        let value = self.exported.get(&name).cloned().or(default);
        let word = self.word_at(at);
        match value {
            Some(value) => word.text.push_str(&value),
            None => {
                word.text.push_str(&written);
                if written.len() > 1 {
                    word.unknown.push(written);
                }
            }
        }
    }

    /// A bracketed run, brackets included; to the end of the text if it stays open.
    fn until(&mut self, open: char, close: char) -> String {
        let (mut run, mut depth) = (String::new(), 0_usize);
        for (_, c) in self.chars.by_ref() {
            run.push(c);
            if c == open {
                depth = depth.saturating_add(1);
            } else if c == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
        }
        run
    }

    fn comment(&mut self) {
        while self.chars.next_if(|(_, c)| *c != '\n').is_some() {}
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take()
            && !std::mem::take(&mut self.redirects)
        {
            self.words.push(word);
        }
    }

    /// Ends a command. One that only sets variables sets them for those that follow.
    fn end_command(&mut self) {
        self.end_word();
        self.redirects = false;
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
            self.exported.extend(set);
            return;
        }
        let mut env = self.exported.clone();
        env.extend(set);
        self.commands.push(Command { env, words: rest });
    }
}

/// The name and value of `NAME=value`.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        commands(text).0.into_iter().map(|command| command.words.into_iter().map(|word| word.text).collect()).collect()
    }

    #[test]
    fn words_are_split_as_a_shell_splits_them() {
        let cases: &[(&str, &[&[&str]])] = &[
            ("a --b 'c d' \"e f\"", &[&["a", "--b", "c d", "e f"]]),
            ("a \\\n  --b \\  \n c", &[&["a", "--b", "c"]]),
            ("a --x='{\"k\": 1}'", &[&["a", "--x={\"k\": 1}"]]),
            ("a # not this\nb", &[&["a"], &["b"]]),
            ("a > log.txt 2>&1 &\nb", &[&["a"], &["b"]]),
            ("a && b; c | d", &[&["a"], &["b"], &["c"], &["d"]]),
            ("N=8\na --tp $N ${N} ${M:-4}", &[&["a", "--tp", "8", "8", "4"]]),
            ("export X=1 Y=2; a $Y", &[&["a", "2"]]),
            ("a $HOST $((1 + 2))", &[&["a", "$HOST", "$((1 + 2))"]]),
            ("a \"\" b", &[&["a", "", "b"]]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), *expected, "{text}");
        }
    }

    #[test]
    fn variables_belong_to_the_command_they_stand_before() {
        let (commands, _) = commands("export A=1\nB=2 run x\nrun y");
        let env: Vec<Vec<(&str, &str)>> = commands
            .iter()
            .map(|c| c.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect())
            .collect();
        assert_eq!(env, [vec![("A", "1"), ("B", "2")], vec![("A", "1")]]);
    }

    #[test]
    fn an_open_quote_is_told() {
        assert_eq!(commands("a 'b c").1, Some(2));
        assert_eq!(commands("a 'b c'").1, None);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in any::<String>()) {
            let _ = commands(&text);
        }
    }
}
