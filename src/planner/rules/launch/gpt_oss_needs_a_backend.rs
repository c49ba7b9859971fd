//! Attention backends of gpt-oss.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, MODEL_HOOK, SERVER_ARGS, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// gpt-oss needs an attention backend that knows attention sinks.
    ///
    /// Of those for NVIDIA GPUs these are triton, trtllm_mha, fa3 and fa4; the default is one of
    /// them.
    "gpt-oss-needs-a-backend", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(MODEL_HOOK, "handle_model_specific_adjustments", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=gpt-oss-120b&p=tp8.gpu:H100.extra:--attention-backend,flashinfer&d=tp8",
    holds: "sgl=0.5.23&model=gpt-oss-120b&p=tp8.gpu:H100.extra:--attention-backend,fa3&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let [common, prefill, decode] = [0, 1, 2].map(|which| OPTIONS.get(which).and_then(|option| start.option(option)));
    let asked = common.or(prefill).or(decode).is_some();
    // The default is not there yet, for the side that none is asked for.
    let [prefill, decode] = [prefill, decode].map(|own| match own.or(common).unwrap_or("None") {
        "compressed" => "dsv4",
        backend => backend,
    });
    let fits = |backend| ["triton", "trtllm_mha", "fa3", "fa4"].contains(&backend);
    if !asked || start.architecture() != "GptOssForCausalLM" || fits(prefill) && fits(decode) {
        return Judgement::Holds;
    }
    start.refuses(
        format!("gpt-oss cannot run on {prefill} and {decode}."),
        format!(
            "GptOssForCausalLM requires one of ['triton', 'trtllm_mha', 'fa3', 'fa4', 'ascend', 'intel_amx', 'intel_xpu', \
             'aiter'] attention backend, but got the following backends\n- Prefill: {prefill}\n- Decode: {decode}"
        ),
        &["extra"],
        vec![start.without(OPTIONS)],
    )
}

const OPTIONS: &[&str] = &["--attention-backend", "--prefill-attention-backend", "--decode-attention-backend"];
