//! Recipes of sizes to try (`search-space`) over a table of models' flags (`base_flags`) → the
//! servers they start, one point of the space at a time.
//!
//! The words are put together as the launcher of those files does: sizes, the model's base flags,
//! those for expert parallelism, for speculation, for attention DP, then the side's block.

use super::flags;
use super::node::{Node, Shape, Style};
use super::recipe::Variant;
use super::shell::Word;
use super::start::{Around, Gathered, Hint, Start};
use super::{arithmetic, script};
use crate::planner::plan::Role;
use std::rc::Rc;

/// Whether a document belongs to such a recipe.
pub fn is_sweep(node: &Node) -> bool {
    let has = |name: &str| node.entries().iter().any(|(_, entry)| entry.at(&[name]).is_some());
    has("base_flags") || has("search-space")
}

/// The points of all search spaces, each with its configuration and its model's flags.
pub fn variants(documents: &[Rc<Node>]) -> Vec<Variant> {
    let entries = || documents.iter().flat_map(|document| document.entries());
    let mut all = Vec::new();
    for (name, config) in entries() {
        let points = config.at(&["search-space"]).map(|space| space.items()).unwrap_or_default();
        for (at, point) in points.iter().enumerate() {
            let model = config.text_at(&["model"]).unwrap_or_default();
            let last = model.rsplit('/').next().unwrap_or(model);
            let tables = || entries().filter(|(_, entry)| entry.at(&["base_flags"]).is_some());
            let table = tables().find(|(name, _)| name == last).or(tables().find(|(name, _)| name.starts_with(last)));
            let parts = [("config", Some(config)), ("point", Some(point)), ("flags", table.map(|(_, table)| table))];
            let parts = parts.into_iter().filter_map(|(name, part)| Some((name.to_owned(), Rc::clone(part?))));
            let node = Node { line: point.line, shape: Shape::Map(parts.collect()) };
            all.push((format!("{name}[{at}]"), Rc::new(node)));
        }
    }
    all.truncate(256);
    all
}

/// Adds the servers of one point.
pub fn servers(variant: &Node, out: &mut Gathered) {
    if variant.at(&["flags"]).is_none() {
        out.say(variant.line, "the table with this model's base_flags is not in the text; only the sizes were read");
    }
    for (name, role) in [("prefill", Role::Prefill), ("decode", Role::Decode)] {
        if let Some(sizes) = variant.at(&["point", name]) {
            let start = server(variant, sizes, role, out);
            out.add(start);
        }
    }
}

fn server(variant: &Node, sizes: &Node, role: Role, out: &mut Gathered) -> Start {
    let workers = sizes.number_at(&["num-worker"]).unwrap_or(1);
    let nodes = setting(sizes, if role == Role::Prefill { "PREFILL_NODES" } else { "DECODE_NODES" });
    Start {
        line: sizes.line,
        arguments: arguments(variant, sizes, role, out),
        around: Around {
            role: Some(Hint { role, from: format!("\"{role}\" of search-space"), sets_mode: true }),
            image: variant.text_at(&["config", "image"]).map(str::to_owned),
            nodes: nodes.and_then(|nodes| nodes.checked_div(workers)).filter(|nodes| *nodes > 0),
            ..Around::default()
        },
        ..Start::default()
    }
}

fn arguments(variant: &Node, sizes: &Node, role: Role, out: &mut Gathered) -> Vec<Word> {
    let dp = sizes.at(&["dp-attn"]).and_then(|node| node.truth()).unwrap_or(false);
    let ep = sizes.number_at(&["ep"]).is_some_and(|ep| ep > 1);
    let mut words = Vec::new();
    let mut set = |option: &str, node: Option<&Rc<Node>>| {
        if let Some((text, line)) = node.and_then(|node| Some((node.text()?, node.line))) {
            words.extend([Word::of(option, line), Word::of(text, line)]);
        }
    };
    set("--model-path", variant.at(&["config", "model"]));
    set("--tp-size", sizes.at(&["tp"]));
    set("--ep-size", sizes.at(&["ep"]).filter(|_| ep));
    set("--dp-size", sizes.at(&["tp"]).filter(|_| dp));
    let speculates = setting(variant, "DECODE_MTP_SIZE").is_some_and(|size| size > 0);
    for (name, is_on) in [("base_flags", true), ("ep_flags", ep), ("mtp_flags", speculates), ("dp_flags", dp)] {
        if let Some(node) = variant.at(&["flags", name]).filter(|_| is_on) {
            words.extend(script::words(node.text().unwrap_or_default(), node.line));
        }
    }
    if let Some(block) = variant.at(&["flags", role.word()]) {
        let kinds = if dp {
            ["dp", "dp"]
        } else if ep {
            ["ep_only", "no_dp"]
        } else {
            ["no_dp", "no_dp"]
        };
        let kind = kinds.iter().find_map(|kind| block.at(&[*kind]));
        let scalars = block.entries().iter().filter(|(_, node)| node.text().is_some());
        for (name, node) in scalars.chain(kind.map(|kind| kind.entries()).unwrap_or_default()) {
            block_flag(&mut words, name, node, sizes, role, out);
        }
    }
    words
}

/// One flag of a side's block: a range is a list of numbers, a product of names is computed.
fn block_flag(words: &mut Vec<Word>, name: &str, node: &Node, sizes: &Node, role: Role, out: &mut Gathered) {
    let text = node.text().unwrap_or_default();
    if let Some(option) = name.strip_suffix("_range") {
        let range = format!("$(seq {})", text.replacen('-', " ", 1));
        words.extend([Word::of(flags::option(option), node.line), Word::of(range, node.line)]);
    } else if text.contains(" * ") {
        let tp = |name: &str| {
            sizes.text_at(&["tp"]).filter(|_| name == format!("{role}_tp_size").to_uppercase()).map(str::to_owned)
        };
        let value = arithmetic::value(text, &tp);
        let unknown = if value.is_some() { Vec::new() } else { vec![text.to_owned()] };
        let text = value.map_or_else(|| text.to_owned(), |value| value.to_string());
        words.extend([Word::of(flags::option(name), node.line), Word { text, line: node.line, unknown }]);
    } else if text.contains(' ') {
        let numbers = text
            .split_whitespace()
            .map(|text| Rc::new(Node { line: node.line, shape: Shape::Scalar(text.to_owned(), Style::Plain) }));
        flags::add(words, name, &Node { line: node.line, shape: Shape::List(numbers.collect()) }, out);
    } else {
        flags::add(words, name, node, out);
    }
}

/// The number of a launcher's setting, anywhere below a node: `NAME=number`.
fn setting(node: &Node, name: &str) -> Option<u32> {
    let own = || node.text()?.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
    let inner =
        || node.items().iter().chain(node.entries().iter().map(|(_, node)| node)).find_map(|node| setting(node, name));
    own().or_else(inner)
}
