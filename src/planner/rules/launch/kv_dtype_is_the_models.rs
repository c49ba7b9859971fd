//! KV types that the model decides.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS, BEFORE_HOOKS, HOOKS, MODEL_HOOK};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Some models decide the KV type that `auto` stands for, by GPU or always.
    ///
    /// DeepSeek-V4 keeps fp8_e4m3. Sparse attention takes bfloat16 on Hopper and fp8_e4m3 on
    /// Blackwell, and knows bf16 as bfloat16. A pair of two kinds of GPU then differs.
    "kv-dtype-is-the-models", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(MODEL_HOOK, "handle_model_specific_adjustments", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dtype:bf16&d=tp8.dtype:bf16",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.gpu:H100&d=tp8.gpu:H100",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let asked = start.server.kv_cache_dtype.as_str();
    let kept = match (start.family(), asked, start.generation()) {
        (Some(Family::V4), "auto", _) => "fp8_e4m3",
        (Some(Family::Dsa), "bf16", _) => "bfloat16",
        (Some(Family::Dsa), "auto", Some(10..)) => "fp8_e4m3",
        (Some(Family::Dsa), "auto", Some(_)) => "bfloat16",
        _ => return Judgement::Holds,
    };
    Judgement::Sets(Change {
        message: format!("KV type {asked} becomes {kept}."),
        values: vec![("kvCacheDtype", kept.into())],
    })
}
