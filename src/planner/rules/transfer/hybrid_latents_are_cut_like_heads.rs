//! Hybrid-MLA latents cross attention TP widths only with a backend that knows them.

use super::{MOONCAKE, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Hybrid-MLA latents cross attention TP widths only with a backend that knows them.
    ///
    /// A backend that takes the latents for heads cuts each into pieces and puts them together wrongly.
    /// Mooncake knows the pool since 0.5.16, NIXL since 0.5.17, MoRI since 0.5.19.
    "hybrid-latents-are-cut-like-heads", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_19), None,
    seen: SILENT,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache_slice")],
    breaks: "sgl=0.5.15&model=Kimi-Linear&p=tp4&d=tp2", holds: "sgl=0.5.17&model=Kimi-Linear&p=tp4&d=tp2",
    Transfer(edits)
}
