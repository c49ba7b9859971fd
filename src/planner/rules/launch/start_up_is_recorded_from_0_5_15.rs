//! Start-up before 0.5.15.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS};
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, Judgement, rule};

rule! {
    /// Before 0.5.15 the planner knows a start-up only in part: sizes, flags and DCP.
    ///
    /// What these releases make of page sizes, KV types, context parallelism and backends when
    /// they start was not run. Their handshake was, and is judged in full.
    "start-up-is-recorded-from-0-5-15", Launch Notes in Range::between(Release::V0_5_10, Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Read, sources: [(SERVER_ARGS, "ServerArgs.__post_init__")],
    breaks: "sgl=0.5.14&p=tp8&d=tp8", holds: "sgl=0.5.15&p=tp8&d=tp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let message = format!("What SGLang {} makes of the other flags at start-up is unknown.", pair.decode.release);
    Judgement::Breaks(Break { side: Place::Both, message, error: None, fields: Vec::new(), fixes: Vec::new() })
}
