//! Prefill ranks that nobody contacts.

use super::super::tp;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};

rule! {
    /// Prefill's attention TP must be a multiple of decode's when it is the larger one.
    ///
    /// SGLang gives each decode rank ⌊prefill / decode⌋ prefill ranks and does not check for a
    /// remainder. The prefill ranks left over never get a registration, and since a group moves
    /// only when all of its ranks are ready, they hold the whole group.
    "prefill-rank-has-no-decode-rank", Connection Hangs in Range::ALL, None,
    seen: "Every request hangs for 300 seconds, then fails on both sides: prefill logs \"Request … timed out after \
           … in KVPoll.Bootstrapping\" and answers HTTP 500. No message names the cause. Both servers stay up.",
    evidence: Executed, sources: [(CONN, "CommonKVManager._resolve_rank_mapping"), (CONN, "CommonKVSender")],
    breaks: "sgl=0.5.18&p=tp8&d=tp3", holds: "sgl=0.5.18&p=tp8&d=tp4",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let Some(mapping) = pair.mapping else { return Judgement::Holds };
    let lonely = mapping.lonely_prefill_ranks();
    if lonely.is_empty() {
        return Judgement::Holds;
    }
    let (there, here) = (mapping.prefill_tp, mapping.decode_tp);
    let divides = |width: &u32| there.checked_rem(*width) == Some(0);
    let fixes = [
        (here..=there).find(divides).and_then(|width| tp::widen(&pair.decode, width)),
        (1..=here).rev().find(divides).and_then(|width| tp::widen(&pair.decode, width)),
        tp::widen(&pair.prefill, lonely.start),
    ];
    Judgement::Breaks(Break {
        side: Place::Prefill,
        message: format!(
            "Prefill attention TP {there} is no multiple of decode's {here}: no decode rank ever contacts {} of \
             {there} prefill ranks, and they hold their whole group.",
            lonely.len()
        ),
        error: None,
        fields: vec![prefill("tp"), decode("tp")],
        fixes: fixes.into_iter().flatten().collect(),
    })
}
