//! DeepSeek prefill CP and TP above 8.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, DEEPSEEK_OVERRIDES, HOOKS};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// DeepSeek's sparse-attention prefill CP needs TP 8 or less.
    ///
    /// SGLang knows of wrong results across machines and refuses.
    "deepseek-cp-needs-one-node", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [(DEEPSEEK_OVERRIDES, "_deepseek_family_overrides", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp16.n2.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let is_sparse = matches!(start.family(), Some(Family::Dsa | Family::V4));
    if !is_sparse || !server.enable_prefill_cp || server.tp.number() <= 8 {
        return Judgement::Holds;
    }
    start.refuses(
        format!("Prefill context parallelism is refused at TP {}.", server.tp),
        "Context parallel only supports single machine (tp_size <= 8). Cross-machine CP has precision issues.",
        &["tp", "enablePrefillCp"],
        vec![start.set("enablePrefillCp", false), start.set("tp", 8)],
    )
}
