//! Stages and speculation, before 0.5.21.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, VALIDATION};
use crate::planner::value::Value;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Pipeline stages and speculative decoding exclude each other (before 0.5.21).
    ///
    /// Draft tokens would have to travel through the stages.
    "pp-excludes-speculation", Launch Rejects in Range::between(Release::V0_5_15, Release::V0_5_21), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(VALIDATION, "check_server_args", HOOKS), (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&p=tp4.pp2.spec:EAGLE&d=tp8",
    holds: "sgl=0.5.21&p=tp4.pp2.spec:EAGLE&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.widths.pp == 1 || start.server.speculative_algorithm.is_none() {
        return Judgement::Holds;
    }
    start.refuses(
        "Pipeline stages and speculative decoding are asked for at once.",
        "Pipeline parallelism is not compatible with overlap schedule, speculative decoding",
        &["pp", "speculativeAlgorithm"],
        vec![start.set("speculativeAlgorithm", Value::Absent), start.set("pp", 1)],
    )
}
