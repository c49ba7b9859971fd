//! Up to 0.5.19 decode DCP and a draft model do not go together.

use super::{MOONCAKE, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.19 decode DCP and a draft model do not go together.
    ///
    /// Every decode rank must hold all tokens of the draft's KV, and gets every n-th like those of the
    /// model's latents. NIXL finds that sizes do not fit and raises when decode registers.
    "draft-tokens-are-striped", Transfer Corrupts in Range::between(Release::V0_5_17, Release::V0_5_20), None,
    seen: SILENT,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache_dcp")],
    breaks: "sgl=0.5.18&model=DeepSeek-V3&p=tp8.spec:EAGLE&d=tp8.dcp8.spec:EAGLE",
    holds: "sgl=0.5.20&model=DeepSeek-V3&p=tp8.spec:EAGLE&d=tp8.dcp8.spec:EAGLE",
    Transfer(edits)
}
