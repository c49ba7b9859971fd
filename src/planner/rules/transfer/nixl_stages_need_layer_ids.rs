//! NIXL pairs prefill stages with a decode without stages by layer ids alone.

use super::{BOOTSTRAP, NIXL, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// NIXL pairs prefill stages with a decode without stages by layer ids alone.
    ///
    /// Since 0.5.17 NIXL refuses lists of different lengths unless both sides register the layer of
    /// each entry, which only pools with linear attention do. Plain latents are paired without since
    /// 0.5.21. The error ends the prefill rank's bootstrap thread.
    "nixl-stages-need-layer-ids", Transfer Hangs in Range::since(Release::V0_5_15), Some("RuntimeError"),
    seen: BOOTSTRAP,
    evidence: Executed, sources: [(NIXL, "NixlKVManager._add_remote_peer")],
    breaks: "sgl=0.5.23&model=Qwen3-8B&p=tp4.pp2.via:nixl&d=tp4.via:nixl", holds: "sgl=0.5.23&model=Qwen3-8B&p=tp4.via:nixl&d=tp4.via:nixl",
    Transfer(edits)
}
