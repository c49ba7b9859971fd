//! MiniMax sparse attention across TP widths.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule};
use super::super::tp;

rule! {
    /// MiniMax sparse models need the same attention TP width on both servers.
    ///
    /// Their KV pages are laid out head by head and their index state is whole on every
    /// rank; neither can be cut to another number of heads on the way.
    "minimax-needs-equal-attention-tp", Handshake Rejects in Range::since(Release::V0_5_23), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.23&m=attention:gqa.kvheads8.states:minimax_index_k&p=tp8&d=tp4",
    holds: "sgl=0.5.23&m=attention:gqa.kvheads8.states:minimax_index_k&p=tp4&d=tp4",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let widths = tp::widths(pair);
    match &pair.decode.states {
        _ if !pair.tp_differs() => Judgement::Holds,
        None if tp::is_latent(pair) => Judgement::Holds,
        None => Judgement::Needs("model.states".to_owned()),
        Some(states) if !states.contains(&"minimax_index_k") => Judgement::Holds,
        Some(_) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("This model's KV cannot change its attention TP width on the way: {widths}."),
            error: Some(format!(
                "MiniMax sparse PD requires matching attention TP sizes: prefill={}, decode={}.",
                pair.prefill.widths.attention_tp, pair.decode.widths.attention_tp
            )),
            fields: vec![prefill("tp"), decode("tp")],
            fixes: tp::equalize(pair),
        }),
    }
}
