//! Shell text → the servers that it starts, also those inside a quoted `bash -c "…"`.

use super::environment::{assignment, is_read};
use super::expand::Variables;
use super::launch::arguments;
use super::shell::{Command, Word, commands};
use super::start::{Around, Gathered, Start};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How deep scripts may stand in scripts.
const MOST_DEPTH: u8 = 3;

/// Adds the servers that a script starts.
///
/// `line` is the line of the script's first line, `variables` are set before it, and `around` is
/// what the text says around it.
pub fn gather(text: &str, line: usize, variables: Variables, around: &Around, out: &mut Gathered) {
    script(text, line, variables, around, 0, out);
}

/// Whether a text may start a server.
pub fn mentions(text: &str) -> bool {
    text.contains("sglang") || text.contains("launch_server")
}

fn script(text: &str, line: usize, variables: Variables, around: &Around, depth: u8, out: &mut Gathered) {
    let is_kept = |words: &[Word]| words.iter().any(|word| mentions(&word.text));
    let open_quote = commands(text, line, variables, is_kept, &mut |command| {
        command_of(command, around, depth, out);
        if out.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(line) = open_quote {
        out.say(line, "a quote that begins here is not closed");
    }
}

/// Adds the server that a command starts, or those of the script in its words.
pub fn command_of(mut command: Command, around: &Around, depth: u8, out: &mut Gathered) {
    if out.is_full() {
        return;
    }
    match arguments(&command).map(<[Word]>::len) {
        Some(count) => {
            let arguments = command.words.split_off(command.words.len().saturating_sub(count));
            let before = command.words;
            let image = before.iter().find(|word| word.text.contains("sglang:"));
            // Those of `docker run -e` and `env`.
            let settings = before.iter().filter_map(|word| assignment(&word.text));
            let mut env: BTreeMap<String, String> =
                settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            env.extend(command.before.into_iter().filter(|(name, _)| is_read(name)));
            env.append(&mut command.env);
            out.add(Start {
                line: before.first().map_or(1, |word| word.line),
                arguments,
                around: Around {
                    image: image.map(|word| word.text.clone()).or(command.image).or(around.image.clone()),
                    ..around.clone()
                },
                env,
            });
        }
        None if depth < MOST_DEPTH => {
            let is_script = |word: &&Word| mentions(&word.text) && word.text.contains(char::is_whitespace);
            command.before.append(&mut command.env);
            for word in command.words.iter().filter(is_script) {
                script(&word.text, word.line, Variables::of(&command.before), around, depth.saturating_add(1), out);
            }
        }
        None => {}
    }
}

/// The words of a text, as a shell splits them, whatever its commands are.
pub fn words(text: &str, line: usize) -> Vec<Word> {
    let mut words = Vec::new();
    commands(text, line, Variables::default(), |_| true, &mut |command| {
        words.extend(command.words);
        ControlFlow::Continue(())
    });
    words
}
