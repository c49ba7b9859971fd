//! DCP and attention TP.

use super::super::sizes::{field, shrink};
use crate::planner::release::{Range, Release};
use crate::planner::startup::Startup;
use crate::planner::rules::{Break, Judgement, rule};

rule! {
    /// Decode context parallelism must divide attention TP.
    ///
    /// SGLang cuts DCP groups from the whole TP group, and checks only that DCP divides TP. A group
    /// that reaches over attention-DP groups, which serve different requests, has no rank for some
    /// of a request's tokens and merges attention over other requests into the result.
    "dcp-stays-inside-an-attention-group", Launch Corrupts in Range::since(Release::V0_5_15), None,
    seen: "Nobody is told: the server answers, from a part of the prompt and from other requests' tokens. Where the \
           groups' batches differ in size, it can hang instead; from 0.5.18 on, the Triton and FlashInfer backends can \
           die at start-up with a ZeroDivisionError.",
    evidence: Read, sources: [("python/sglang/srt/distributed/parallel_state.py", "initialize_model_parallel")],
    breaks: "sgl=0.5.18&p=tp8&d=tp8.dp4.dcp4", holds: "sgl=0.5.18&p=tp8&d=tp8.dp4.dcp2",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (widths, tp) = (&side.widths, side.server.tp.number());
    let (dcp, attention_tp) = (widths.dcp, widths.attention_tp);
    // Where groups do not divide TP, other rules speak.
    let divide = [dcp, widths.stage()].iter().all(|groups| tp.checked_rem(*groups) == Some(0));
    if !divide || attention_tp.checked_rem(dcp) == Some(0) {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!(
            "DCP {dcp} does not divide attention TP {attention_tp}: its groups reach over several attention groups."
        ),
        error: None,
        fields: ["dcp", "attentionDp", "attentionCp", "tp"].map(|name| field(side, name)).into(),
        fixes: shrink(side, "dcp", dcp, attention_tp),
    })
}
