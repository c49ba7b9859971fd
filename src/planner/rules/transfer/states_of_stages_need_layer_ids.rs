//! States of prefill stages are found on decode by layer ids.

use super::{MOONCAKE, WORKER, edits};
use crate::planner::release::Range;
use crate::planner::rules::rule;

rule! {
    /// States of prefill stages are found on decode by layer ids.
    ///
    /// A decode without stages holds the states of all layers in one list. Without ids, or before
    /// releases that use them, a stage's states are not found, or written over the first layers.
    "states-of-stages-need-layer-ids", Transfer Hangs in Range::ALL, Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.16&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=gdn,layers=8&p=tp4.pp2&d=tp4", holds: "sgl=0.5.19&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=gdn,layers=8&p=tp4.pp2&d=tp4",
    Transfer(edits)
}
