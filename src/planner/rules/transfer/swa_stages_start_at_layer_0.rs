//! Prefill stages of a model with sliding windows need as many decode stages.

use super::{SILENT, edits};
use crate::planner::release::Range;
use crate::planner::rules::{CONN, rule};

rule! {
    /// Prefill stages of a model with sliding windows need as many decode stages.
    ///
    /// The pool of a model with sliding windows says on every stage that its first layer is 0. Against
    /// a decode without stages every stage then writes the first layers; NIXL and newer MoRI notice and
    /// raise.
    "swa-stages-start-at-layer-0", Transfer Corrupts in Range::ALL, None,
    seen: SILENT,
    evidence: Executed, sources: [(CONN, "CommonKVManager.get_mha_kv_ptrs_with_pp")],
    breaks: "sgl=0.5.23&model=gpt-oss-120b&p=tp2.pp2.gpu:H100&d=tp2.gpu:H100", holds: "sgl=0.5.23&model=gpt-oss-120b&p=tp2.gpu:H100&d=tp2.gpu:H100",
    Transfer(edits)
}
