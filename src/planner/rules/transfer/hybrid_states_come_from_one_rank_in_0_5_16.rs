//! In 0.5.16 decode gets a hybrid-MLA model's states from one prefill rank only.

use super::{MOONCAKE, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// In 0.5.16 decode gets a hybrid-MLA model's states from one prefill rank only.
    ///
    /// Decode reads the latents whole from one of several prefill ranks, and that release lets the
    /// others send nothing at all, though each holds its own part of the linear-attention state.
    "hybrid-states-come-from-one-rank-in-0-5-16", Transfer Corrupts in Range::between(Release::V0_5_16, Release::V0_5_17), None,
    seen: SILENT,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.16&model=Kimi-Linear&p=tp4&d=tp2", holds: "sgl=0.5.17&model=Kimi-Linear&p=tp4&d=tp2",
    Transfer(edits)
}
