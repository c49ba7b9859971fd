//! What the policy `prefill_complete` cannot be combined with.

use super::super::sizes::{WONT_START, PD_HOOK};
use crate::planner::plan::AllocationPolicy;
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// The policy `prefill_complete` works with Mooncake, TP 1 and little else.
    ///
    /// Reserving slots after prefill is new and covers the plain case. Attention DP of the
    /// width of TP is refused too: the check reads a flag that an earlier step of the start-up
    /// has already cleared.
    "prefill-complete-excludes", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PD_HOOK, "_validate_prefill_complete")],
    breaks: "sgl=0.5.23&p=tp1&d=tp8.alloc:prefill_complete",
    holds: "sgl=0.5.23&p=tp1&d=tp1.alloc:prefill_complete",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    if server.allocation_policy != AllocationPolicy::PrefillComplete {
        return Judgement::Holds;
    }
    let caches = ["--disaggregation-decode-enable-radix-cache", "--enable-hierarchical-cache"];
    let wide = [server.pp, server.attention_cp, server.dcp].iter().any(|size| *size > Size::ONE);
    let unsupported: Vec<&str> = [
        (start.mode.is_none(), "aggregated serving"),
        (!server.is_mooncake(), "transfer backends other than Mooncake"),
        (wide, "pipeline or attention context parallelism"),
        (server.tp > Size::ONE, "attention tensor parallelism greater than one"),
        (start.has("--enable-pdmux"), "PD multiplexing or decoupled speculation"),
        (start.has("--enable-pd-role-switch"), "runtime PD role switching"),
        (start.has("--encoder-only") || start.has("--language-only"), "encoder disaggregation"),
        (start.has("--enable-hisparse"), "HiSparse"),
        (start.is_decode() && caches.iter().any(|cache| start.has(cache)), "decode radix cache or decode HiCache"),
        (server.env_is_on("SGLANG_DISAGG_STAGING_BUFFER"), "staging buffers"),
        (server.env_is_on("SGLANG_RUST_SERVER"), "the Rust bootstrap registry"),
    ]
    .into_iter()
    .filter_map(|(is_so, name)| is_so.then_some(name))
    .collect();
    if unsupported.is_empty() {
        return Judgement::Holds;
    }
    let list = unsupported.join(", ");
    start.refuses(
        format!("The policy prefill_complete excludes: {list}."),
        format!("--disaggregation-decode-allocation-policy prefill_complete does not yet support {list}"),
        &["allocationPolicy"],
        vec![start.set("allocationPolicy", "early")],
    )
}
