//! Up to 0.5.20 NIXL does not move block scales.

use super::{NIXL, ROOM, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.20 NIXL does not move block scales.
    ///
    /// An MXFP8 cache of heads has scales beside it, which NIXL's list of states lacks.
    "nixl-sends-block-scales-from-0-5-21", Transfer Fails in Range::between(Release::V0_5_19, Release::V0_5_21), Some("RuntimeError"),
    seen: ROOM,
    evidence: Executed, sources: [(NIXL, "NixlKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.20&model=Llama-3.1-70B&p=tp4.via:nixl.dtype:mxfp8&d=tp4.via:nixl.dtype:mxfp8", holds: "sgl=0.5.21&model=Llama-3.1-70B&p=tp4.via:nixl.dtype:mxfp8&d=tp4.via:nixl.dtype:mxfp8",
    Transfer(edits)
}
