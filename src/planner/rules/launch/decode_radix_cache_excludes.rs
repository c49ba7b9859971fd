//! What the decode radix cache cannot be combined with.

use super::super::sizes::{WONT_START, PD_HOOK};
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A decode server's radix cache excludes HiSparse and the backend `fake`.
    ///
    /// HiSparse and the fake backend keep caches of their own, which share no prefixes.
    "decode-radix-cache-excludes", Launch Rejects in Range::since(Release::V0_5_15), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.23&p=tp8&d=tp8.via:fake.extra:--disaggregation-decode-enable-radix-cache",
    holds: "sgl=0.5.23&p=tp8&d=tp8.extra:--disaggregation-decode-enable-radix-cache",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let other = match (start.has("--enable-hisparse"), start.server.transfer_backend) {
        (true, _) => "--enable-hisparse",
        (false, TransferBackend::Fake) => "--disaggregation-transfer-backend fake",
        (false, _) => return Judgement::Holds,
    };
    if !start.is_decode() || !start.has(RADIX) {
        return Judgement::Holds;
    }
    start.refuses(
        format!("Decode's radix cache excludes {other}."),
        format!("{RADIX} is incompatible with {other}"),
        &["extra", "transferBackend"],
        vec![start.without(&[RADIX])],
    )
}

const RADIX: &str = "--disaggregation-decode-enable-radix-cache";
