//! What every format becomes: the starts of servers, as words with their lines, variables, and
//! what the text says around them. Their options are read in one place, `launch.rs`.

use super::launch::{Launch, read as read_launch};
use super::shell::{Command, Word};
use crate::planner::link::Diagnostic;
use crate::planner::plan::Role;
use crate::planner::release::Release;
use crate::planner::value::Size;
use std::collections::BTreeMap;

/// How many starts are read. Two servers on 64 nodes each are half of them.
const MOST_STARTS: usize = 256;
/// How many words of all starts are read.
const MOST_WORDS: usize = 12_000;
/// How many words of one start are read.
const MOST_OF_ONE: usize = 2_000;
/// How many things are said of a text.
pub const MOST_SAID: usize = 500;

/// The start of a server as a text asks for it.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The variables set for it.
    pub env: BTreeMap<String, String>,
    /// The words after the launcher.
    pub arguments: Vec<Word>,
    /// What the text says around it.
    pub around: Around,
}

/// What a text says of a server around its arguments.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Which server it is.
    pub role: Option<Hint>,
    /// The image that runs it.
    pub image: Option<String>,
    /// The machines that it spans.
    pub nodes: Option<u32>,
    /// The GPUs that it has of each machine.
    pub gpus_per_node: Option<u32>,
    /// The kind of GPU.
    pub gpu: Option<String>,
}

/// Which server a text says something is, other than by `--disaggregation-mode`.
#[derive(Clone, Debug)]
pub struct Hint {
    /// The server.
    pub role: Role,
    /// What says so, in the text's words.
    pub from: String,
    /// Whether the format itself then starts the server in that mode.
    pub sets_mode: bool,
}

/// The role that a name speaks of.
pub fn role_named(name: &str) -> Option<Role> {
    let name = name.to_ascii_lowercase();
    match (name.contains("prefill"), name.contains("decode")) {
        (true, false) => Some(Role::Prefill),
        (false, true) => Some(Role::Decode),
        (true, true) | (false, false) => None,
    }
}

/// What a format's reader hands on.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The starts, in the order of the text.
    pub starts: Vec<Start>,
    /// What there is to say.
    pub said: Vec<Diagnostic>,
    words: usize,
}

impl Gathered {
    /// Says something about a line.
    pub fn say(&mut self, line: usize, message: impl Into<String>) {
        self.said.push(Diagnostic::at(line, message));
    }

    /// Whether no more starts are read.
    pub fn is_full(&self) -> bool {
        self.starts.len() >= MOST_STARTS || self.words >= MOST_WORDS
    }

    /// Adds a start; what is beyond the limits is left out, and said to be.
    pub fn add(&mut self, mut start: Start) {
        if self.is_full() {
            return;
        }
        let most = MOST_OF_ONE.min(MOST_WORDS.saturating_sub(self.words));
        if start.arguments.len() > most {
            self.say(
                start.line,
                format!("this command has {} words; the first {most} are read", start.arguments.len()),
            );
            start.arguments.truncate(most);
        }
        self.words = self.words.saturating_add(start.arguments.len());
        let line = start.line;
        self.starts.push(start);
        if self.is_full() {
            let text = format!("{MOST_STARTS} commands of {MOST_WORDS} words are read; what follows them was left out");
            self.say(line, text);
        }
    }
}

impl Start {
    /// Reads its options, and adds what the text says around them.
    pub fn read(&self, release: Release, said: &mut Vec<Diagnostic>) -> Launch {
        let command = Command { env: self.env.clone(), ..Command::default() };
        let mut own = Vec::new();
        let mut launch = read_launch(&command, &self.arguments, release, &mut own);
        own.truncate(MOST_SAID.saturating_sub(said.len()));
        self.place(&mut own);
        said.append(&mut own);
        self.around.add_to(&mut launch, self.line, said);
        launch
    }

    /// Its words, the variables before the arguments.
    pub fn words(&self) -> Vec<Word> {
        let variables = self.env.iter().map(|(name, value)| Word::of(format!("{name}={value}"), self.line));
        variables.chain(self.arguments.iter().cloned()).collect()
    }

    /// Gives what was said of words the lines of those words.
    fn place(&self, said: &mut [Diagnostic]) {
        let mut words = self.arguments.iter().peekable();
        for diagnostic in said {
            let is_it = |word: &&Word| word.text.contains(&diagnostic.place);
            // What is said follows the words in their order; what is said in the end does not.
            let mut ahead = words.clone();
            diagnostic.line = match ahead.find(is_it) {
                Some(word) => {
                    words = ahead;
                    Some(word.line)
                }
                None => Some(self.arguments.iter().find(is_it).map_or(self.line, |word| word.line)),
            };
        }
    }
}

impl Around {
    fn add_to(&self, launch: &mut Launch, line: usize, said: &mut Vec<Diagnostic>) {
        if let Some(hint) = &self.role {
            self.add_role(hint, launch, line, said);
        }
        let size = |number: Option<u32>| number.and_then(|number| Size::new(i64::from(number)));
        if let Some(nodes) = size(self.nodes).filter(|nodes| *nodes != launch.server.nodes) {
            if launch.server.nodes == Size::ONE {
                launch.server.nodes = nodes;
            } else {
                let flag = launch.server.nodes;
                said.push(Diagnostic::at(
                    line,
                    format!("--nnodes says {flag}, the text around it {nodes}; {flag} is used"),
                ));
            }
        }
        if let Some(gpus) = size(self.gpus_per_node) {
            launch.server.gpus_per_node = gpus;
        }
        if let Some(gpu) = &self.gpu {
            launch.server.gpu = Some(gpu.to_ascii_uppercase());
        }
    }

    fn add_role(&self, hint: &Hint, launch: &mut Launch, line: usize, said: &mut Vec<Diagnostic>) {
        let Hint { role, from, sets_mode } = hint;
        match launch.role {
            None => {
                launch.role = Some(*role);
                if !sets_mode {
                    let text = format!("no --disaggregation-mode is here; it was taken as {role} from {from}");
                    said.push(Diagnostic::at(line, text));
                }
            }
            Some(flag) if flag != *role => {
                let text = format!("--disaggregation-mode says {flag}, {from} says {role}; {flag} is used");
                said.push(Diagnostic::at(line, text));
            }
            Some(_) => {}
        }
    }
}
