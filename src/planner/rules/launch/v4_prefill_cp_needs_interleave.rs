//! DeepSeek-V4 and the strategies of prefill CP.

use super::super::sizes::{DEEPSEEK_V4, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::{Family, Startup};

rule! {
    /// DeepSeek-V4 prefill CP needs the strategy interleave.
    ///
    /// Zigzag runs on NPUs only. This check comes before that of a missing strategy.
    "v4-prefill-cp-needs-interleave", Launch Rejects in Range::since(Release::V0_5_15), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_V4, "validate_deepseek_v4_cp")],
    breaks: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.prefillcp&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let strategy = start.server.cp_strategy.as_deref();
    if start.family() != Some(Family::V4) || !start.server.enable_prefill_cp || strategy == Some("interleave") {
        return Judgement::Holds;
    }
    let got = strategy.unwrap_or("None");
    let error = match (start.release >= Release::V0_5_21, got) {
        (true, "zigzag") => {
            "DeepSeekV4 zigzag CP requires the NPU backend; CUDA/HIP backends reindex with interleave order.".to_owned()
        }
        (true, _) => format!("DeepSeekV4 only supports interleave/zigzag CP strategy, got {got}"),
        (false, _) => format!("DeepSeekV4 only supports interleave CP strategy, got {got}"),
    };
    start.refuses(
        "DeepSeek-V4 cuts prompts by interleave only.",
        error,
        &["cpStrategy", "enablePrefillCp"],
        vec![start.set("cpStrategy", "interleave"), start.set("enablePrefillCp", false)],
    )
}
