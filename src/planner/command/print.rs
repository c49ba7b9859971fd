//! A plan as launch commands: one a node, and the router's.
//!
//! Only what differs from a release's defaults is printed, in that release's spelling.
//! Addresses are placeholders in capitals. What was carried through comes back out.

use super::environment::is_name;
use super::legacy;
use crate::planner::catalog::ModelName;
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::{Field, Record};
use crate::planner::release::Release;
use crate::planner::startup::{self, Startup};
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
    let (launcher, words) = router_words(plan);
    let router = lines(String::new(), launcher, &words);
    Commands { prefill: side(plan, Role::Prefill), decode: side(plan, Role::Decode), router }
}

/// What starts the router, and its words, those that belong together in one. It reaches a server
/// at node 0, and learns prefill's bootstrap port here.
pub fn router_words(plan: &Plan) -> (&'static [&'static str], Vec<Vec<String>>) {
    let flags = Startup::of(plan, Role::Prefill, None).flags;
    let bootstrap = startup::value(&flags, "--disaggregation-bootstrap-port").unwrap_or("8998");
    let url = |role| format!("http://{}:{PORT}", host(role));
    let mut prefill = option("--prefill", &url(Role::Prefill));
    prefill.push(bootstrap.to_owned());
    let words = vec![
        vec!["--pd-disaggregation".to_owned()],
        prefill,
        option("--decode", &url(Role::Decode)),
        [option("--host", "0.0.0.0"), option("--port", "8000")].concat(),
    ];
    (&["python", "-m", "sglang_router.launch_router"], words)
}

/// Options that are printed with placeholders, or for each node.
pub const PLACEHOLDERS: &[&str] = &["--host", "--port", "--node-rank", "--dist-init-addr"];

/// The port at which every server listens.
const PORT: &str = "30000";

/// What stands for the address of a server's node 0.
fn host(role: Role) -> &'static str {
    match role {
        Role::Prefill => "PREFILL_HOST",
        Role::Decode => "DECODE_HOST",
    }
}

/// The nodes that commands are printed for.
pub fn nodes(server: &Server) -> std::ops::Range<u32> {
    0..server.nodes.number().min(MOST_NODES)
}

fn side(plan: &Plan, role: Role) -> Vec<String> {
    let release = plan.release_of(role);
    // Only a comment can tell that the sides run different releases; it is read back.
    let differs = plan.release_of(Role::Prefill) != plan.release_of(Role::Decode);
    let comment = if differs { format!("# {}\n", image(release)) } else { String::new() };
    let server = plan.server(role);
    let variables = variables(server).map(|(name, value)| format!("{name}={} {CONTINUED}", quote(value)));
    let start = comment + &variables.collect::<String>();
    nodes(server).map(|node| lines(start.clone(), LAUNCHER, &words(plan, role, node))).collect()
}

/// What starts a server.
pub const LAUNCHER: &[&str] = &["python", "-m", "sglang.launch_server"];

/// The image of a release.
pub fn image(release: Release) -> String {
    format!("lmsysorg/sglang:v{release}")
}

/// A server's variables. One whose name no shell takes cannot be set, and is left out.
pub fn variables(server: &Server) -> impl Iterator<Item = (&String, &String)> {
    server.env.iter().filter(|(name, _)| is_name(name))
}

/// The words behind the launcher that start a node of a side, those that belong together in one.
pub fn words(plan: &Plan, role: Role, node: u32) -> Vec<Vec<String>> {
    let server = plan.server(role);
    let model = match &plan.model {
        ModelName::Named(name) => name,
        ModelName::Described(_) => "MODEL_PATH",
    };
    let mut all = vec![option("--model-path", model), option("--disaggregation-mode", role.word())];
    all.extend(flags_of(server, plan.release_of(role)));
    if server.nodes > Size::ONE {
        let (nodes, address) = (server.nodes.to_string(), format!("{}:5000", host(role)));
        let options = [("--nnodes", nodes), ("--node-rank", node.to_string()), ("--dist-init-addr", address)];
        all.push(options.iter().flat_map(|(name, value)| option(name, value)).collect());
    }
    all.push([option("--host", "0.0.0.0"), option("--port", PORT)].concat());
    all.extend(Some(server.extra.clone()).filter(|extra| !extra.is_empty()));
    all
}

/// An option and its value. One that looks like an option is a value only behind an equals sign.
fn option(name: &str, value: &str) -> Vec<String> {
    if value.starts_with('-') && value.parse::<i64>().is_err() {
        return vec![format!("{name}={value}")];
    }
    vec![name.to_owned(), value.to_owned()]
}

/// The flags of what differs from the defaults. Where the release has none, the newest flag is
/// printed: SGLang then refuses what the plan asks for, and says so.
fn flags_of(server: &Server, release: Release) -> Vec<Vec<String>> {
    let fields = Server::FIELDS.iter().filter(|field| field.name != "nodes");
    let newest = |field| flag(server, field, release).or_else(|| flag(server, field, Release::NEWEST));
    fields.filter_map(newest).filter(|words| !words.is_empty()).collect()
}

/// The words of a release that set a server's field; none where it has its default or the
/// release has no flag for it, empty where another field's words set it as well.
pub fn flag(server: &Server, field: &Field<Server>, release: Release) -> Option<Vec<String>> {
    let value = (field.read)(server);
    if value == (field.read)(&Server::default()) {
        return None;
    }
    let Some(flag) = field.flag(release) else {
        // The option that turns context parallelism on names the strategy too.
        let is_named = field.name == "cpStrategy" && server.enable_prefill_cp;
        let is_cp = matches!(field.name, "enablePrefillCp" | "cpStrategy");
        let words = legacy::words(server, release).filter(|_| is_cp)?;
        return Some(if is_named { Vec::new() } else { words });
    };
    Some(match (value, flag.split_once(" … ")) {
        (Value::Flag(true), _) => vec![flag.to_owned()],
        (Value::Text(text), _) => option(flag, &text),
        // One flag for the size, another for what it means.
        (value, Some((size, meaning))) => vec![size.to_owned(), value.text(), meaning.to_owned()],
        (value, None) => vec![flag.to_owned(), value.text()],
    })
}

const CONTINUED: &str = "\\\n  ";

/// A command behind what stands before it, the words that belong together on lines of their own.
fn lines(mut start: String, launcher: &[&str], words: &[Vec<String>]) -> String {
    start.push_str(&launcher.join(" "));
    for words in words {
        start.push(' ');
        start.push_str(CONTINUED);
        start.push_str(&words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "));
    }
    start
}

/// A word as a shell reads it back.
pub fn quote(word: &str) -> String {
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
