//! DeepSeek-V3.2 and zigzag.

use super::super::sizes::{WONT_START, PARALLEL_HOOK};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// DeepSeek-V3.2 prefill CP needs the strategy interleave.
    ///
    /// From 0.5.20 on, zigzag is refused for this model.
    "v32-prefill-cp-needs-interleave", Launch Rejects in Range::since(Release::V0_5_20), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PARALLEL_HOOK, "handle_context_parallelism")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.cp8.prefillcp.cpstrategy:zigzag&d=tp8",
    holds: "sgl=0.5.19&model=DeepSeek-V3.2&p=tp8.cp8.prefillcp.cpstrategy:zigzag&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let is_v32 = start.architecture() == "DeepseekV32ForCausalLM";
    if !is_v32 || !server.enable_prefill_cp || server.cp_strategy.as_deref() != Some("zigzag") {
        return Judgement::Holds;
    }
    start.refuses(
        "DeepSeek-V3.2 cannot cut prompts in zigzag.",
        "DeepSeek V3.2 prefill CP does not support --cp-strategy zigzag; use interleave.",
        &["cpStrategy"],
        vec![start.set("cpStrategy", "interleave"), start.set("enablePrefillCp", false)],
    )
}
