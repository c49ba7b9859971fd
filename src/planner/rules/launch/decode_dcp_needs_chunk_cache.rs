//! DCP and caches of prefixes on decode.

use super::super::sizes::{WONT_START, PD_HOOK};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A decode with DCP cannot keep a radix or hierarchical cache (0.5.17 to 0.5.20).
    ///
    /// These releases cut the latent into stripes only for requests of their own, not for
    /// shared prefixes.
    "decode-dcp-needs-chunk-cache", Launch Rejects in Range::between(Release::V0_5_17, Release::V0_5_21), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.18&p=tp8&d=tp8.dcp8.extra:--disaggregation-decode-enable-radix-cache",
    holds: "sgl=0.5.18&p=tp8&d=tp8.dcp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let caches = ["--disaggregation-decode-enable-radix-cache", "--enable-hierarchical-cache"];
    let Some(cache) = caches.into_iter().find(|cache| start.has(cache)) else { return Judgement::Holds };
    if !start.is_decode() || start.widths.dcp == 1 {
        return Judgement::Holds;
    }
    start.refuses(
        format!("Decode DCP excludes {cache} in SGLang {}.", start.release),
        format!("PD decode DCP currently requires chunk cache; {cache} is not supported."),
        &["extra", "dcp"],
        vec![start.without(&caches), start.set("dcp", 1)],
    )
}
