//! In 0.5.17 Ascend can move no whole pages.

use super::{ASCEND, WORKER, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// In 0.5.17 Ascend can move no whole pages.
    ///
    /// Mooncake's worker calls it with an argument that its own method does not take. Only heads that
    /// are cut go another way.
    "ascend-0-5-17-sends-no-pages", Transfer Hangs in Range::between(Release::V0_5_17, Release::V0_5_18), Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(ASCEND, "AscendKVManager.send_kvcache")],
    breaks: "sgl=0.5.17&model=DeepSeek-V3&p=tp8.via:ascend&d=tp8.via:ascend", holds: "sgl=0.5.18&model=DeepSeek-V3&p=tp8.via:ascend&d=tp8.via:ascend",
    Transfer(edits)
}
