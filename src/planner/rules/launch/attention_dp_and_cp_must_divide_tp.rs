//! Attention DP × CP and TP, from 0.5.22.

use super::super::sizes::{PARALLEL_HOOK, WONT_START, does_not_divide, field};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule, set_size};

rule! {
    /// Attention DP times attention CP must divide TP.
    ///
    /// TP ranks are numbered by attention DP, then CP, then attention TP; the three multiply
    /// to TP.
    "attention-dp-and-cp-must-divide-tp", Launch Rejects in Range::since(Release::V0_5_22), Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [(PARALLEL_HOOK, "handle_context_parallelism")],
    breaks: "sgl=0.5.23&p=tp8.dp4.cp4&d=tp8", holds: "sgl=0.5.23&p=tp8.dp2.cp4&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (tp, dp, cp) = (side.server.tp.number(), side.widths.attention_dp, side.widths.attention_cp);
    if cp == 1 || tp.checked_rem(dp.saturating_mul(cp)) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("Attention DP {dp} × attention CP {cp} does not divide TP {tp}.");
    let error = "tp_size must be divisible by attn_dp_size * attn_cp_size".to_owned();
    let fixes = set_size(format!("Set {} context parallel to 1", side.role), field(side, "attentionCp"), 1);
    Judgement::Breaks(does_not_divide(side, &["attentionDp", "attentionCp", "tp"], message, error, fixes.into_iter().collect()))
}
