//! NIXL cuts DCP stripes of every stage into decode's first layers.

use super::{NIXL, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// NIXL cuts DCP stripes of every stage into decode's first layers.
    ///
    /// For decode DCP, entries of plain latents are paired by their place in both lists, whichever
    /// stage they are of.
    "nixl-dcp-ignores-stages", Transfer Corrupts in Range::since(Release::V0_5_17), None,
    seen: SILENT,
    evidence: Executed, sources: [(NIXL, "NixlKVManager.send_kvcache")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.pp2.via:nixl&d=tp8.dcp8.via:nixl", holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.pp2&d=tp8.dcp8",
    Transfer(edits)
}
