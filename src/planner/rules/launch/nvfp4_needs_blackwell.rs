//! nvfp4 and GPUs.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, KV_CACHE_HOOK, SERVER_ARGS, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// The KV type nvfp4 needs Blackwell GPUs.
    ///
    /// Other GPUs have no instructions for its scales.
    "nvfp4-needs-blackwell", Launch Rejects in Range::since(Release::V0_5_16), Some("RuntimeError"),
    seen: WONT_START,
    evidence: Executed, sources: [(KV_CACHE_HOOK, "handle_kv4_compatibility", HOOKS), (SERVER_ARGS, "ServerArgs._handle_kv4_compatibility", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=Llama-3.1-70B&p=tp8.gpu:H100.dtype:nvfp4&d=tp8",
    holds: "sgl=0.5.23&model=Llama-3.1-70B&p=tp8.gpu:H100.dtype:fp8_e4m3&d=tp8.dtype:fp8_e4m3",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.server.kv_cache_dtype != "nvfp4" || start.generation().is_none_or(|generation| generation >= 10) {
        return Judgement::Holds;
    }
    start.refuses(
        "This GPU does not know nvfp4.",
        "--kv-cache-dtype=nvfp4 requires Blackwell SM100 or SM120. Use --kv-cache-dtype=fp4_mx_block16 for the \
         block-size-16 FP4 recipe.",
        &["kvCacheDtype", "gpu"],
        vec![start.set("kvCacheDtype", "auto")],
    )
}
