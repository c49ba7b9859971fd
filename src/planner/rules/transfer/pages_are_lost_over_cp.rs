//! Up to 0.5.13 CP ranks that share a transfer lose pages.

use super::{SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.13 CP ranks that share a transfer lose pages.
    ///
    /// Each CP rank sends the pages whose ids lie in its part of the range from the lowest id on. Where
    /// a request's pages do not stand in one run, some are sent by no rank.
    "pages-are-lost-over-cp", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_14), None,
    seen: SILENT,
    evidence: Executed, sources: [("python/sglang/srt/disaggregation/utils.py", "filter_kv_indices_for_cp_rank")],
    breaks: "sgl=0.5.13&model=DeepSeek-V3&p=tp8.cp2.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1&d=tp4.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1", holds: "sgl=0.5.14&model=DeepSeek-V3&p=tp8.cp2.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1&d=tp4.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1",
    Transfer(edits)
}
