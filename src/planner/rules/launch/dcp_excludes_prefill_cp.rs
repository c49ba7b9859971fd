//! DCP and prefill CP on one server.

use super::super::sizes::{WONT_START, PARALLEL_HOOK};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// DCP and prefill context parallelism exclude each other on one server.
    ///
    /// Both cut one request's tokens over ranks, each in its own way.
    "dcp-excludes-prefill-cp", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PARALLEL_HOOK, "handle_decode_context_parallelism")],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.dcp2.cp2.prefillcp.cpstrategy:zigzag&d=tp8",
    holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8.cp2.prefillcp.cpstrategy:zigzag&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.widths.dcp == 1 || !start.server.enable_prefill_cp {
        return Judgement::Holds;
    }
    start.refuses(
        format!("DCP {} and prefill context parallelism are asked for at once.", start.widths.dcp),
        "--dcp-size > 1 does not support --enable-prefill-cp.",
        &["dcp", "enablePrefillCp"],
        vec![start.set("dcp", 1), start.set("enablePrefillCp", false)],
    )
}
