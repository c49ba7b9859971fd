//! In 0.5.15 and 0.5.16 Ascend cannot move states beside latents.

use super::{ASCEND, WORKER, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// In 0.5.15 and 0.5.16 Ascend cannot move states beside latents.
    ///
    /// Its own method takes one argument less than the one that it stands for.
    "ascend-0-5-15-sends-no-states", Transfer Hangs in Range::between(Release::V0_5_15, Release::V0_5_17), Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(ASCEND, "AscendKVManager.send_kvcache")],
    breaks: "sgl=0.5.16&model=DeepSeek-V3.2&p=tp8.gpu:H100.via:ascend&d=tp8.gpu:H100.via:ascend", holds: "sgl=0.5.18&model=DeepSeek-V3.2&p=tp8.gpu:H100.via:ascend&d=tp8.gpu:H100.via:ascend",
    Transfer(edits)
}
