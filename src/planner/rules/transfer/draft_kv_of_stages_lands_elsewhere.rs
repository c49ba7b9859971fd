//! A draft model's KV travels from prefill stages only for latents.

use super::{SILENT, edits};
use crate::planner::release::Range;
use crate::planner::rules::{CONN, rule};

rule! {
    /// A draft model's KV travels from prefill stages only for latents.
    ///
    /// Keys and values of a stage are taken as halves of its list. With a draft behind them the halves
    /// mix keys, values and the draft.
    "draft-kv-of-stages-lands-elsewhere", Transfer Corrupts in Range::ALL, None,
    seen: SILENT,
    evidence: Executed, sources: [(CONN, "CommonKVManager.get_mha_kv_ptrs_with_pp")],
    breaks: "sgl=0.5.14&model=Llama-3.1-70B&p=tp4.pp2.spec:EAGLE&d=tp4.spec:EAGLE", holds: "sgl=0.5.14&model=Llama-3.1-70B&p=tp4.spec:EAGLE&d=tp4.spec:EAGLE",
    Transfer(edits)
}
