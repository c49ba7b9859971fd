//! Every prefill stage must hold a number of layers that divides the model's.

use super::{SILENT, edits};
use crate::planner::release::Range;
use crate::planner::rules::{CONN, rule};

rule! {
    /// Every prefill stage must hold a number of layers that divides the model's.
    ///
    /// Where decode has no pipeline stages, SGLang finds the values of a stage's layers behind a
    /// multiple of the stage's own layers: it takes a rest for a draft model's KV. Where the stage does
    /// not divide the layers there is no draft, and the values of all its layers are written over other
    /// layers.
    "stages-must-divide-the-layers", Transfer Corrupts in Range::ALL, None,
    seen: SILENT,
    evidence: Executed, sources: [(CONN, "CommonKVManager.get_mha_kv_ptrs_with_pp")],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp4&d=tp4", holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp2&d=tp4",
    Transfer(edits)
}
