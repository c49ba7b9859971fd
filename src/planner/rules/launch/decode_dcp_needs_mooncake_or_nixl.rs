//! DCP's transfer backends, 0.5.17 and 0.5.18.

use super::super::dcp_backend;
use super::super::sizes::{PD_HOOK, WONT_START};
use crate::planner::startup::Startup;
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};

rule! {
    /// A decode with DCP needs the transfer backend mooncake or nixl (0.5.17 and 0.5.18).
    ///
    /// Cutting a latent into the stripes that DCP ranks keep is work of the transfer backend;
    /// only these had it.
    "decode-dcp-needs-mooncake-or-nixl", Launch Rejects in Range::between(Release::V0_5_17, Release::V0_5_19), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.18&p=tp8.via:mori&d=tp8.dcp8.via:mori", holds: "sgl=0.5.18&p=tp8.via:nixl&d=tp8.dcp8.via:nixl",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    dcp_backend::check(side, &[TransferBackend::Nixl], "mooncake or nixl")
}
