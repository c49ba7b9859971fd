//! DeepSeek-V4 prefill CP and DP.

use super::super::sizes::{DEEPSEEK_V4, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::{Family, Startup};
use crate::planner::value::Size;

rule! {
    /// DeepSeek-V4 prefill CP excludes attention DP and replicas.
    ///
    /// Context parallelism takes all of TP for this model.
    "v4-prefill-cp-excludes-dp", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_V4, "validate_deepseek_v4_cp")],
    breaks: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.dp2.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let alone = server.attention_dp.max(server.replicas) == Size::ONE;
    if alone || !server.enable_prefill_cp || start.family() != Some(Family::V4) {
        return Judgement::Holds;
    }
    start.refuses(
        "With prefill CP there is no DP for DeepSeek-V4.",
        "For round-robin split mode, dp attention is not supported.",
        &["attentionDp", "replicas", "enablePrefillCp"],
        vec![start.set("enablePrefillCp", false)],
    )
}
