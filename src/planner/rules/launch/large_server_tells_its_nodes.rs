//! Servers too large for the one node of eight GPUs that a plan has by default.

use super::super::nodes::{ENGINE, NO_SUCH_GPU, are_told, enough_gpus};
use crate::planner::release::Range;
use crate::planner::startup::Startup;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// A server of more than eight GPUs should say how many nodes it has.
    ///
    /// A plan that says nothing has one node of eight GPUs. Whether two servers fit together does
    /// not depend on it; launched as written, they need a larger machine.
    "large-server-tells-its-nodes", Launch Warns in Range::ALL, None,
    seen: NO_SUCH_GPU,
    evidence: Read, sources: [(ENGINE, "Engine._launch_scheduler_processes")],
    breaks: "p=tp16&d=tp8", holds: "p=tp16.n2&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    if are_told(&side.server) { Judgement::Holds } else { enough_gpus(side) }
}
