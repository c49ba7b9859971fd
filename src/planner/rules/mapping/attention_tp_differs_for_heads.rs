//! SGLang's warning on different TP widths.

use super::super::tp;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};

rule! {
    /// With a model of heads, different attention TP widths are slower.
    ///
    /// A latent is moved whole, but heads are re-cut: token by token, a slice of each page goes
    /// to another rank. It works, with many small transfers.
    "attention-tp-differs-for-heads", Mapping Warns in Range::ALL, None,
    seen: "Decode logs once: \"Performance is NOT guaranteed when using different TP sizes for non-MLA models. \"",
    evidence: Read, sources: [(CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.18&model=Llama-3.1-70B&p=tp8&d=tp4", holds: "sgl=0.5.18&model=Llama-3.1-70B&p=tp8&d=tp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    match pair.has_latent() {
        _ if !pair.tp_differs() => Judgement::Holds,
        Some(true) => Judgement::Holds,
        None => Judgement::Needs("model.attention".to_owned()),
        Some(false) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("Heads are re-cut on the way, which is slower: {}.", tp::widths(pair)),
            error: None,
            fields: vec![prefill("tp"), decode("tp")],
            fixes: tp::equalize(pair),
        }),
    }
}
