//! What a pasted command and the one that is printed for its plan have otherwise, option by option.
//!
//! An option goes by the name that the newest release puts first, so that two spellings of it
//! meet. Order does not count.

use super::environment::{assignment, is_secret};
use super::print::{self, quote};
use super::read::Reading;
use super::shell::Word;
use super::typed::{field_of, options};
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::value::{Size, words};
use serde::Serialize;

/// An option that one command has and the other has not, or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The side whose command it is.
    pub side: Role,
    /// The option with its values, or the variable, as it was pasted.
    pub pasted: Option<String>,
    /// As it is printed.
    pub printed: Option<String>,
    /// Why they differ.
    pub why: Why,
}

words! {
    /// Why a printed command has an option otherwise than the pasted one.
    Why {
        /// The value is SGLang's own, which needs no option.
        Default = "default",
        /// Each node has its own, or a placeholder stands for it.
        Placeholder = "placeholder",
        /// It is the same, spelled in full.
        Spelling = "spelling",
        /// It was understood as what other options print.
        Understood = "understood",
        /// A later one overrules it.
        Overruled = "overruled",
        /// The plan was changed after the paste.
        Edited = "edited",
        /// It is not kept: by its name it is a secret, or no plan has such a value.
        NotKept = "notKept",
    }
}

/// What differs between the commands that were read and those of `plan`, which may have been
/// changed since. Of a side of several commands, the first is looked at; a side of none has no
/// changes.
pub fn diff(reading: &Reading, plan: &Plan) -> Vec<Change> {
    reading.typed.iter().flat_map(|(side, typed)| of_side(*side, typed, reading, plan)).collect()
}

fn of_side(side: Role, typed: &[Word], reading: &Reading, plan: &Plan) -> Vec<Change> {
    let pasted = items(typed, reading.plan.release_of(side));
    let variables = print::variables(plan.server(side)).map(|(name, value)| format!("{name}={value}"));
    let words = variables.chain(print::words(plan, side, 0).concat()).map(|word| Word::of(word, 0));
    let mut printed = items(&words.collect::<Vec<_>>(), plan.release_of(side));
    let mut take = |is: &dyn Fn(&Item) -> bool| printed.iter().position(is).map(|at| printed.remove(at));
    let mut changes = Vec::new();
    for (at, item) in pasted.iter().enumerate() {
        if take(&|other| other.name == item.name && other.text == item.text).is_some() {
            continue;
        }
        let is_overruled = pasted.iter().skip(at).skip(1).any(|later| later.name == item.name);
        let other = if is_overruled { None } else { take(&|other| other.name == item.name) };
        let why = match &other {
            None if is_overruled => Why::Overruled,
            Some(other) if other.values == item.values => Why::Spelling,
            other => why(side, item, other.is_some(), reading, plan),
        };
        changes.push(Change { side, pasted: Some(item.shown()), printed: other.map(|other| other.text), why });
    }
    changes.extend(printed.into_iter().map(|item| {
        let why = why(side, &item, true, reading, plan);
        Change { side, pasted: None, printed: Some(item.text), why }
    }));
    changes
}

/// An option with its values, a variable, or a word that is neither.
struct Item {
    /// Empty for a word that is neither.
    name: String,
    values: Vec<String>,
    text: String,
}

impl Item {
    /// Its text, without a secret.
    fn shown(&self) -> String {
        if is_secret(&self.name) { format!("{}=…", self.name) } else { self.text.clone() }
    }
}

fn items(words: &[Word], release: Release) -> Vec<Item> {
    let count = words.iter().take_while(|word| assignment(&word.text).is_some()).count();
    let (variables, words) = words.split_at_checked(count).unwrap_or_default();
    let variables = variables.iter().filter_map(|word| assignment(&word.text)).map(|(name, value)| Item {
        name: name.to_owned(),
        values: vec![value.to_owned()],
        text: format!("{name}={}", quote(value)),
    });
    let options = options(words, release).map(|option| match option {
        Err(word) => Item { name: String::new(), values: vec![word.text.clone()], text: quote(&word.text) },
        Ok(typed) => {
            let words = [&typed.word].into_iter().chain(&typed.values).map(|word| quote(&word.text));
            Item {
                name: typed.argument.map_or(typed.name, |argument| argument.name).to_owned(),
                values: typed.texts().iter().map(|text| (*text).to_owned()).collect(),
                text: words.collect::<Vec<_>>().join(" "),
            }
        }
    });
    variables.chain(options).collect()
}

/// Why an item of one command is not in the other, or has another value there.
fn why(side: Role, item: &Item, is_printed: bool, reading: &Reading, plan: &Plan) -> Why {
    let (read, server) = (reading.plan.server(side), plan.server(side));
    let name = item.name.as_str();
    let name_of_field = if name == "--enable-dp-attention" { Some("attentionDp") } else { field_of(name) };
    let field = name_of_field.and_then(Server::field);
    let is_edited = match field {
        Some(field) => (field.read)(read) != (field.read)(server),
        None if name == "--model-path" => reading.plan.model != plan.model,
        None if name.starts_with('-') || name.is_empty() => read.extra != server.extra,
        None => read.env != server.env,
    };
    // What attention DP over one option means is another field.
    let moves = name == "--enable-dp-attention" || name == "--dp-size" && read.attention_dp != Size::ONE;
    let default = field.map(|field| (field.read)(&Server::default()).text());
    if print::PLACEHOLDERS.contains(&name) {
        Why::Placeholder
    } else if is_secret(name) {
        Why::NotKept
    } else if is_edited {
        Why::Edited
    } else if is_printed || moves || field.is_none() {
        Why::Understood
    } else if item.values.first() == default.as_ref() {
        Why::Default
    } else {
        Why::NotKept
    }
}
