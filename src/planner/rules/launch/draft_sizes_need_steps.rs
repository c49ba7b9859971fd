//! Draft sizes without steps.

use super::super::sizes::{SPECULATIVE_HOOK, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Value;

rule! {
    /// Draft tokens and `--speculative-eagle-topk` need `--speculative-num-steps`.
    ///
    /// Without steps SGLang picks all three, and asserts that neither of the others was given.
    "draft-sizes-need-steps", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [(SPECULATIVE_HOOK, "handle_speculative_decoding")],
    breaks: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE.draft4", holds: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let drafts = matches!(start.server.speculative_algorithm.as_deref(), Some("EAGLE" | "EAGLE3"));
    let sized = start.asked.speculative_num_draft_tokens.is_some() || start.has(TOPK);
    if !drafts || !sized || start.has("--speculative-num-steps") {
        return Judgement::Holds;
    }
    let mut fix = start.without(&[TOPK]);
    fix.edits.extend(start.set("speculativeNumDraftTokens", Value::Absent).edits);
    fix.title = format!("Leave {} draft sizes to SGLang", start.role);
    start.refuses(
        "Draft sizes are given without --speculative-num-steps. SGLang's assert has no text.",
        "",
        &["speculativeNumDraftTokens", "extra"],
        vec![fix],
    )
}

const TOPK: &str = "--speculative-eagle-topk";
