//! srt-slurm recipes → the servers they start, one variant at a time.
//!
//! A recipe names each server's options under `backend.sglang_config`. One with a `base` has
//! variants: an `override_…` replaces parts of the base; a `zip_override_…` holds lists, and its
//! n-th variant takes the n-th of each. The launcher adds the mode and the model, so does this.

use super::flags;
use super::node::{Node, Shape};
use super::shell::Word;
use super::start::{Around, Gathered, Hint, Start};
use crate::planner::plan::Role;
use std::rc::Rc;

/// A variant of a recipe: its name and the recipe.
pub type Variant = (String, Rc<Node>);

/// Whether a document is a recipe.
pub fn is_recipe(node: &Node) -> bool {
    node.at(&["backend", "sglang_config"]).or(node.at(&["base", "backend", "sglang_config"])).is_some()
}

/// The variants of a recipe; one without a name where it has none.
pub fn variants(recipe: &Rc<Node>) -> Vec<Variant> {
    let Some(base) = recipe.at(&["base"]) else { return vec![(String::new(), Rc::clone(recipe))] };
    let mut all = Vec::new();
    for (name, change) in recipe.entries() {
        if name.starts_with("zip_override_") {
            let count = longest(change).min(256);
            all.extend((0..count).map(|at| (format!("{name}[{at}]"), change, Some(at))));
        } else if name.starts_with("override_") {
            all.push((name.clone(), change, None));
        }
    }
    if all.is_empty() {
        return vec![("base".to_owned(), Rc::clone(base))];
    }
    all.into_iter().map(|(name, change, at)| (name, changed(base, change, at))).collect()
}

/// The length of the longest list of a change.
fn longest(change: &Node) -> usize {
    let inner = change.entries().iter().map(|(_, node)| longest(node));
    inner.max().unwrap_or(1).max(change.items().len()).max(1)
}

/// A base with a change laid over it; of lists in the change, the node of that place.
fn changed(base: &Rc<Node>, change: &Rc<Node>, at: Option<usize>) -> Rc<Node> {
    let change = match (at, change.items()) {
        (Some(at), [first, ..]) => change.items().get(at).unwrap_or(first),
        _ => change,
    };
    let (Shape::Map(old), Shape::Map(new)) = (&base.shape, &change.shape) else {
        return match (at, &change.shape) {
            // Lists stand inside what the base does not have, too.
            (Some(_), Shape::Map(_)) => {
                changed(&Rc::new(Node { line: change.line, shape: Shape::Map(Vec::new()) }), change, at)
            }
            _ => Rc::clone(change),
        };
    };
    let mut all = old.clone();
    for (name, node) in new {
        match all.iter_mut().find(|(old, _)| old == name) {
            Some((_, old)) => *old = changed(old, node, at),
            None => all.push((name.clone(), changed(&Rc::new(Node::default()), node, at))),
        }
    }
    Rc::new(Node { line: base.line, shape: Shape::Map(all) })
}

/// Adds the servers of a recipe without variants, or of one variant.
pub fn servers(recipe: &Node, out: &mut Gathered) {
    let Some(config) = recipe.at(&["backend", "sglang_config"]) else { return };
    for (name, role) in [("prefill", Role::Prefill), ("decode", Role::Decode)] {
        if let Some(options) = config.at(&[name]) {
            let start = server(recipe, options, role, out);
            out.add(start);
        }
    }
    for (name, node) in config.entries().iter().filter(|(name, _)| !matches!(name.as_str(), "prefill" | "decode")) {
        out.say(node.line, format!("{name} is neither the prefill nor the decode server; it was left out"));
    }
}

fn server(recipe: &Node, options: &Node, role: Role, out: &mut Gathered) -> Start {
    let mut arguments = flags::words(options, out);
    if !flags::has(&arguments, &["--model-path", "--model"]) {
        let model = options.at(&["served-model-name"]).or(options.at(&["served_model_name"]));
        if let Some(model) = model.or(recipe.at(&["model", "path"])) {
            let name = model.text().unwrap_or_default();
            arguments.extend([Word::of("--model-path", model.line), Word::of(name, model.line)]);
        }
    }
    let environment = recipe.at(&["backend", &format!("{role}_environment")]);
    let from = format!("\"{role}\" of sglang_config");
    Start {
        line: options.line,
        env: environment.map(|node| flags::variables(node).0).unwrap_or_default(),
        arguments,
        around: Around { role: Some(Hint { role, from, sets_mode: true }), ..resources(recipe, role) },
    }
}

/// The machines of one worker, and their GPUs.
fn resources(recipe: &Node, role: Role) -> Around {
    let number = |name: &str| recipe.number_at(&["resources", name]);
    let workers = number(&format!("{role}_workers")).unwrap_or(1);
    let nodes = number(&format!("{role}_nodes")).and_then(|nodes| nodes.checked_div(workers));
    Around {
        role: None,
        image: recipe.text_at(&["model", "container"]).map(str::to_owned),
        nodes: nodes.filter(|nodes| *nodes > 0),
        gpus_per_node: number("gpus_per_node"),
        gpu: recipe.text_at(&["resources", "gpu_type"]).map(str::to_owned),
    }
}
