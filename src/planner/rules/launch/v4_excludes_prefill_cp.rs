//! DeepSeek-V4 and prefill CP, before 0.5.18.

use super::super::sizes::{WONT_START, SERVER_ARGS};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// DeepSeek-V4 refuses prefill context parallelism (0.5.15 to 0.5.17).
    ///
    /// The flag turns on two older ones for this model, and these exclude each other.
    "v4-excludes-prefill-cp", Launch Rejects in Range::between(Release::V0_5_15, Release::V0_5_18), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(SERVER_ARGS, "ServerArgs._handle_context_parallelism")],
    breaks: "sgl=0.5.17&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.18&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    // Asked for as sparse attention, the model gets the one flag only.
    let sparse = matches!(start.option("--attention-backend"), Some("dsa" | "nsa"));
    if sparse || !start.server.enable_prefill_cp || start.family() != Some(Family::V4) {
        return Judgement::Holds;
    }
    start.refuses(
        format!("SGLang {} cannot run DeepSeek-V4 with prefill context parallelism.", start.release),
        "--enable-prefill-context-parallel and --enable-nsa-prefill-context-parallel are mutually exclusive. Use \
         --enable-nsa-prefill-context-parallel for DeepSeek V3.2 (NSA) models and --enable-prefill-context-parallel for \
         MLA-based models (DeepSeek V3/R1, Kimi K2.5) or MHA/GQA-based models.",
        &["enablePrefillCp"],
        vec![start.set("enablePrefillCp", false)],
    )
}
