//! From 0.5.13 to 0.5.16 NIXL writes every stage over decode's first layers.

use super::{NIXL, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// From 0.5.13 to 0.5.16 NIXL writes every stage over decode's first layers.
    ///
    /// Entries are paired by their place in both lists, and a stage's list begins with its own first
    /// layer. Only where heads are cut are stages looked at.
    "nixl-ignores-stages", Transfer Corrupts in Range::between(Release::V0_5_13, Release::V0_5_17), None,
    seen: SILENT,
    evidence: Executed, sources: [(NIXL, "NixlKVManager.send_kvcache")],
    breaks: "sgl=0.5.15&model=DeepSeek-V3&p=tp8.pp2.via:nixl&d=tp8.via:nixl", holds: "sgl=0.5.15&model=DeepSeek-V3&p=tp8.via:nixl&d=tp8.via:nixl",
    Transfer(edits)
}
