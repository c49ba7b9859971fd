//! Ranks and the GPUs of a node.

use super::super::nodes::{ENGINE, are_told, enough_gpus};
use crate::planner::pair::{Pair, Side};
use crate::planner::release::Range;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// A node must have a GPU for each rank that it starts.
    ///
    /// SGLang gives each rank a GPU id: `--base-gpu-id`, plus its place among the node's ranks, plus
    /// TP × PP for each replica before its own. It does not look whether the node has that GPU.
    "node-has-enough-gpus", Launch Fails in Range::ALL, None,
    seen: "Strikes when the server starts: the ranks whose GPU does not exist log \"CUDA error: invalid device \
           ordinal\" and die, and the server with them.",
    evidence: Read, sources: [
        (ENGINE, "Engine._launch_scheduler_processes"),
        ("python/sglang/srt/managers/data_parallel_controller.py", "DataParallelController.launch_dp_schedulers")],
    breaks: "p=tp16.gpus4.n2&d=tp8", holds: "p=tp16.gpus4.n4&d=tp8",
    Side(check)
}

fn check(_: &Pair<'_>, side: &Side<'_>) -> Judgement {
    if are_told(side.server) { enough_gpus(side) } else { Judgement::Holds }
}
