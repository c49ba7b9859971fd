//! Attention DP and TP.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, PARALLEL_HOOK, SERVER_ARGS, WONT_START, does_not_divide, shrink};
use crate::planner::startup::Startup;
use crate::planner::release::Range;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// Attention DP must divide TP.
    ///
    /// Attention DP groups are cut from the TP ranks, equally many each. SGLang asserts it
    /// without a message, so the log ends in a bare `AssertionError`.
    "attention-dp-must-divide-tp", Launch Rejects in Range::ALL, Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [
        (PARALLEL_HOOK, "handle_data_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_data_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&p=tp8.dp3&d=tp8", holds: "sgl=0.5.18&p=tp8.dp4&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (tp, dp) = (side.server.tp.number(), side.widths.attention_dp);
    if tp.checked_rem(dp) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("Attention DP {dp} does not divide TP {tp}. SGLang's assert has no text.");
    Judgement::Breaks(does_not_divide(side, &["attentionDp", "tp"], message, String::new(), shrink(side, "attentionDp", dp, tp)))
}
