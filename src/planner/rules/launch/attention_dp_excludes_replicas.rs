//! Attention DP together with replicas, from 0.5.22.

use super::super::sizes::{PARALLEL_HOOK, WONT_START, field};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Break, Judgement, rule, set_size};

rule! {
    /// Attention DP and replicas cannot be combined.
    ///
    /// Both are data parallelism behind one address, and SGLang routes requests over one of
    /// them only.
    "attention-dp-excludes-replicas", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [(PARALLEL_HOOK, "handle_data_parallelism")],
    breaks: "sgl=0.5.23&p=tp4.dp2.rep2&d=tp4", holds: "sgl=0.5.23&p=tp4.dp2&d=tp4",
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
        message: format!("Attention DP {dp} and {replicas} replicas are asked for at once."),
        error: Some(format!(
            "--dp-size {replicas} with --attn-dp-size {dp}: data-parallel replicas combined with attention data \
             parallelism are not supported."
        )),
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
