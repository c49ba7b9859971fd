//! Flags that a release does not have.

use super::super::sizes::WONT_START;
use crate::planner::command::options::{Found, find};
use crate::planner::plan::Server;
use crate::planner::record::{Field, Record};
use crate::planner::release::Range;
use crate::planner::report::{Edit, Fix};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Value;

rule! {
    /// A side can use only what its release has a flag for.
    ///
    /// SGLang's command line refuses a flag that it does not know, so a topology that needs a
    /// newer flag cannot be launched.
    "flag-must-exist-in-release", Launch Rejects in Range::ALL, Some("SystemExit"),
    seen: WONT_START,
    evidence: Read, sources: [("python/sglang/srt/server_args.py", "ServerArgs.add_cli_args")],
    breaks: "sgl=0.5.14&p=tp8&d=tp8.dcp8", holds: "sgl=0.5.17&p=tp8&d=tp8.dcp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let default = Server::default();
    let unknown: Vec<&Field<Server>> = Server::FIELDS
        .iter()
        .filter(|field| !field.flags.is_empty() && field.flag(start.release).is_none())
        .filter(|field| (field.read)(start.asked) != (field.read)(&default))
        .collect();
    let carried = foreign(start);
    if unknown.is_empty() && carried.is_empty() {
        return Judgement::Holds;
    }
    let own = unknown.iter().filter_map(|field| typed(field, start.asked));
    let others = start.flags.iter().filter(|(name, _)| carried.contains(name));
    let words = others.map(|(name, values)| [&[*name], values.as_slice()].concat().join(" "));
    let typed = own.chain(words).collect::<Vec<String>>().join(" ");
    let mut edits: Vec<Edit> =
        unknown.iter().map(|f| Edit { field: start.field(f.name), value: (f.read)(&default) }).collect();
    let mut fields: Vec<&str> = unknown.iter().map(|field| field.name).collect();
    if !carried.is_empty() {
        edits.extend(start.without(&carried).edits);
        fields.push("extra");
    }
    start.refuses(
        format!("SGLang {} has no {typed}.", start.release),
        format!("unrecognized arguments: {typed}"),
        &fields,
        vec![Fix { title: format!("Do without {typed}"), edits }],
    )
}

/// Carried options that other releases have. One that none has may belong to another program's
/// command line, and whoever pasted it was told.
fn foreign<'a>(start: &Startup<'a>) -> Vec<&'a str> {
    let elsewhere = |name: &&str| match find(start.release, name) {
        Found::Unknown { before, since } => before.is_some() || since.is_some(),
        Found::Exact(_) | Found::Prefix(_) | Found::Ambiguous(_) => false,
    };
    start.flags.iter().map(|(name, _)| *name).filter(elsewhere).collect()
}

/// The flag and its value as one would type them.
fn typed(field: &Field<Server>, server: &Server) -> Option<String> {
    let (_, flag) = field.flags.first()?;
    Some(match (field.read)(server) {
        Value::Number(number) => format!("{flag} {number}"),
        Value::Text(text) => format!("{flag} {text}"),
        Value::Absent | Value::Flag(_) | Value::List(_) | Value::Map(_) | Value::Numbers(_) => (*flag).to_owned(),
    })
}
