//! DeepSeek prefill CP with both kinds of DP, from 0.5.22.

use super::super::sizes::{DEEPSEEK_OVERRIDES, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Size;

rule! {
    /// DeepSeek's prefill CP runs attention DP or replicas, not both.
    ///
    /// There it takes replicas for attention DP, so a product of both would be neither.
    "deepseek-cp-excludes-both-kinds-of-dp", Launch Rejects in Range::since(Release::V0_5_22), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_OVERRIDES, "_deepseek_family_overrides")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dp2.rep2.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dp2.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let (dp, replicas) = (start.server.attention_dp, start.server.replicas);
    if start.family().is_none() || !start.server.enable_prefill_cp || dp == Size::ONE || replicas == Size::ONE {
        return Judgement::Holds;
    }
    start.refuses(
        format!("Attention DP {dp} and {replicas} replicas are asked for at once."),
        format!(
            "--dp-size {replicas} with --attn-dp-size {dp}: data-parallel replicas combined with attention data \
             parallelism are not supported."
        ),
        &["attentionDp", "replicas"],
        vec![start.set("replicas", 1), start.set("attentionDp", 1)],
    )
}
