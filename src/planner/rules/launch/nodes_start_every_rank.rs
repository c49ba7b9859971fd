//! Pipeline stages and nodes.

use super::super::nodes::{ENGINE, fields, spread};
use crate::planner::release::Range;
use crate::planner::startup::Startup;
use crate::planner::rules::{Break, Judgement, rule};

rule! {
    /// Nodes must divide the pipeline stages, or the stages the nodes.
    ///
    /// Every node works out which ranks it starts, ⌊stages / nodes⌋ whole stages or its share of
    /// one, and does not look at the remainder: stages that no node starts, or nodes that start
    /// stages beyond the last.
    "nodes-start-every-rank", Launch Hangs in Range::ALL, None,
    seen: "Strikes when the server starts: its ranks wait in init_process_group for those that never come, until \
           PyTorch gives up minutes later. No message names the cause.",
    evidence: Read, sources: [(ENGINE, "_calculate_rank_ranges")],
    breaks: "p=tp4.pp3.n2&d=tp4", holds: "p=tp4.pp4.n2&d=tp4",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (widths, placement) = (&side.widths, side.widths.placement);
    // Where the nodes do not divide the ranks, SGLang refuses to start.
    if placement.is_whole() || widths.world_size.checked_rem(widths.nodes) != Some(0) {
        return Judgement::Holds;
    }
    let what = match (placement.missing_ranks(), placement.surplus_nodes()) {
        (0, nodes) => format!("{nodes} start ranks that the server does not have"),
        (ranks, _) => format!("none starts {ranks} of {} ranks", widths.world_size),
    };
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!("{} pipeline stages do not spread evenly over {} nodes: {what}.", widths.pp, widths.nodes),
        error: None,
        fields: fields(side),
        fixes: spread(side).into_iter().collect(),
    })
}
