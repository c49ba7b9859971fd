//! A plan as launch commands: one a node, and the router's.
//!
//! Only what differs from a release's defaults is printed, in that release's spelling.
//! Addresses are placeholders in capitals. What was carried through comes back out.

use crate::planner::catalog::ModelName;
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::value::{Size, Value};
use serde::Serialize;

/// The commands that launch a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Commands {
    /// One for each node of the prefill server.
    pub prefill: Vec<String>,
    /// One for each node of the decode server.
    pub decode: Vec<String>,
    /// The router's.
    pub router: String,
}

/// The most nodes for which commands are printed one by one.
const MOST_NODES: u32 = 64;

/// The commands that launch a plan.
pub fn commands(plan: &Plan) -> Commands {
    Commands { prefill: side(plan, Role::Prefill), decode: side(plan, Role::Decode), router: router() }
}

fn router() -> String {
    lines(&[
        "python -m sglang_router.launch_router".to_owned(),
        "--pd-disaggregation".to_owned(),
        format!("--prefill http://{}:30000 8998", host(Role::Prefill)),
        format!("--decode http://{}:30000", host(Role::Decode)),
        "--host 0.0.0.0 --port 8000".to_owned(),
    ])
}

fn host(role: Role) -> &'static str {
    match role {
        Role::Prefill => "PREFILL_HOST",
        Role::Decode => "DECODE_HOST",
    }
}

fn side(plan: &Plan, role: Role) -> Vec<String> {
    let server = plan.server(role);
    let nodes = server.nodes.number();
    (0..nodes.min(MOST_NODES)).map(|node| node_command(plan, role, server, nodes, node)).collect()
}

fn node_command(plan: &Plan, role: Role, server: &Server, nodes: u32, node: u32) -> String {
    let release = plan.release_of(role);
    let mut parts: Vec<String> = server.env.iter().map(|(name, value)| format!("{name}={}", quote(value))).collect();
    let model = match &plan.model {
        ModelName::Named(name) => quote(name),
        ModelName::Described(_) => "MODEL_PATH".to_owned(),
    };
    parts.push("python -m sglang.launch_server".to_owned());
    parts.push(format!("--model-path {model}"));
    parts.push(format!("--disaggregation-mode {role}"));
    parts.extend(flags(server, release));
    if nodes > 1 {
        parts.push(format!("--nnodes {nodes} --node-rank {node} --dist-init-addr {}:5000", host(role)));
    }
    parts.push("--host 0.0.0.0 --port 30000".to_owned());
    if !server.extra.is_empty() {
        parts.push(server.extra.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "));
    }
    lines(&parts)
}

/// The flags of what differs from the defaults.
fn flags(server: &Server, release: Release) -> Vec<String> {
    let default = Server::default();
    let fields = Server::FIELDS.iter().filter(|field| field.name != "nodes");
    let differing = fields.filter(|field| (field.read)(server) != (field.read)(&default));
    differing
        .filter_map(|field| {
            let flag = field.flag(release).or_else(|| field.flags.first().map(|(_, flag)| *flag))?;
            Some(match ((field.read)(server), flag.split_once(" … ")) {
                (Value::Flag(true), _) => flag.to_owned(),
                // A word that looks like an option is a value only behind an equals sign.
                (Value::Text(text), _) if text.starts_with('-') => format!("{flag}={}", quote(&text)),
                (Value::Text(text), _) => format!("{flag} {}", quote(&text)),
                // One flag for the size, another for what it means.
                (value, Some((size, meaning))) => format!("{size} {} {meaning}", value.text()),
                (value, None) => format!("{flag} {}", value.text()),
            })
        })
        .collect()
}

/// Parts on lines of their own, continued.
fn lines(parts: &[String]) -> String {
    parts.join(" \\\n  ")
}

/// A word as a shell reads it back.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Whether a server has more nodes than commands are printed for.
pub fn is_cut(server: &Server) -> bool {
    server.nodes > Size::new(i64::from(MOST_NODES)).unwrap_or(Size::ONE)
}
