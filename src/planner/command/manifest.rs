//! Argument lists of Kubernetes objects, and of what resembles them → the servers they start.
//!
//! Any mapping with `command` or `args` is a container: those of Deployments, StatefulSets, Pods,
//! LeaderWorkerSets, RoleBasedGroups, OME's runtimes and inference services,
//! DynamoGraphDeployments and compose files are. What stands around it tells which server it is,
//! on how many machines, with how many GPUs. A text that holds a script, such as a ConfigMap's, is
//! read as one. Probes, mounts, services and routers are passed over.

use super::expand::Variables;
use super::flags;
use super::node::{Node, Shape, Style};
use super::script::{self, command_of, gather, mentions};
use super::shell::{Command, Word};
use super::start::{Around, Gathered, Hint, Start, role_named};
use crate::planner::plan::Role;
use std::collections::BTreeMap;

/// Where objects write on how many machines a server runs.
const NODES: &[&[&str]] = &[
    &["multinode", "nodeCount"],
    &["leaderWorkerTemplate", "size"],
    &["leaderWorkerPattern", "size"],
    &["leaderWorkerSet", "size"],
];

/// Where objects write what a component is, and whether its operator starts it as that.
const ROLES: &[(&[&str], bool)] = &[
    (&["subComponentType"], true),
    (&["type"], true),
    (&["role"], false),
    (&["metadata", "labels", "role"], false),
    (&["metadata", "name"], false),
    (&["name"], false),
    (&["container_name"], false),
];

/// The variables with which operators tell a pod the machines of its server.
const GROUP_SIZES: &[&str] = &["LWS_GROUP_SIZE", "RBG_LWP_GROUP_SIZE"];

/// Adds the servers that an object starts.
pub fn objects(node: &Node, around: &Around, out: &mut Gathered) {
    match &node.shape {
        Shape::Scalar(text, style) if mentions(text) && text.contains(char::is_whitespace) => {
            gather(text, first_line(node, *style), Variables::default(), around, out);
        }
        Shape::Scalar(..) => {}
        Shape::List(items) if items.iter().any(|item| item.text().is_some_and(|text| text.starts_with("--"))) => {
            command(flags::list(node), BTreeMap::new(), around, node.line, out);
        }
        Shape::List(items) => items.iter().for_each(|item| objects(item, around, out)),
        Shape::Map(entries) => {
            let around = within(node, around);
            if node.at(&["command"]).or(node.at(&["args"])).is_some() {
                container(node, &around, out);
            }
            for (name, inner) in entries.iter().filter(|(name, _)| !matches!(name.as_str(), "command" | "args")) {
                objects(inner, &under(name, node, &around), out);
            }
        }
    }
}

/// The line of the first line of a scalar's text.
fn first_line(node: &Node, style: Style) -> usize {
    node.line.saturating_add(usize::from(style == Style::Block))
}

/// What is around the parts of an object: what was around it, and what it says itself.
fn within(node: &Node, around: &Around) -> Around {
    let mut around = around.clone();
    let roles = ROLES.iter().find_map(|(path, sets_mode)| {
        let text = node.text_at(path)?;
        let role = role_named(text)?;
        Some(Hint { role, from: format!("\"{}: {text}\"", path.last()?), sets_mode: *sets_mode })
    });
    around.role = roles.or(around.role);
    around.nodes = NODES.iter().find_map(|path| node.number_at(path)).or(around.nodes);
    if let (Some(_), Some(workers)) = (node.at(&["leader"]), node.number_at(&["worker", "size"])) {
        around.nodes = Some(workers.saturating_add(1));
    }
    let limits = node.at(&["resources", "limits"]).or(node.at(&["resources", "requests"]));
    let gpus = limits.and_then(|limits| limits.entries().iter().find(|(name, _)| name.contains("gpu")));
    around.gpus_per_node = gpus.and_then(|(_, count)| count.text()?.parse().ok()).or(around.gpus_per_node);
    around.image = node.text_at(&["image"]).map(str::to_owned).or(around.image);
    around
}

/// What is around a part of an object: its name may say which server it is. OME calls the
/// prefill server the engine where there is a decoder.
fn under(name: &str, parent: &Node, around: &Around) -> Around {
    let has_decoder = || parent.at(&["decoderConfig"]).or(parent.at(&["decoder"])).is_some();
    let ome = match name {
        "engineConfig" | "engine" if has_decoder() => Some(Role::Prefill),
        "decoderConfig" | "decoder" => Some(Role::Decode),
        _ => None,
    };
    let hint =
        ome.or(role_named(name)).map(|role| Hint { role, from: format!("\"{name}\""), sets_mode: ome.is_some() });
    Around { role: hint.or(around.role.clone()), ..around.clone() }
}

fn container(node: &Node, around: &Around, out: &mut Gathered) {
    let mut env = BTreeMap::new();
    for variables in ["env", "environment", "envs"].iter().filter_map(|name| node.at(&[*name])) {
        let (set, elsewhere) = flags::variables(variables);
        env.extend(set);
        for (name, line) in elsewhere.iter().filter(|(name, _)| name.starts_with("SGLANG_") || name.starts_with("MC_"))
        {
            out.say(*line, format!("{name} is taken from elsewhere, so its value is not known here"));
        }
    }
    if let Some(from) = node.at(&["envFrom"]) {
        out.say(from.line, "envFrom sets variables that this text does not show; those that SGLang reads may matter");
    }
    let mut words = Vec::new();
    for part in ["command", "args"].iter().filter_map(|name| node.at(&[*name])) {
        match &part.shape {
            Shape::List(_) => words.extend(flags::list(part)),
            Shape::Scalar(text, style) => string(text, first_line(part, *style), &mut words),
            Shape::Map(_) => {}
        }
    }
    let known = known_to_pods(&env, around);
    let mut used = Vec::new();
    for word in &mut words {
        let mut unknown = Vec::new();
        word.text = substitute(&word.text, &known, &mut used, &mut unknown);
        // In a script, `$(…)` runs something.
        word.unknown = if word.text.contains(char::is_whitespace) { Vec::new() } else { unknown };
    }
    for value in env.values_mut() {
        *value = substitute(value, &known, &mut used, &mut Vec::new());
    }
    // Variables of which arguments are made are none of the server's own.
    env.retain(|name, _| !used.contains(name));
    command(words, env, around, node.line, out);
}

/// A command that is one text: the script of a shell, or words.
fn string(text: &str, line: usize, words: &mut Vec<Word>) {
    if words.last().is_some_and(|word| word.text.starts_with('-') && word.text.ends_with('c')) {
        words.push(Word::of(text, line));
        return;
    }
    words.extend(script::words(text, line));
}

/// The variables that a pod has: its own, and those with which operators tell it its group.
fn known_to_pods(env: &BTreeMap<String, String>, around: &Around) -> BTreeMap<String, String> {
    let mut known = env.clone();
    let nodes = around.nodes.unwrap_or(1);
    for name in GROUP_SIZES.iter().filter(|_| around.nodes.is_some()) {
        known.entry((*name).to_owned()).or_insert_with(|| nodes.to_string());
    }
    if let Some(gpus) = around.gpus_per_node {
        known.entry("PARALLELISM_SIZE".to_owned()).or_insert_with(|| gpus.saturating_mul(nodes).to_string());
    }
    known
}

/// Puts in what stands for `$(NAME)`, and notes the name among those `used`. A name that is not
/// known stays, as Kubernetes leaves it, and is noted as unknown; `$$` stands for `$`.
fn substitute(
    text: &str,
    known: &BTreeMap<String, String>,
    used: &mut Vec<String>,
    unknown: &mut Vec<String>,
) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        out.push_str(before);
        let name = after.strip_prefix('(').and_then(|inside| inside.split_once(')'));
        rest = match (after.strip_prefix('$'), name) {
            (Some(after), _) => {
                out.push('$');
                after
            }
            (None, Some((name, after))) => {
                match known.get(name).filter(|_| out.len() < super::read::MOST_BYTES) {
                    Some(value) => {
                        out.push_str(value);
                        used.push(name.to_owned());
                    }
                    None => {
                        out.push_str(&format!("$({name})"));
                        unknown.push(format!("$({name})"));
                    }
                }
                after
            }
            (None, None) => {
                out.push('$');
                after
            }
        };
    }
    out.push_str(rest);
    out
}

/// Adds the server of a container's words: behind a launcher, in a script, or bare.
fn command(words: Vec<Word>, env: BTreeMap<String, String>, around: &Around, line: usize, out: &mut Gathered) {
    let has_options = words.first().is_some_and(|word| word.text.starts_with("--"));
    let is_bare = has_options && flags::has(&words, &["--model-path", "--model", "--disaggregation-mode"]);
    if !is_bare {
        command_of(Command { env, words, ..Command::default() }, around, 0, out);
        return;
    }
    out.say(line, "no launcher stands before these arguments; they were taken as those of sglang.launch_server");
    out.add(Start { line, env, arguments: words, around: around.clone() });
}
