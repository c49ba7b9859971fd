//! MoE DP and the other widths.

use super::super::sizes::{WONT_START, PARALLEL_HOOK, SERVER_ARGS, BEFORE_HOOKS, HOOKS};
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// MoE DP must divide TP, fit with EP and equal attention CP, and needs one stage.
    ///
    /// The ranks of a mixture of experts are numbered by MoE DP, then EP; with context
    /// parallelism they follow its groups.
    "moe-dp-must-fit", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PARALLEL_HOOK, "handle_context_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_context_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.cp2.moedp4&d=tp8",
    holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.cp2.moedp2&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let [tp, moe_dp, ep, cp, pp] =
        [server.tp, server.moe_dp, server.ep, server.attention_cp, server.pp].map(Size::number);
    let product = ep.saturating_mul(moe_dp);
    let error = if moe_dp == 1 {
        return Judgement::Holds;
    } else if tp.checked_rem(moe_dp) != Some(0) {
        "tp_size must be divisible by moe_dp_size"
    } else if product > tp {
        "ep_size * moe_dp_size must be less than or equal to tp_size"
    } else if pp > 1 {
        "PP is not supported with context parallelism"
    } else if ep > 1 && product != tp {
        "ep_size * moe_dp_size must be equal to tp_size"
    } else if cp != moe_dp {
        "attn_cp_size != moe_dp_size is only supported when moe_dp_size == 1"
    } else {
        return Judgement::Holds;
    };
    start.refuses(
        format!("MoE DP {moe_dp} does not fit TP {tp}, EP {ep}, attention CP {cp} and PP {pp}."),
        error,
        &["moeDp", "ep", "attentionCp", "tp", "pp"],
        vec![start.set("moeDp", 1)],
    )
}
