//! The length of a chain of drafts.

use super::super::sizes::{IN_THE_LOG, SPECULATIVE_HOOK};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Value;

rule! {
    /// With `--speculative-eagle-topk 1` there are as many draft tokens as steps, and one.
    ///
    /// A chain of drafts has one token a step, after the one it starts from, whatever number
    /// was asked for.
    "draft-chain-follows-its-steps", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(SPECULATIVE_HOOK, "handle_speculative_decoding")],
    breaks: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE.draft8.extra:--speculative-eagle-topk,1,--speculative-num-steps,3",
    holds: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE.draft4.extra:--speculative-eagle-topk,1,--speculative-num-steps,3",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let drafts = matches!(start.server.speculative_algorithm.as_deref(), Some("EAGLE" | "EAGLE3"));
    let steps = start.option("--speculative-num-steps").and_then(|steps| steps.parse::<i32>().ok());
    match steps.and_then(|steps| steps.checked_add(1)) {
        Some(tokens) if drafts && start.option("--speculative-eagle-topk") == Some("1") => Judgement::Sets(Change {
            message: format!("A chain of drafts proposes {tokens} tokens."),
            values: vec![("speculativeNumDraftTokens", Value::from(tokens))],
        }),
        _ => Judgement::Holds,
    }
}
