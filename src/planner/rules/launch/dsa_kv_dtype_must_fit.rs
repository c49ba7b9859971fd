//! KV types of DSA.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, MODEL_HOOK};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Models with DeepSeek Sparse Attention keep KV as bfloat16 or fp8_e4m3.
    ///
    /// The kernels of sparse attention know these two types only.
    "dsa-kv-dtype-must-fit", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(MODEL_HOOK, "handle_model_specific_adjustments", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dtype:fp8_e5m2&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dtype:fp8_e4m3&d=tp8.dtype:fp8_e4m3",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let fits = ["auto", "bf16", "bfloat16", "fp8_e4m3"].contains(&start.server.kv_cache_dtype.as_str());
    if fits || start.family() != Some(Family::Dsa) {
        return Judgement::Holds;
    }
    start.refuses(
        format!("This model cannot keep KV as {}.", start.server.kv_cache_dtype),
        "DeepSeek DSA only supports bf16/bfloat16 or fp8_e4m3 kv_cache_dtype",
        &["kvCacheDtype"],
        vec![start.set("kvCacheDtype", "fp8_e4m3"), start.set("kvCacheDtype", "bfloat16")],
    )
}
