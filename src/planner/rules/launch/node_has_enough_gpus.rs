//! Ranks and the GPUs of a node.

use super::super::nodes::{ENGINE, NO_SUCH_GPU, are_told, enough_gpus};
use crate::planner::release::Range;
use crate::planner::startup::Startup;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// A node must have a GPU for each rank that it starts.
    ///
    /// SGLang gives each rank a GPU id: `--base-gpu-id`, plus its place among the node's ranks, those
    /// of earlier replicas included. It does not look whether the node has that GPU.
    "node-has-enough-gpus", Launch Fails in Range::ALL, None,
    seen: NO_SUCH_GPU,
    evidence: Read, sources: [
        (ENGINE, "Engine._launch_scheduler_processes"),
        ("python/sglang/srt/managers/data_parallel_controller.py", "DataParallelController.launch_dp_schedulers")],
    breaks: "p=tp16.gpus4.n2&d=tp8", holds: "p=tp16.gpus4.n4&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    if are_told(&side.server) { enough_gpus(side) } else { Judgement::Holds }
}
