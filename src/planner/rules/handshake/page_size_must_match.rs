//! Page sizes.

use crate::planner::behaviour;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set_size};

rule! {
    /// Both servers must use the same KV page size.
    ///
    /// KV moves in whole pages, and a page number means the same tokens on both sides only
    /// if pages hold equally many. Left unset, each side takes what its release resolves for
    /// the model and the GPU, so two kinds of GPU can resolve to different sizes.
    "page-size-must-match", Handshake Rejects in Range::ALL, Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.18&p=tp8.page64&d=tp8.page1", holds: "sgl=0.5.18&p=tp8.page64&d=tp8.page64",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (here, there) = (pair.decode.server.page_size, pair.prefill.server.page_size);
    match (there, here) {
        (Some(there), Some(here)) if there != here && !is_exempt(pair) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("Prefill keeps {there} tokens in a KV page, decode {here}."),
            error: Some(format!(
                "Page size mismatch: prefill server has page_size={there}, but decode server has page_size={here}. \
                 Both servers must use the same --page-size value."
            )),
            fields: vec![prefill("pageSize"), decode("pageSize")],
            fixes: [
                set_size(format!("Set decode page size to {there}"), decode("pageSize"), there.number()),
                set_size(format!("Set prefill page size to {here}"), prefill("pageSize"), here.number()),
            ]
            .into_iter()
            .flatten()
            .collect(),
        }),
        (Some(_), Some(_)) => Judgement::Holds,
        (Some(_), None) => Judgement::Needs(decode("pageSize")),
        (None, Some(_)) => Judgement::Needs(prefill("pageSize")),
        (None, None) if pair.prefill.server.gpu == pair.decode.server.gpu => Judgement::Holds,
        (None, None) => Judgement::Needs(prefill("pageSize")),
    }
}

/// A HiSparse decode took any page size while releases allowed it.
fn is_exempt(pair: &Pair<'_>) -> bool {
    behaviour::HISPARSE_TAKES_ANY_PAGE.contains(pair.decode.release)
        && pair.decode.server.extra.iter().any(|flag| flag == "--enable-hisparse")
}
