//! Flags that a release does not have.

use super::super::sizes::{WONT_START, field};
use crate::planner::startup::Startup;
use crate::planner::plan::Server;
use crate::planner::record::{Field, Record};
use crate::planner::release::Range;
use crate::planner::report::{Edit, Fix};
use crate::planner::rules::{Break, Judgement, rule};
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

fn check(side: &Startup<'_>) -> Judgement {
    let default = Server::default();
    let unknown: Vec<&Field<Server>> = Server::FIELDS
        .iter()
        .filter(|field| !field.flags.is_empty() && field.flag(side.release).is_none())
        .filter(|field| (field.read)(side.asked) != (field.read)(&default))
        .collect();
    if unknown.is_empty() {
        return Judgement::Holds;
    }
    let typed: Vec<String> = unknown.iter().filter_map(|field| typed(field, side.asked)).collect();
    let edits = unknown.iter().map(|f| Edit { field: field(side, f.name), value: (f.read)(&default) }).collect();
    let typed = typed.join(" ");
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!("SGLang {} has no {typed}.", side.release),
        error: Some(format!("unrecognized arguments: {typed}")),
        fields: unknown.iter().map(|f| field(side, f.name)).collect(),
        fixes: vec![Fix { title: format!("Do without {typed}"), edits }],
    })
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
