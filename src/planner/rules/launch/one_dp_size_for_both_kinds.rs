//! Attention DP together with replicas, before 0.5.22.

use super::super::sizes::{SERVER_ARGS, WONT_START, field};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Break, Judgement, rule, set_size};

rule! {
    /// Attention DP and replicas cannot both be asked for (before 0.5.22).
    ///
    /// There is one `--dp-size`: with `--enable-dp-attention` it is the attention DP width,
    /// without it the number of replicas. No command line says both.
    "one-dp-size-for-both-kinds", Launch Rejects in Range::between(Release::V0_5_10, Release::V0_5_22), None,
    seen: WONT_START,
    evidence: Read, sources: [(SERVER_ARGS, "ServerArgs")],
    breaks: "sgl=0.5.18&p=tp4.dp2.rep2&d=tp4", holds: "sgl=0.5.18&p=tp4.dp2&d=tp4",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (dp, replicas) = (side.widths.attention_dp, side.widths.replicas);
    if dp == 1 || replicas == 1 {
        return Judgement::Holds;
    }
    let role = side.role;
    Judgement::Breaks(Break {
        side: role.into(),
        message: format!("SGLang {} has one --dp-size: it cannot be both attention DP {dp} and {replicas} replicas.", side.release),
        error: None,
        fields: vec![field(side, "attentionDp"), field(side, "replicas")],
        fixes: [
            set_size(format!("Set {role} replicas to 1"), field(side, "replicas"), 1),
            set_size(format!("Set {role} attention DP to 1"), field(side, "attentionDp"), 1),
        ]
        .into_iter()
        .flatten()
        .collect(),
    })
}
