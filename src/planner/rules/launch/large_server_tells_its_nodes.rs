//! Servers too large for the one node of eight GPUs that a plan has by default.

use super::super::nodes::{ENGINE, are_told, enough_gpus};
use crate::planner::pair::{Pair, Side};
use crate::planner::release::Range;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// A server of more than eight GPUs should say how many nodes it has.
    ///
    /// SGLang's default is one node, and a plan's is eight GPUs a node. A topology that only asks
    /// whether two servers fit together works without; launched as it is written, it needs a
    /// larger machine.
    "large-server-tells-its-nodes", Launch Warns in Range::ALL, None,
    seen: "Only here, unless it is launched so on a machine of eight GPUs: then the ranks whose GPU does not exist log \
           \"CUDA error: invalid device ordinal\" and die.",
    evidence: Read, sources: [(ENGINE, "Engine._launch_scheduler_processes")],
    breaks: "p=tp16&d=tp8", holds: "p=tp16.n2&d=tp8",
    Side(check)
}

fn check(_: &Pair<'_>, side: &Side<'_>) -> Judgement {
    if are_told(side.server) { Judgement::Holds } else { enough_gpus(side) }
}
