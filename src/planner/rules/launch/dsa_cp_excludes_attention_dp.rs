//! Interleaved DSA CP and DP, before 0.5.22.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, DEEPSEEK_OVERRIDES, HOOKS};
use crate::planner::startup::Family;
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Interleaved DSA prefill CP excludes attention DP and replicas (before 0.5.22).
    ///
    /// These releases give all of TP to context parallelism.
    "dsa-cp-excludes-attention-dp", Launch Rejects in Range::between(Release::V0_5_15, Release::V0_5_22), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_OVERRIDES, "_deepseek_family_overrides", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&model=DeepSeek-V3.2&p=tp8.dp2.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.22&model=DeepSeek-V3.2&p=tp8.dp2.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let is_dsa = start.family() == Some(Family::Dsa) && server.cp_strategy.as_deref() != Some("zigzag");
    if !is_dsa || !server.enable_prefill_cp || server.attention_dp.max(server.replicas) == Size::ONE {
        return Judgement::Holds;
    }
    let mut alone = start.set("attentionDp", 1);
    alone.edits.extend(start.set("replicas", 1).edits);
    start.refuses(
        "Interleaved DSA context parallelism takes all of TP: there is no DP beside it.",
        "interleave DSA CP does not support DP attention.",
        &["attentionDp", "replicas", "enablePrefillCp"],
        vec![alone, start.set("enablePrefillCp", false)],
    )
}
