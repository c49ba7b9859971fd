//! NEXTN.

use super::super::sizes::{SPECULATIVE_HOOK, IN_THE_LOG};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// The speculative algorithm NEXTN is run as EAGLE.
    ///
    /// NEXTN names the draft layers that come with a checkpoint; the algorithm is the same.
    "nextn-is-eagle", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(SPECULATIVE_HOOK, "handle_speculative_decoding")],
    breaks: "sgl=0.5.23&p=tp8.spec:NEXTN&d=tp8.spec:NEXTN",
    holds: "sgl=0.5.23&p=tp8.spec:EAGLE&d=tp8.spec:EAGLE",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.server.speculative_algorithm.as_deref() != Some("NEXTN") {
        return Judgement::Holds;
    }
    Judgement::Sets(Change {
        message: "NEXTN becomes EAGLE.".to_owned(),
        values: vec![("speculativeAlgorithm", "EAGLE".into())],
    })
}
