//! The policy `prefill_complete` and prefill's widths.

use crate::planner::pair::Pair;
use crate::planner::plan::AllocationPolicy;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};
use crate::planner::value::FieldType;

rule! {
    /// The policy `prefill_complete` needs a prefill group of one rank.
    ///
    /// Prefill asks for slots when it is done; with more than one rank in the group they would
    /// have to agree on when that is, which SGLang does not have yet.
    "prefill-complete-needs-one-rank", Connection Fails in Range::since(Release::V0_5_22), Some("KVTransferError"),
    seen: "Every request fails at once on decode with this text (HTTP 500). Both servers stay up.",
    evidence: Executed, sources: [(CONN, "CommonKVReceiver.init")],
    breaks: "sgl=0.5.23&p=tp8.alloc:prefill_complete&d=tp1.alloc:prefill_complete",
    holds: "sgl=0.5.23&p=tp8.dp8.alloc:prefill_complete&d=tp1.alloc:prefill_complete",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let [there, here] = [&pair.prefill, &pair.decode].map(|side| side.server.allocation_policy);
    let widths = pair.prefill.widths;
    let one_rank = widths.attention_tp == 1 && widths.attention_cp == 1 && widths.pp == 1;
    if one_rank || there != AllocationPolicy::PrefillComplete || here != there {
        return Judgement::Holds;
    }
    let early = |field| Edit { field, value: AllocationPolicy::Early.to_value() };
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!(
            "A prefill group has attention TP {}, CP {}, PP {}; this policy needs 1, 1, 1.",
            widths.attention_tp, widths.attention_cp, widths.pp
        ),
        error: Some("prefill_complete requires peer attention TP1/CP1/PP1".to_owned()),
        fields: vec![prefill("allocationPolicy"), decode("allocationPolicy"), prefill("tp")],
        fixes: vec![Fix {
            title: "Use the policy early on both".to_owned(),
            edits: vec![early(decode("allocationPolicy")), early(prefill("allocationPolicy"))],
        }],
    })
}
