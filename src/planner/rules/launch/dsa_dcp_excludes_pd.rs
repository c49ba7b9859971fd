//! DCP of DSA models.

use super::super::sizes::{WONT_START};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Models with DeepSeek Sparse Attention cannot use DCP in PD.
    ///
    /// The index keys of sparse attention are not cut into DCP's stripes on transfer.
    "dsa-dcp-excludes-pd", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [("python/sglang/srt/arg_groups/model_overrides/deepseek_v2.py", "_dsa_dcp_overrides")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8&d=tp8.dcp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8&d=tp8.dcp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.mode.is_none() || start.widths.dcp == 1 || start.family() != Some(Family::Dsa) {
        return Judgement::Holds;
    }
    start.refuses(
        "This model has sparse attention: no DCP in PD.",
        "DSA DCP does not support PD disaggregation.",
        &["dcp"],
        vec![start.set("dcp", 1)],
    )
}
