//! Trees of drafts over pages.

use super::super::sizes::{SPECULATIVE_HOOK, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::{Size, Value};

rule! {
    /// `--speculative-eagle-topk` above 1 on larger pages needs flashinfer, fa3 or triton.
    ///
    /// The branches of a tree of drafts share a page, which other attention backends cannot
    /// express.
    "draft-trees-need-a-backend", Launch Rejects in Range::since(Release::V0_5_15), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(SPECULATIVE_HOOK, "handle_speculative_decoding")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.gpu:H100.spec:EAGLE.extra:--speculative-eagle-topk,4,--speculative-num-steps,3,--speculative-num-draft-tokens,8&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.gpu:H100.spec:EAGLE&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let drafts = matches!(server.speculative_algorithm.as_deref(), Some("EAGLE" | "EAGLE3"));
    let trees = start.option("--speculative-eagle-topk").and_then(|topk| topk.parse().ok()).is_some_and(|topk: u32| topk > 1);
    let [Some(backend), prefill, decode] = start.attention_backends() else { return Judgement::Holds };
    let by_trtllm = [prefill, decode].contains(&Some("trtllm_mha"));
    let takes = ["flashinfer", "fa3", "triton"].contains(&backend) || server.page_size.is_none_or(|page| page == Size::ONE);
    if !drafts || !trees || takes && !by_trtllm {
        return Judgement::Holds;
    }
    start.refuses(
        format!("The attention backend {backend} cannot verify trees of drafts over pages."),
        if by_trtllm {
            "trtllm_mha backend only supports topk = 1 for speculative decoding.".to_owned()
        } else {
            format!(
            "speculative_eagle_topk > 1 with page_size > 1 is only supported on ('flashinfer', 'fa3', 'triton'); got \
             attention_backend='{backend}'. Use page_size == 1 or one of those backends."
        )
        },
        &["extra", "speculativeAlgorithm"],
        vec![start.set("speculativeAlgorithm", Value::Absent)],
    )
}
