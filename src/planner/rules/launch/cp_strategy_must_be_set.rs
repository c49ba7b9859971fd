//! Prefill CP without a strategy.

use super::super::sizes::{WONT_START, PARALLEL_HOOK, SERVER_ARGS, BEFORE_HOOKS, HOOKS};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Prefill context parallelism needs `--cp-strategy`.
    ///
    /// There are two ways to cut a prompt over ranks, zigzag and interleave, and no default.
    "cp-strategy-must-be-set", Launch Rejects in Range::since(Release::V0_5_14), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PARALLEL_HOOK, "handle_context_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_context_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.cp2.prefillcp&d=tp8",
    holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.cp2.prefillcp.cpstrategy:zigzag&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if !start.server.enable_prefill_cp || start.server.cp_strategy.is_some() {
        return Judgement::Holds;
    }
    start.refuses(
        "Prefill context parallelism is on, and no strategy is named.",
        "--cp-strategy must be set when --enable-prefill-cp is enabled.",
        &["cpStrategy", "enablePrefillCp"],
        vec![start.set("cpStrategy", "interleave"), start.set("cpStrategy", "zigzag"), start.set("enablePrefillCp", false)],
    )
}
