//! Page sizes that the attention backend decides.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS, BEFORE_HOOKS, OVERRIDES};
use crate::planner::catalog::Attention;
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Some attention backends take few page sizes; SGLang picks one of theirs.
    ///
    /// flashmla pages hold 64 tokens, cutlass_mla's 128; trtllm_mla and cutedsl_mla take 32 or
    /// 64, trtllm_mha 16, 32, 64 or 128, fa4's on Blackwell 128. Others take any size, 1 if none is asked for.
    /// Blackwell runs DeepSeek-V3 on trtllm_mla, so the same command keeps pages of 1 token on
    /// Hopper and of 64 on Blackwell.
    "page-size-follows-the-backend", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(OVERRIDES, "_mla_backend_page_constraints", Range::since(Release::V0_5_18)), (SERVER_ARGS, "ServerArgs._handle_attention_backend_compatibility", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.gpu:B200.page1&d=tp8.gpu:B200.page64",
    holds: "sgl=0.5.23&p=tp8.gpu:H100.page16&d=tp8.gpu:H100.page16",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let [common, prefill, decode] = start.attention_backends();
    let (Some(common), Some(decode)) = (common, decode) else { return Judgement::Holds };
    let asked = start.server.page_size.map(Size::number);
    let on_blackwell = start.generation() == Some(10);
    let mut size = asked;
    if on_blackwell && start.architecture() == "Qwen3NextForCausalLM" && !start.has("--attention-backend") {
        // It picks its page with its backend.
        size = Some(if common == "trtllm_mha" { 64 } else { 1 });
    }
    for (backend, takes, otherwise) in CONSTRAINTS {
        let by_prefill = prefill == Some(backend) && *backend != "trtllm_mla" && *backend != "flashmla";
        let used = common == *backend || decode == *backend || by_prefill;
        if used && !size.is_some_and(|size| takes.contains(&size)) {
            size = Some(*otherwise);
        }
        if used && size == Some(128) && start.release < Release::V0_5_17 {
            size = Some(*otherwise);
        }
    }
    let latent = start.model.is_some_and(|model| model.attention != Some(Attention::Gqa));
    let trees = start.option("--speculative-eagle-topk").is_some_and(|topk| topk != "1");
    if [Some(common), prefill, Some(decode)].contains(&Some("fa4")) && on_blackwell && !latent && !trees {
        size = Some(128);
    }
    let size = size.unwrap_or(1);
    if asked == Some(size) {
        return Judgement::Holds;
    }
    let asked = asked.map_or_else(String::new, |asked| format!("{asked} "));
    Judgement::Sets(Change {
        message: format!("Page size {asked}becomes {size}, which the attention backend {decode} needs."),
        values: vec![("pageSize", size.into())],
    })
}

/// Backends, the page sizes they take, and the one that replaces others.
const CONSTRAINTS: &[(&str, &[u32], u32)] = &[
    ("flashmla", &[64], 64),
    ("cutlass_mla", &[128], 128),
    ("trtllm_mla", &[32, 64], 64),
    ("cutedsl_mla", &[32, 64], 64),
    ("trtllm_mha", &[16, 32, 64, 128], 64),
    ("hpc_ops", &[64], 64),
];
