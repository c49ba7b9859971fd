//! KV types of DeepSeek-V4.

use super::super::sizes::{DEEPSEEK_V4, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::{Family, Startup};

rule! {
    /// DeepSeek-V4 keeps KV as fp8_e4m3 or bfloat16.
    ///
    /// The word `bf16`, which other models take, is refused too.
    "v4-kv-dtype-must-fit", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_V4, "apply_deepseek_v4_defaults")],
    breaks: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.dtype:bf16&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.dtype:fp8_e4m3&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let asked = start.server.kv_cache_dtype.as_str();
    if start.family() != Some(Family::V4) || ["auto", "fp8_e4m3", "bfloat16"].contains(&asked) {
        return Judgement::Holds;
    }
    start.refuses(
        format!("DeepSeek-V4 cannot keep KV as {asked}."),
        format!("{asked} is not supported for {}", start.architecture()),
        &["kvCacheDtype"],
        vec![start.set("kvCacheDtype", "auto")],
    )
}
