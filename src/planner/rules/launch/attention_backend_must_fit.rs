//! Attention backends, GPUs and KV types.

use super::super::sizes::{ATTENTION_HOOK, BEFORE_HOOKS, HOOKS, OVERRIDES, SERVER_ARGS, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Size;

rule! {
    /// An attention backend must exist for the GPU and take the KV type.
    ///
    /// TRT-LLM's and CuteDSL's MLA run on Blackwell and take few types: the word bfloat16, for
    /// one, is refused where bf16 is taken. mxfp8 needs Blackwell, and nvfp4 backends that write
    /// it, which PD cannot transfer.
    "attention-backend-must-fit", Launch Rejects in Range::since(Release::V0_5_15), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [
        (OVERRIDES, "_mla_kv_cache_dtype_checks"),
        (ATTENTION_HOOK, "handle_attention_backend_compatibility", HOOKS),
        (SERVER_ARGS, "ServerArgs._handle_attention_backend_compatibility", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.gpu:B200.dtype:fp8_e5m2&d=tp8", holds: "sgl=0.5.23&p=tp8.gpu:B200.dtype:fp8_e4m3&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let Some(generation) = start.generation() else { return Judgement::Holds };
    let Some(error) = misfit(start, generation) else { return Judgement::Holds };
    let dtype = &start.server.kv_cache_dtype;
    let options = ["--attention-backend", "--prefill-attention-backend", "--decode-attention-backend"];
    let mut fixes = vec![start.set("kvCacheDtype", "auto")];
    if options.iter().any(|option| start.has(option)) {
        fixes.insert(0, start.without(&options));
    }
    start.refuses(
        format!("The attention backend, KV type {dtype} and this GPU do not fit."),
        error,
        &["kvCacheDtype", "extra", "gpu"],
        fixes,
    )
}

fn misfit(start: &Startup<'_>, generation: u8) -> Option<String> {
    let [common, prefill, decode] = start.attention_backends();
    let release = start.release;
    let dtype = start.server.kv_cache_dtype.as_str();
    let (hopper, blackwell) = (generation == 9, generation >= 10);
    let is = |backend| common == Some(backend) || decode == Some(backend);
    let fp4 = if release < Release::V0_5_21 { "fp4_e2m1" } else { "bf16" };
    let other = start.chosen_backend().filter(|backend| !["flashinfer", "trtllm_mha"].contains(backend));
    if let Some(other) = other.filter(|_| dtype == "nvfp4" && release >= Release::V0_5_21) {
        return Some(format!(
            "NVFP4 prefill supports an FP8 E4M3 workspace or native NVFP4, but backend '{other}' provides neither."
        ));
    }
    let text = if is("trtllm_mla") && !blackwell {
        "TRTLLM MLA backend is only supported on Blackwell GPUs (SM100/SM12x). Please use a different backend."
    } else if is("trtllm_mla") && !["fp8_e4m3", fp4, "bf16", "auto"].contains(&dtype) {
        let list = if release < Release::V0_5_21 { "fp8_e4m3, fp4_e2m1" } else { "fp8_e4m3" };
        return Some(format!("TensorRT-LLM MLA backend only supports kv-cache-dtype of {list}, bf16, or auto."));
    } else if is("cutedsl_mla") && !blackwell {
        "CuteDSL MLA backend is only supported on Blackwell GPUs (SM100). Please use a different backend."
    } else if is("cutedsl_mla") && !["fp8_e4m3", "bf16", "bfloat16", "auto"].contains(&dtype) {
        "CuteDSL MLA backend only supports kv-cache-dtype of fp8_e4m3, bf16, or auto."
    } else if prefill == Some("trtllm_mha") && !blackwell && release < Release::V0_5_19 {
        "TRTLLM MHA backend for prefill is only supported on Blackwell GPUs (SM100). Please use a different prefill backend."
    } else if prefill == Some("trtllm_mha") && !blackwell && !hopper {
        "TRTLLM MHA backend for prefill requires Hopper (SM90), Blackwell (SM100), or SM120 GPUs. Please use a different \
         prefill backend."
    } else if decode == Some("trtllm_mha") && !blackwell && !hopper {
        "TRTLLM MHA backend for decode is only supported on Hopper (SM90), Blackwell (SM100) and (SM120) GPUs. Please use \
         a different decode backend."
    } else if prefill == Some("trtllm_mha") && !blackwell && start.server.attention_cp > Size::ONE {
        "Prefill context parallelism with the TRTLLM MHA prefill backend requires SM100 (trtllm-gen context kernel): the \
         SM90/SM120 fmha_v2 prefill path does not implement CP shard masking."
    } else if dtype == "mxfp8" && !blackwell {
        "--kv-cache-dtype mxfp8 requires an SM100+ (Blackwell) GPU for the block-scaled operands used by the FA4 MXFP8 \
         attention path."
    } else if dtype == "nvfp4"
        && blackwell
        && release >= Release::V0_5_20
        && start.mode.is_some()
        && [prefill, decode].contains(&Some("trtllm_mha"))
    {
        "SM100 native NVFP4 with trtllm_mha does not yet support PD disaggregation because its physical block-scale \
         layout is not implemented by the KV transfer path."
    } else {
        return None;
    };
    Some(text.to_owned())
}
