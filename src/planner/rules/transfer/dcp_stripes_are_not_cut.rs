//! Decode DCP needs a backend that cuts the stripes.

use super::{MORI, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Decode DCP needs a backend that cuts the stripes.
    ///
    /// Each decode rank keeps every n-th token, and prefill has them all. Mooncake, NIXL and Ascend cut
    /// them since 0.5.17, MoRI since 0.5.22; before, whole pages are written where stripes belong.
    "dcp-stripes-are-not-cut", Transfer Corrupts in Range::between(Release::V0_5_15, Release::V0_5_22), None,
    seen: SILENT,
    evidence: Executed, sources: [(MORI, "MoriKVManager.send_kvcache")],
    breaks: "sgl=0.5.21&model=DeepSeek-V3&p=tp8.via:mori&d=tp8.dcp8.via:mori", holds: "sgl=0.5.22&model=DeepSeek-V3&p=tp8.via:mori&d=tp8.dcp8.via:mori",
    Transfer(edits)
}
