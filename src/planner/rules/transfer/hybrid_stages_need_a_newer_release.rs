//! Stages of a hybrid-MLA model travel only with a backend that knows its pool.

use super::{MOONCAKE, WORKER, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Stages of a hybrid-MLA model travel only with a backend that knows its pool.
    ///
    /// A backend that takes the latents for keys and values looks for halves of a list that has none.
    /// Mooncake knows the pool since 0.5.16, NIXL since 0.5.17, MoRI since 0.5.19, Ascend since 0.5.21.
    "hybrid-stages-need-a-newer-release", Transfer Hangs in Range::between(Release::V0_5_10, Release::V0_5_21), Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache")],
    breaks: "sgl=0.5.15&m=attention:hybridMla.layers:8.kvlayers:8.kvheads:32.states:.&p=tp4.pp2&d=tp4", holds: "sgl=0.5.17&m=attention:hybridMla.layers:8.kvlayers:8.kvheads:32.states:.&p=tp4.pp2&d=tp4",
    Transfer(edits)
}
