//! Mooncake over TCP.

use super::super::sizes::{IN_THE_LOG, PD_HOOK};
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// `mooncake_tcp` is run as `mooncake` with `MC_FORCE_TCP=1`.
    ///
    /// It is the same backend without RDMA; from here on SGLang knows it as mooncake, and it
    /// does not select network cards.
    "mooncake-tcp-is-mooncake", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.23&p=tp8.via:mooncake_tcp&d=tp8",
    holds: "sgl=0.5.23&p=tp8.via:mooncake&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.server.transfer_backend != TransferBackend::MooncakeTcp {
        return Judgement::Holds;
    }
    Judgement::Sets(Change {
        message: "mooncake_tcp becomes mooncake, with MC_FORCE_TCP=1.".to_owned(),
        values: vec![("transferBackend", "mooncake".into())],
    })
}
