//! Staging buffers and backends.

use super::super::sizes::{WONT_START, PD_HOOK};
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Staging buffers need the transfer backend mooncake or nixl.
    ///
    /// The other backends send from the pool itself.
    "staging-buffer-needs-mooncake-or-nixl", Launch Rejects in Range::since(Release::V0_5_15), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.23&p=tp8.via:mori.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp8",
    holds: "sgl=0.5.23&p=tp8.via:nixl.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let sends = server.is_mooncake() || server.transfer_backend == TransferBackend::Nixl;
    if sends || start.mode.is_none() || !server.env_is_on("SGLANG_DISAGG_STAGING_BUFFER") {
        return Judgement::Holds;
    }
    let backend = server.transfer_backend;
    start.refuses(
        format!("SGLANG_DISAGG_STAGING_BUFFER is on, which {backend} cannot do."),
        format!(
            "SGLANG_DISAGG_STAGING_BUFFER requires disaggregation_transfer_backend='mooncake' or 'nixl', got '{backend}'."
        ),
        &["transferBackend", "env"],
        vec![start.set("transferBackend", "mooncake")],
    )
}
