//! Pipeline stages.

use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set_size};

rule! {
    /// Decode must have as many pipeline stages as prefill, or one.
    ///
    /// A decode rank pulls its layers from the stage of the same number, or, with one stage,
    /// from all of them. Nothing maps two stages onto four. The assert carries a one-element
    /// tuple, so a log shows the message in parentheses.
    "pp-must-match-or-decode-be-1", Handshake Rejects in Range::ALL, Some("AssertionError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.18&p=tp4.pp2&d=tp4.pp4", holds: "sgl=0.5.18&p=tp4.pp2&d=tp4.pp1",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (there, here) = (pair.prefill.widths.pp, pair.decode.widths.pp);
    if here == there || here == 1 {
        return Judgement::Holds;
    }
    let fixes = [
        set_size("Set decode pipeline stages to 1", decode("pp"), 1),
        set_size(format!("Set decode pipeline stages to {there}"), decode("pp"), there).filter(|_| there != 1),
        set_size(format!("Set prefill pipeline stages to {here}"), prefill("pp"), here),
    ];
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("Prefill has {there} pipeline stages and decode {here}; nothing maps the one onto the other."),
        error: Some(format!("Decode pp size ({here}) should be equal to prefill pp size ({there}) or 1")),
        fields: vec![decode("pp"), prefill("pp")],
        fixes: fixes.into_iter().flatten().collect(),
    })
}
