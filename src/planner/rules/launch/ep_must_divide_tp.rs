//! EP and TP, from 0.5.21.

use super::super::ep;
use super::super::sizes::WONT_START;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// EP times MoE DP must divide TP.
    ///
    /// Each expert's weights are cut over the ranks that EP and MoE DP leave.
    "ep-must-divide-tp", Launch Rejects in Range::since(Release::V0_5_21), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/runtime_context.py", "_validate_parallel")],
    breaks: "sgl=0.5.23&p=tp8.ep3&d=tp8", holds: "sgl=0.5.23&p=tp8.ep4&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    // With DCP, the widths are not compared until the groups are built.
    if start.widths.dcp > 1 {
        return Judgement::Holds;
    }
    ep::check(start, |[tp, ep, moe_dp, moe_tp]| {
        let product = ep::product(ep, moe_dp, moe_tp);
        format!(
            "parallel topology is inconsistent (set by override_permanently):\ntp_size == moe_ep_size * moe_dp_size * \
             moe_tp_size\n  {tp} != {ep} * {moe_dp} * {moe_tp} (= {product})"
        )
    })
}
