//! Drafts of DeepSeek-V4.

use super::super::sizes::{WONT_START};
use crate::planner::startup::Family;
use crate::planner::value::Value;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// EAGLE on DeepSeek-V4 needs `--speculative-eagle-topk 1`.
    ///
    /// The check comes before SGLang fills in defaults, so the value must be given.
    "v4-draft-needs-topk-1", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/arg_groups/deepseek_v4_hook.py", "apply_deepseek_v4_defaults")],
    breaks: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.spec:EAGLE&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.spec:EAGLE.extra:--speculative-eagle-topk,1&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let has_topk = start.option("--speculative-eagle-topk") == Some("1");
    let drafts = start.server.speculative_algorithm.as_deref() == Some("EAGLE");
    if has_topk || !drafts || start.family() != Some(Family::V4) {
        return Judgement::Holds;
    }
    start.refuses(
        "DeepSeek-V4 drafts with EAGLE need --speculative-eagle-topk 1.",
        format!("Only EAGLE speculative algorithm with topk == 1 is supported for {}", start.architecture()),
        &["speculativeAlgorithm", "extra"],
        vec![start.set("speculativeAlgorithm", Value::Absent)],
    )
}
