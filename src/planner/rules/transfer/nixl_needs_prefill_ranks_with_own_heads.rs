//! NIXL cannot fan out from prefill ranks that share their KV heads.

use super::{BOOTSTRAP, NIXL, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// NIXL cannot fan out from prefill ranks that share their KV heads.
    ///
    /// With fewer heads than prefill ranks, and more decode ranks still, the number of destinations of
    /// a source page comes out as zero.
    "nixl-needs-prefill-ranks-with-own-heads", Transfer Hangs in Range::since(Release::V0_5_17), Some("AssertionError"),
    seen: BOOTSTRAP,
    evidence: Executed, sources: [(NIXL, "NixlKVManager._add_remote_peer")],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.via:nixl&d=tp16.n2.via:nixl", holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.via:nixl&d=tp8.via:nixl",
    Transfer(edits)
}
