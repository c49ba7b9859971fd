//! Prefill CP on a DSA decode.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, MODEL_HOOK};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A DSA decode server refuses prefill context parallelism.
    ///
    /// Other models let it start and fail at the first handshake, since decode attention CP
    /// must be 1.
    "dsa-prefill-cp-only-on-prefill", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(MODEL_HOOK, "handle_model_specific_adjustments", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8&d=tp8.prefillcp.cpstrategy:interleave",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if !start.is_decode() || !start.server.enable_prefill_cp || start.family() != Some(Family::Dsa) {
        return Judgement::Holds;
    }
    start.refuses(
        "Decode cannot run prefill context parallelism.",
        "CP is only supported for prefill when PD disaggregation, please remove --enable-prefill-cp.",
        &["enablePrefillCp"],
        vec![start.set("enablePrefillCp", false)],
    )
}
