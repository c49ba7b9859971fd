//! In 0.5.10 NIXL moves linear-attention states between equal widths alone.

use super::{NIXL, ROOM, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// In 0.5.10 NIXL moves linear-attention states between equal widths alone.
    ///
    /// It raises where they would have to be cut; since 0.5.11 it cuts them.
    "mamba-needs-equal-attention-tp", Transfer Fails in Range::between(Release::V0_5_10, Release::V0_5_11), Some("RuntimeError"),
    seen: ROOM,
    evidence: Executed, sources: [(NIXL, "NixlKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.10&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=lightning,layers=8&p=tp4.via:nixl&d=tp8.via:nixl", holds: "sgl=0.5.11&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=lightning,layers=8&p=tp4.via:nixl&d=tp8.via:nixl",
    Transfer(edits)
}
