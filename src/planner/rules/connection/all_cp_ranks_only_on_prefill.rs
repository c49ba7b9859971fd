//! All CP ranks send, decode pulls from one.

use super::super::all_cp;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule, set_size};

rule! {
    /// If all prefill CP ranks send, decode must pull from all of them.
    ///
    /// Each side decides by itself whether all CP ranks take part
    /// (`SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER`, and what the pool needs). If only prefill
    /// does, decode contacts CP rank 0 alone, and the other ranks wait for registrations that
    /// never come.
    "all-cp-ranks-only-on-prefill", Connection Hangs in Range::ALL, None,
    seen: "Every request hangs for 300 seconds, then fails on both sides: prefill logs \"Request … timed out after \
           … in KVPoll.Bootstrapping\". No message names the cause. Both servers stay up.",
    evidence: Executed, sources: [(CONN, "CommonKVManager.__init__"), (CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.18&p=tp8.cp2.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1&d=tp4",
    holds: "sgl=0.5.18&p=tp8.cp2.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1&d=tp4.env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (cp, pulled, sending) = match all_cp::widths(pair) {
        Ok(widths) => widths,
        Err(judgement) => return judgement,
    };
    if pulled > 1 || sending == 1 {
        return Judgement::Holds;
    }
    let cause = all_cp::cause(&pair.prefill);
    let no_cp = set_size("Set prefill context parallel to 1", prefill("attentionCp"), 1);
    let unset = (cause == crate::planner::pair::ALL_CP_RANKS_ENV).then(|| all_cp::set_env(&pair.prefill, false));
    Judgement::Breaks(Break {
        side: Place::Prefill,
        message: format!("All {cp} prefill CP ranks take part in transfers ({cause}), but decode contacts only CP rank 0."),
        error: None,
        fields: vec![prefill("env"), decode("env"), prefill("attentionCp")],
        fixes: std::iter::once(all_cp::set_env(&pair.decode, true)).chain(unset).chain(no_cp).collect(),
    })
}
