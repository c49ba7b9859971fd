//! Decode ranks beyond what prefill has.

use super::super::tp;
use crate::planner::map::missing_text;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};

rule! {
    /// Decode's attention TP must be a multiple of prefill's when it is the larger one.
    ///
    /// SGLang gives each prefill rank ⌊decode / prefill⌋ decode ranks and does not check for a
    /// remainder. The decode ranks left over look for prefill ranks that do not exist.
    "decode-rank-has-no-prefill-rank", Connection Fails in Range::ALL, Some("KVTransferError"),
    seen: "Every request fails at once on decode with this text (HTTP 500). Prefill is not told: its half of the \
           request waits 300 seconds in Bootstrapping. Both servers stay up and look healthy.",
    evidence: Executed, sources: [
        (CONN, "CommonKVManager._resolve_rank_mapping"), (CONN, "CommonKVReceiver._setup_bootstrap_infos")],
    breaks: "sgl=0.5.18&p=tp4&d=tp6", holds: "sgl=0.5.18&p=tp4&d=tp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let Some(mapping) = pair.mapping else { return Judgement::Holds };
    let lost = mapping.lost_decode_ranks();
    if lost.is_empty() {
        return Judgement::Holds;
    }
    let target = mapping.target(0, lost.start);
    let (there, here) = (mapping.prefill_tp, mapping.decode_tp);
    let nearest = here.checked_rem(there).map_or(here, |rest| here.saturating_sub(rest));
    let fixes = [tp::widen(&pair.decode, nearest), tp::widen(&pair.prefill, here)];
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!(
            "Decode attention TP {here} is no multiple of prefill's {there}: {} of {here} decode ranks look for a \
             prefill rank that does not exist.",
            lost.len()
        ),
        error: Some(missing_text(0, 0, target.tp.start, target.pp.end.saturating_sub(1))),
        fields: vec![decode("tp"), prefill("tp")],
        fixes: fixes.into_iter().flatten().collect(),
    })
}
