//! FP4 caches and attention backends.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, KV_CACHE_HOOK, SERVER_ARGS, WONT_START};
use crate::planner::catalog::Attention;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// An FP4 cache needs an attention backend that reads it.
    ///
    /// Hopper's default, fa3, is none, and neither is what most models default to elsewhere.
    "fp4-kv-needs-a-backend", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(KV_CACHE_HOOK, "handle_kv4_compatibility", HOOKS), (SERVER_ARGS, "ServerArgs._handle_kv4_compatibility", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=Llama-3.1-70B&p=tp8.gpu:H100.dtype:fp4_mx_block16&d=tp8",
    holds: "sgl=0.5.23&model=Llama-3.1-70B&p=tp8.gpu:H100.dtype:fp4_mx_block16.extra:--attention-backend,triton&d=tp8.dtype:fp4_mx_block16",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let dtype = start.server.kv_cache_dtype.as_str();
    let is_fp4 = if start.release < Release::V0_5_16 { dtype == "fp4_e2m1" } else { ["nvfp4", "fp4_mx_block16"].contains(&dtype) };
    let [Some(common), Some(prefill), Some(decode)] = start.attention_backends() else { return Judgement::Holds };
    let by_fa4 = prefill == "fa4";
    if !is_fp4 || prefill != decode && !by_fa4 {
        return Judgement::Holds;
    }
    let early: &[&str] = &["cutlass_mla", "flashinfer", "trtllm_mla", "flashmla"];
    let latent = match early {
        all if start.release < Release::V0_5_16 && !by_fa4 => all,
        [some @ .., _] if start.release < Release::V0_5_20 => some,
        _ => &["flashinfer", "trtllm_mla"],
    };
    let (kind, takes) = match (start.model.and_then(|model| model.attention), by_fa4) {
        (None, _) => return Judgement::Holds,
        (Some(Attention::Gqa), true) => ("MHA", &["triton", "torch_native", "flex_attention"] as &[&str]),
        (Some(Attention::Gqa), false) => ("MHA", &["triton", "torch_native", "flex_attention", "trtllm_mha"] as &[&str]),
        (Some(Attention::Mla | Attention::HybridMla), _) => ("MLA", latent),
    };
    let (fa4, which, backend) = if by_fa4 { ("FA4 ", "decode_", decode) } else { ("", "", common) };
    if takes.contains(&backend) {
        return Judgement::Holds;
    }
    let list = takes.join("', '");
    start.refuses(
        format!("The attention backend {backend} does not read {dtype}."),
        format!("KV4 {fa4}{kind} expects {which}attention_backend to be one of ['{list}'], but got {backend}"),
        &["kvCacheDtype", "extra"],
        vec![start.set("kvCacheDtype", "auto")],
    )
}
