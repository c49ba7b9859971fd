//! Up to 0.5.18 MoRI moves nothing between two servers with pipeline stages.

use super::{MORI, ROOM, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.18 MoRI moves nothing between two servers with pipeline stages.
    ///
    /// A later stage looks for its layers in decode's own list by their number in the whole model,
    /// which lies beyond that list's end.
    "mori-needs-pp-1-up-to-0-5-18", Transfer Fails in Range::between(Release::V0_5_10, Release::V0_5_19), Some("RuntimeError"),
    seen: ROOM,
    evidence: Executed, sources: [(MORI, "MoriKVManager.send_kvcache")],
    breaks: "sgl=0.5.18&model=Qwen3-8B&p=tp4.pp2.via:mori&d=tp4.pp2.via:mori", holds: "sgl=0.5.19&model=Qwen3-8B&p=tp4.pp2.via:mori&d=tp4.pp2.via:mori",
    Transfer(edits)
}
