//! The fake backend on prefill.

use super::super::sizes::{PD_HOOK, SERVER_ARGS, WONT_START};
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A prefill server cannot use the transfer backend `fake`.
    ///
    /// The fake backend moves nothing; it lets a decode server be measured alone.
    "prefill-excludes-fake-backend", Launch Rejects in Range::ALL, Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [
        (PD_HOOK, "handle_pd_disaggregation", Range::since(Release::V0_5_13)),
        (SERVER_ARGS, "ServerArgs._handle_pd_disaggregation", Range::between(Release::V0_5_10, Release::V0_5_13))],
    breaks: "sgl=0.5.23&p=tp8.via:fake&d=tp8",
    holds: "sgl=0.5.23&p=tp8&d=tp8.via:fake",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if !start.is_prefill() || start.server.transfer_backend != TransferBackend::Fake {
        return Judgement::Holds;
    }
    start.refuses(
        "Prefill cannot use the backend fake: it moves no KV.",
        "Prefill server does not support 'fake' as the transfer backend",
        &["transferBackend"],
        vec![start.set("transferBackend", "mooncake")],
    )
}
