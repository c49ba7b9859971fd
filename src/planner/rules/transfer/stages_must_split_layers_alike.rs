//! Stages on both sides must hold the same layers.

use super::{MOONCAKE, WORKER, edits};
use crate::planner::release::Range;
use crate::planner::rules::rule;

rule! {
    /// Stages on both sides must hold the same layers.
    ///
    /// With as many stages on both sides each prefill stage sends to the decode stage of its number,
    /// and looks for its layers in that stage's list. SGLANG_PP_LAYER_PARTITION can split them
    /// differently; then entries are missing.
    "stages-must-split-layers-alike", Transfer Hangs in Range::ALL, Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache")],
    breaks: "sgl=0.5.23&model=Qwen3-8B&p=tp4.pp2.env:SGLANG_PP_LAYER_PARTITION=20%2C16&d=tp4.pp2", holds: "sgl=0.5.23&model=Qwen3-8B&p=tp4.pp2&d=tp4.pp2",
    Transfer(edits)
}
