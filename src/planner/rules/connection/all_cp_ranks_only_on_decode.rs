//! Decode pulls from all CP ranks, one sends.

use super::super::all_cp;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule, set_size};

rule! {
    /// If decode pulls from all prefill CP ranks, all of them must send.
    ///
    /// Each side decides by itself whether all CP ranks take part
    /// (`SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER`, and what the pool needs). If only decode
    /// does, CP rank 0 sends everything and the other ranks nothing, while decode waits for a
    /// report from each.
    "all-cp-ranks-only-on-decode", Connection Hangs in Range::ALL, None,
    seen: "Every request hangs for 300 seconds although its data arrived, then fails: decode logs \"Request … timed \
           out after … in KVPoll.WaitingForInput\" and answers HTTP 500. Both servers stay up.",
    evidence: Executed, sources: [(CONN, "CommonKVManager.__init__"), (CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.18&p=tp8.cp2&d=tp4.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1",
    holds: "sgl=0.5.18&p=tp8.cp2&d=tp4",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (cp, pulled, sending) = match all_cp::widths(pair) {
        Ok(widths) => widths,
        Err(judgement) => return judgement,
    };
    if pulled == 1 || sending > 1 {
        return Judgement::Holds;
    }
    let cause = all_cp::cause(&pair.decode);
    let no_cp = set_size("Set prefill context parallel to 1", prefill("attentionCp"), 1);
    let unset = (cause == crate::planner::pair::ALL_CP_RANKS_ENV).then(|| all_cp::set_env(&pair.decode, false));
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("Decode waits for all {cp} prefill CP ranks ({cause}), but only CP rank 0 sends."),
        error: None,
        fields: vec![decode("env"), prefill("env"), prefill("attentionCp")],
        fixes: std::iter::once(all_cp::set_env(&pair.prefill, true)).chain(unset).chain(no_cp).collect(),
    })
}
