//! Decode context parallelism and the kind of KV pool.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, rule, set_size};

rule! {
    /// Decode context parallelism needs an MLA or hybrid-MLA model.
    ///
    /// With DCP each decode rank keeps every n-th token of the latent. Only a latent, whole on
    /// every prefill rank, can be cut into such stripes; heads are already split over TP.
    "decode-dcp-needs-latent-pool", Handshake Rejects in Range::since(Release::V0_5_17), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.18&model=Qwen3-235B-A22B&p=tp4&d=tp4.dcp2",
    holds: "sgl=0.5.18&model=DeepSeek-V3&p=tp4&d=tp4.dcp2",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let dcp = pair.decode.widths.dcp;
    match pair.has_latent() {
        _ if dcp == 1 => Judgement::Holds,
        Some(true) => Judgement::Holds,
        None => Judgement::Needs("model.attention".to_owned()),
        Some(false) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("Decode splits tokens over {dcp} DCP ranks, but this model's KV is heads, not a latent."),
            error: Some("PD decode DCP requires an MLA or hybrid-MLA KV pool.".to_owned()),
            fields: vec![decode("dcp")],
            fixes: set_size("Turn decode DCP off", decode("dcp"), 1).into_iter().collect(),
        }),
    }
}
