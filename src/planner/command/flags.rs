//! A mapping of option names to values → words, as launchers make them.
//!
//! Names may have dashes or underscores. A switch that is `true` stands alone; `false` and
//! nothing leave an option out; a list is several values; a mapping becomes JSON.

use super::node::{Node, Shape, Style};
use super::options::{Found, find};
use super::shell::Word;
use super::start::Gathered;
use crate::planner::release::Release;
use std::collections::BTreeMap;

/// The words of a mapping of options.
pub fn words(options: &Node, out: &mut Gathered) -> Vec<Word> {
    let mut words = Vec::new();
    for (name, node) in options.entries() {
        add(&mut words, name, node, out);
    }
    words
}

/// Adds one option.
pub fn add(words: &mut Vec<Word>, name: &str, node: &Node, out: &mut Gathered) {
    let option = option(name);
    let line = node.line;
    if node.is_null() {
        out.say(line, format!("{name} has no value; it was left out"));
        return;
    }
    match (&node.shape, node.truth()) {
        (_, Some(false)) => {}
        (_, Some(true)) => words.push(Word::of(option, line)),
        (Shape::Scalar(text, _), None) if text.starts_with('-') => {
            words.push(Word::of(format!("{option}={text}"), line))
        }
        (Shape::Scalar(text, _), None) => words.extend([Word::of(option, line), Word::of(text.as_str(), line)]),
        (Shape::List(items), None) => {
            words.push(Word::of(option, line));
            words.extend(items.iter().map(|item| Word::of(json_or_text(item), item.line)));
        }
        (Shape::Map(_), None) => words.extend([Word::of(option, line), Word::of(json(node), line)]),
    }
}

/// The option that a name stands for.
pub fn option(name: &str) -> String {
    format!("--{}", name.trim_start_matches('-').replace('_', "-"))
}

/// Whether some release has an option of that name.
pub fn is_option(name: &str) -> bool {
    match find(Release::NEWEST, &option(name)) {
        Found::Exact(_) | Found::Prefix(_) | Found::Ambiguous(_) => true,
        Found::Unknown { before, since } => before.or(since).is_some(),
    }
}

/// The words of a list of arguments.
pub fn list(items: &Node) -> Vec<Word> {
    items.items().iter().map(|item| Word::of(json_or_text(item), item.line)).collect()
}

/// Whether words set the option of one of these names.
pub fn has(words: &[Word], options: &[&str]) -> bool {
    words.iter().any(|word| options.contains(&word.text.split('=').next().unwrap_or_default()))
}

/// Variables: a mapping of names to values, a list of `NAME=value`, or Kubernetes' list of names
/// and values. Returns those whose value stands elsewhere as `elsewhere`.
pub fn variables(node: &Node) -> (BTreeMap<String, String>, Vec<(String, usize)>) {
    let (mut set, mut elsewhere) = (BTreeMap::new(), Vec::new());
    for (name, value) in node.entries() {
        set.insert(name.clone(), json_or_text(value));
    }
    for item in node.items() {
        match (item.text(), item.text_at(&["name"]), item.at(&["value"])) {
            (Some(setting), ..) => {
                let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
                set.insert(name.to_owned(), value.to_owned());
            }
            (None, Some(name), Some(value)) => {
                set.insert(name.to_owned(), json_or_text(value));
            }
            (None, Some(name), None) => elsewhere.push((name.to_owned(), item.line)),
            (None, None, _) => {}
        }
    }
    (set, elsewhere)
}

fn json_or_text(node: &Node) -> String {
    node.text().map_or_else(|| json(node), str::to_owned)
}

/// A node as JSON.
fn json(node: &Node) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    match &node.shape {
        Shape::Scalar(_, Style::Plain) if node.is_null() => "null".to_owned(),
        Shape::Scalar(text, Style::Plain) if is_number(text) => text.clone(),
        Shape::Scalar(text, _) => node.truth().map_or_else(|| quoted(text), |truth| truth.to_string()),
        Shape::List(items) => {
            let items: Vec<String> = items.iter().map(|item| json(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Shape::Map(entries) => {
            let entries = entries.iter().map(|(name, node)| format!("{}: {}", quoted(name), json(node)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}
