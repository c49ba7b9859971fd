//! DCP and speculation, before 0.5.17.

use super::super::sizes::{WONT_START, SERVER_ARGS};
use crate::planner::value::Value;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// DCP and speculative decoding exclude each other (0.5.15 and 0.5.16).
    ///
    /// These releases run draft models without DCP only.
    "dcp-excludes-speculation", Launch Rejects in Range::between(Release::V0_5_15, Release::V0_5_17), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(SERVER_ARGS, "ServerArgs._handle_dcp_validation")],
    breaks: "sgl=0.5.16&p=tp8&d=tp8.dcp2.spec:EAGLE",
    holds: "sgl=0.5.17&p=tp8&d=tp8.dcp2.spec:EAGLE",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let dcp = start.widths.dcp;
    if dcp == 1 || start.server.speculative_algorithm.is_none() {
        return Judgement::Holds;
    }
    start.refuses(
        format!("DCP {dcp} and speculative decoding are asked for at once."),
        format!(
            "Decode context parallel (--dcp-size / --decode-context-parallel-size > 1) on CUDA platform does not support \
             any speculative algorithm, but got dcp_size={dcp} on a CUDA platform with speculative decoding enabled."
        ),
        &["dcp", "speculativeAlgorithm"],
        vec![start.set("speculativeAlgorithm", Value::Absent), start.set("dcp", 1)],
    )
}
