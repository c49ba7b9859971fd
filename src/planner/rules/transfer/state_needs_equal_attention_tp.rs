//! This state needs the same attention TP width on both sides.

use super::{MOONCAKE, WORKER, edits};
use crate::planner::release::Range;
use crate::planner::rules::rule;

rule! {
    /// This state needs the same attention TP width on both sides.
    ///
    /// States of sliding windows, sparse indexes and scales are cut over attention TP by few backends:
    /// windows by Mooncake and NIXL since 0.5.22, DSA's index with heads by NIXL since 0.5.20. A
    /// latent's states are whole on every rank and travel.
    "state-needs-equal-attention-tp", Transfer Hangs in Range::ALL, Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.21&model=gpt-oss-120b&p=tp1.gpu:H100&d=tp4.gpu:H100", holds: "sgl=0.5.22&model=gpt-oss-120b&p=tp1.gpu:H100&d=tp4.gpu:H100",
    Transfer(edits)
}
