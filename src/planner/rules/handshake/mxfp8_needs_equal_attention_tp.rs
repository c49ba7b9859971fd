//! MXFP8 block scales across TP widths.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule};
use super::super::tp;

rule! {
    /// An MXFP8 KV cache of heads needs the same attention TP width on both servers.
    ///
    /// The block scales beside the heads are cut by attention TP, and no way of sending can
    /// re-cut them.
    "mxfp8-needs-equal-attention-tp", Handshake Rejects in Range::since(Release::V0_5_22), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.dtype:mxfp8&d=tp2.dtype:mxfp8",
    holds: "sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.dtype:mxfp8&d=tp4.dtype:mxfp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    if !pair.tp_differs() || tp::is_latent(pair) {
        return Judgement::Holds;
    }
    let (Some(states), Some(false)) = (&pair.decode.states, pair.has_latent()) else {
        let fact = if pair.has_latent().is_none() { "model.attention" } else { "model.states" };
        return Judgement::Needs(fact.to_owned());
    };
    let scales: Vec<String> =
        states.iter().filter(|state| matches!(**state, "block_scale" | "block_scale_swa")).map(|s| format!("'{s}'")).collect();
    if scales.is_empty() {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("MXFP8 block scales cannot be cut to another attention TP width: {}.", tp::widths(pair)),
        error: Some(format!(
            "PD Disaggregation does NOT support different attention TP sizes with MXFP8 KV cache: prefill \
             attn_tp_size={}, decode attn_tp_size={}, state types [{}].",
            pair.prefill.widths.attention_tp,
            pair.decode.widths.attention_tp,
            scales.join(", ")
        )),
        fields: vec![prefill("tp"), decode("tp"), decode("kvCacheDtype")],
        fixes: tp::equalize(pair),
    })
}
