//! Attention CP and TP.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, PARALLEL_HOOK, SERVER_ARGS, WONT_START, does_not_divide, shrink};
use crate::planner::startup::Startup;
use crate::planner::release::Range;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// Attention CP must divide TP.
    ///
    /// Context-parallel groups are cut from the TP ranks, equally many each.
    "attention-cp-must-divide-tp", Launch Rejects in Range::ALL, Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [
        (PARALLEL_HOOK, "handle_context_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_context_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&p=tp8.cp3&d=tp8", holds: "sgl=0.5.18&p=tp8.cp4&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (tp, cp) = (side.server.tp.number(), side.widths.attention_cp);
    if tp.checked_rem(cp) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("Attention CP {cp} does not divide TP {tp}.");
    let error = "tp_size must be divisible by attn_cp_size".to_owned();
    Judgement::Breaks(does_not_divide(side, &["attentionCp", "tp"], message, error, shrink(side, "attentionCp", cp, tp)))
}
