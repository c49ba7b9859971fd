//! With more decode ranks than KV heads, each rank's head is found only in newer releases.

use super::{MOONCAKE, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// With more decode ranks than KV heads, each rank's head is found only in newer releases.
    ///
    /// Several decode ranks then hold the same head. Before Mooncake 0.5.16, NIXL 0.5.17 and MoRI
    /// 0.5.21 the source of a rank's head is counted as if each had its own: ranks get another's, or
    /// numbers of heads become zero, or descriptors reach beyond the buffer.
    "more-decode-ranks-than-heads", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_21), None,
    seen: SILENT,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache_slice")],
    breaks: "sgl=0.5.15&model=Qwen3-235B-A22B&p=tp2&d=tp8", holds: "sgl=0.5.16&model=Qwen3-235B-A22B&p=tp2&d=tp8",
    Transfer(edits)
}
