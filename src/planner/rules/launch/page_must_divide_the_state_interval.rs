//! Pages of models with linear attention.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, SERVER_ARGS, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::{Size, Value};

rule! {
    /// With linear attention layers, the page size must divide 256.
    ///
    /// The radix cache keeps the state of these layers every 256 tokens, at the end of a page.
    /// Kimi-Linear keeps none in 0.5.15 and needs pages of one token. Without radix cache, as on
    /// decode, any page does.
    "page-must-divide-the-state-interval", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/arg_groups/mamba_hook.py", "validate_mamba_extra_buffer", HOOKS), (SERVER_ARGS, "ServerArgs._validate_mamba_extra_buffer", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&m=attention:gqa.arch:Qwen3NextForCausalLM.states:mamba&p=tp8.gpu:H100.page48&d=tp8",
    holds: "sgl=0.5.23&m=attention:gqa.arch:Qwen3NextForCausalLM.states:mamba&p=tp8.gpu:H100.page64&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let page = start.server.page_size.map_or(1, Size::number);
    let error = match start.architecture() {
        _ if !start.keeps_prefixes() => return Judgement::Holds,
        "KimiLinearForCausalLM" if page > 1 && start.release < Release::V0_5_16 => "no_buffer only supports page_size=1.",
        // Blackwell's own choice of a backend comes with a page that does.
        "Qwen3NextForCausalLM" if start.generation() == Some(10) && !start.has("--attention-backend") => {
            return Judgement::Holds;
        }
        "Qwen3NextForCausalLM" | "KimiLinearForCausalLM" | "KimiK3ForConditionalGeneration"
            if 256u32.checked_rem(page) != Some(0) =>
        {
            ""
        }
        _ => return Judgement::Holds,
    };
    start.refuses(
        format!("Pages of {page} tokens do not fit the radix cache of this model. SGLang's assert may have no text."),
        error,
        &["pageSize"],
        vec![start.set("pageSize", Value::Absent)],
    )
}
