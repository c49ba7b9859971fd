//! Context parallelism on decode.

use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, rule, set_size};

rule! {
    /// A decode server cannot use attention context parallelism.
    ///
    /// Attention CP splits a prompt while it is read. Decode's own way to split tokens is
    /// decode context parallelism (DCP). The assert carries a one-element tuple, so a log shows
    /// the message in parentheses.
    "decode-cp-must-be-1", Handshake Rejects in Range::ALL, Some("AssertionError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.18&p=tp8&d=tp8.cp2", holds: "sgl=0.5.18&p=tp8&d=tp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let widths = pair.decode.widths;
    if widths.attention_cp == 1 {
        return Judgement::Holds;
    }
    let tp = widths.attention_tp.saturating_mul(widths.attention_cp);
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("Decode has attention CP {}; SGLang maps ranks only onto a decode without it.", widths.attention_cp),
        error: Some(format!("Decode cp size ({}) should be equal to 1", widths.attention_cp)),
        fields: vec![decode("attentionCp")],
        fixes: set_size(format!("Set decode context parallel to 1 · attention TP becomes {tp}"), decode("attentionCp"), 1)
            .into_iter()
            .collect(),
    })
}
