//! MoRI does not know block scales, request rows or tails of DSA.

use super::{MORI, ROOM, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// MoRI does not know block scales, request rows or tails of DSA.
    ///
    /// Its list of states ends before those that later models brought.
    "mori-knows-few-states", Transfer Fails in Range::since(Release::V0_5_19), Some("RuntimeError"),
    seen: ROOM,
    evidence: Executed, sources: [(MORI, "MoriKVManager.send_state")],
    breaks: "sgl=0.5.21&model=Llama-3.1-70B&p=tp4.via:mori.dtype:mxfp8&d=tp4.via:mori.dtype:mxfp8", holds: "sgl=0.5.21&model=Llama-3.1-70B&p=tp4.dtype:mxfp8&d=tp4.dtype:mxfp8",
    Transfer(edits)
}
