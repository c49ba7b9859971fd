//! Half-given draft sizes.

use super::super::sizes::{SPECULATIVE_HOOK, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// `--speculative-num-steps` needs `--speculative-eagle-topk`.
    ///
    /// SGLang fills in draft sizes only if none is given; one alone is compared with a missing
    /// other.
    "draft-sizes-come-together", Launch Rejects in Range::since(Release::V0_5_15), Some("TypeError"),
    seen: WONT_START,
    evidence: Executed, sources: [(SPECULATIVE_HOOK, "handle_speculative_decoding")],
    breaks: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE.extra:--speculative-num-steps,3",
    holds: "sgl=0.5.23&p=tp8&d=tp8.spec:EAGLE",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let drafts = matches!(start.server.speculative_algorithm.as_deref(), Some("EAGLE" | "EAGLE3"));
    if !drafts || !start.has(STEPS) || start.has("--speculative-eagle-topk") {
        return Judgement::Holds;
    }
    start.refuses(
        format!("{STEPS} is given without --speculative-eagle-topk."),
        "'>' not supported between instances of 'NoneType' and 'int'",
        &["extra"],
        vec![start.without(&[STEPS])],
    )
}

const STEPS: &str = "--speculative-num-steps";
