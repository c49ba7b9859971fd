//! Which format a pasted text has.

use super::flags::is_option;
use super::node::Node;
use super::{model_config, plan_text, python, recipe, sweep};
use crate::planner::value::words;
use std::rc::Rc;

words! {
    /// What a pasted text is.
    Format {
        /// Shell commands.
        Commands = "commands",
        /// Kubernetes objects and their kin: argument lists.
        Manifest = "manifest",
        /// A recipe of a launcher: srt-slurm, or sizes to try over a table of models.
        Recipe = "recipe",
        /// The file of SGLang's `--config`.
        Config = "config",
        /// Python's argument lists or keyword arguments.
        Python = "python",
        /// A plan as the planner writes it.
        Plan = "plan",
        /// A link to a plan.
        Link = "link",
        /// A model's `config.json`.
        Model = "model",
    }
}

/// What kind of text it is, before it is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// The address of a plan.
    Link,
    /// Shell.
    Shell,
    /// Python.
    Python,
    /// YAML or JSON.
    Yaml,
}

/// The syntax of a text, by its first line that says something.
pub fn syntax(text: &str) -> Syntax {
    if text.contains("#/plan?") {
        return Syntax::Link;
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let lines = || text.lines().map(str::trim);
    let says = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let Some(first) = lines().find(says) else { return Syntax::Shell };
    if is_yaml(first) {
        return Syntax::Yaml;
    }
    let is_python = lines().filter(says).take(200).any(python::is_python);
    if is_python && !text.contains("launch_server") { Syntax::Python } else { Syntax::Shell }
}

/// Whether a line begins YAML or JSON: a name and a colon, an item, a bracket, a document.
fn is_yaml(line: &str) -> bool {
    let name = line.strip_prefix("- ").unwrap_or(line).trim_matches(['"', '\'']);
    let is_name = |name: &str| {
        let name = name.trim_matches(['"', '\'']);
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-./<".contains(c))
    };
    let has_name = name.strip_suffix(':').or(name.split_once(": ").map(|(name, _)| name)).is_some_and(is_name);
    has_name || line.starts_with("- ") || line.starts_with("---") || line.starts_with(['{', '[', '%'])
}

/// The format of YAML documents: of the first that has one.
pub fn of_documents(documents: &[Rc<Node>]) -> Format {
    documents.iter().find_map(|document| of_document(document)).unwrap_or(Format::Manifest)
}

fn of_document(document: &Node) -> Option<Format> {
    if plan_text::is_plan(document) {
        Some(Format::Plan)
    } else if model_config::is_model_config(document) {
        Some(Format::Model)
    } else if recipe::is_recipe(document) || sweep::is_sweep(document) {
        Some(Format::Recipe)
    } else if document.at(&["apiVersion"]).is_some() {
        Some(Format::Manifest)
    } else if is_config(document)
        || [&["prefill"], &["decode"]].iter().any(|side| document.at(*side).is_some_and(|node| is_config(node)))
    {
        Some(Format::Config)
    } else {
        None
    }
}

/// Whether a mapping is one of options: at least half of its names are, and there is a size or a mode.
pub fn is_config(node: &Node) -> bool {
    let entries = node.entries();
    if node.at(&["command"]).or(node.at(&["args"])).is_some() {
        return false;
    }
    let options =
        entries.iter().filter(|(name, node)| name.len() > 1 && is_option(name) && node.text().is_some()).count();
    options > 0 && entries.len() <= options.saturating_mul(2)
}
