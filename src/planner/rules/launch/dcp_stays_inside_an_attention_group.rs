//! DCP and attention TP.

use super::super::sizes::{field, shrink};
use crate::planner::pair::{Pair, Side};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Break, Judgement, rule};

rule! {
    /// Decode context parallelism must divide attention TP.
    ///
    /// SGLang cuts DCP groups from the whole TP group, and a rank of a DCP group keeps every DCP-th
    /// token of its own requests. Attention-DP groups serve different requests. A DCP group that
    /// reaches over several of them has no rank for some of a request's tokens, and merges
    /// attention over other requests into the result. SGLang checks only that DCP divides TP.
    "dcp-stays-inside-an-attention-group", Launch Corrupts in Range::since(Release::V0_5_15), None,
    seen: "Nobody is told: the server starts and answers, from a part of the prompt and from other requests' tokens. \
           Where the groups' batches differ in size, a collective can hang instead; with the Triton or FlashInfer \
           backend, 0.5.18 and later can die at start-up with a ZeroDivisionError where DCP is wider than attention TP.",
    evidence: Read, sources: [("python/sglang/srt/distributed/parallel_state.py", "initialize_model_parallel")],
    breaks: "sgl=0.5.18&p=tp8&d=tp8.dp4.dcp4", holds: "sgl=0.5.18&p=tp8&d=tp8.dp4.dcp2",
    Side(check)
}

fn check(_: &Pair<'_>, side: &Side<'_>) -> Judgement {
    let (widths, tp) = (&side.widths, side.server.tp.number());
    let (dcp, attention_tp) = (widths.dcp, widths.attention_tp);
    let groups_fit = [attention_tp.checked_rem(dcp), tp.checked_rem(widths.stage())];
    // Where groups do not divide TP, other rules speak.
    if groups_fit[0] == Some(0) || groups_fit[1] != Some(0) || tp.checked_rem(dcp) != Some(0) {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!(
            "DCP {dcp} does not divide attention TP {attention_tp}: its groups reach over attention groups that hold \
             different requests or tokens."
        ),
        error: None,
        fields: ["dcp", "attentionDp", "attentionCp", "tp"].map(|name| field(side, name)).into(),
        fixes: shrink(side, "dcp", dcp, attention_tp),
    })
}
