//! Stages and speculation.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, VALIDATION};
use crate::planner::value::Value;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// With pipeline stages only a prefill server can draft, with EAGLE or DSpark.
    ///
    /// A prefill computes the draft's KV in its last stage; generating through stages is
    /// another matter.
    "pp-speculation-only-on-prefill", Launch Rejects in Range::since(Release::V0_5_21), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(VALIDATION, "check_pipeline_parallel_compat", HOOKS), (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8&d=tp4.pp2.spec:EAGLE",
    holds: "sgl=0.5.23&p=tp4.pp2.spec:EAGLE&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let Some(algorithm) = start.server.speculative_algorithm.as_deref() else { return Judgement::Holds };
    let error = match algorithm {
        _ if start.widths.pp == 1 => return Judgement::Holds,
        "DSPARK" | "EAGLE" if start.is_prefill() => return Judgement::Holds,
        "DSPARK" => "Pipeline parallel DSPARK requires disaggregation-mode=prefill",
        "EAGLE" => "PP + speculative decoding (MTP) is only supported on prefill nodes (disaggregation-mode=prefill)",
        _ => "Pipeline parallelism currently only supports EAGLE (non-multi-layer) speculative decoding",
    };
    start.refuses(
        format!("{algorithm} cannot run over {} pipeline stages here.", start.widths.pp),
        error,
        &["pp", "speculativeAlgorithm"],
        vec![start.set("speculativeAlgorithm", Value::Absent), start.set("pp", 1)],
    )
}
