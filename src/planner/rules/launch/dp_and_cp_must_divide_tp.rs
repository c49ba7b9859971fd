//! DP × CP and TP, before 0.5.22.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, PARALLEL_HOOK, SERVER_ARGS, WONT_START, does_not_divide, field};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule, set_size};

rule! {
    /// `--dp-size` times attention CP must divide TP (before 0.5.22).
    ///
    /// TP ranks are numbered by attention DP, then CP, then attention TP; the three multiply
    /// to TP. These releases take `--dp-size` for the check even when it means replicas.
    "dp-and-cp-must-divide-tp", Launch Rejects in Range::between(Release::V0_5_10, Release::V0_5_22),
    Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [
        (PARALLEL_HOOK, "handle_context_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_context_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&p=tp8.dp4.cp4&d=tp8", holds: "sgl=0.5.18&p=tp8.dp2.cp4&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (tp, cp) = (side.server.tp.number(), side.widths.attention_cp);
    let dp = side.widths.attention_dp.max(side.widths.replicas);
    if cp == 1 || tp.checked_rem(dp.saturating_mul(cp)) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("--dp-size {dp} × attention CP {cp} does not divide TP {tp}.");
    let error = "tp_size must be divisible by dp_size * attn_cp_size".to_owned();
    let fixes = set_size(format!("Set {} context parallel to 1", side.role), field(side, "attentionCp"), 1);
    let names = ["attentionDp", "replicas", "attentionCp", "tp"];
    Judgement::Breaks(does_not_divide(side, &names, message, error, fixes.into_iter().collect()))
}
