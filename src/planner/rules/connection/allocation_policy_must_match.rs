//! When decode reserves KV slots.

use crate::planner::pair::Pair;
use crate::planner::plan::AllocationPolicy;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule, set};
use crate::planner::value::FieldType;

rule! {
    /// Both servers must use the same decode allocation policy.
    ///
    /// With `early`, decode reserves slots and sends their places before prefill runs; with
    /// `prefill_complete`, prefill runs first and then asks. Each side waits for its own order.
    "allocation-policy-must-match", Connection Fails in Range::since(Release::V0_5_22), Some("KVTransferError"),
    seen: "Every request fails at once on decode with this text (HTTP 500); prefill waits for its own time-out of \
           300 seconds. Both servers stay up.",
    evidence: Executed, sources: [(CONN, "CommonKVReceiver.init")],
    breaks: "sgl=0.5.23&p=tp1.alloc:prefill_complete&d=tp1", holds: "sgl=0.5.23&p=tp1&d=tp1",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    // An older prefill publishes no policy, which reads as early.
    let published = RULE.releases.contains(pair.prefill.release);
    let there = if published { pair.prefill.server.allocation_policy } else { AllocationPolicy::Early };
    let here = pair.decode.server.allocation_policy;
    if there == here {
        return Judgement::Holds;
    }
    let to_here = set(format!("Set prefill's policy to {here}"), prefill("allocationPolicy"), here.to_value());
    let to_there = set(format!("Set decode's policy to {there}"), decode("allocationPolicy"), there.to_value());
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("Prefill's decode allocation policy is {there}, decode's {here}."),
        error: Some(format!(
            "Disaggregation decode allocation policy mismatch: prefill={there}, decode={here}. Set \
             --disaggregation-decode-allocation-policy identically on both roles."
        )),
        fields: vec![prefill("allocationPolicy"), decode("allocationPolicy")],
        fixes: std::iter::once(to_there).chain(published.then_some(to_here)).collect(),
    })
}
