//! EP and TP, before 0.5.21.

use super::super::ep;
use super::super::sizes::WONT_START;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// EP times MoE DP must divide TP (before 0.5.21, or with DCP).
    ///
    /// The command line lets it pass. Then the scheduler processes past the last whole group
    /// find themselves in none, and stop on a bare assertion.
    "ep-leaves-ranks-without-a-group", Launch Rejects in Range::since(Release::V0_5_15),
    Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/distributed/parallel_state.py", "initialize_model_parallel")],
    breaks: "sgl=0.5.18&p=tp8.ep3&d=tp8", holds: "sgl=0.5.18&p=tp8.ep4&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.release >= Release::V0_5_21 && start.widths.dcp == 1 {
        return Judgement::Holds;
    }
    ep::check(start, |_| String::new())
}
