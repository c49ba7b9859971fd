//! What the rules on nodes and their GPUs share.

use super::sizes::{field, flag};
use super::{Break, Judgement, set_size};
use crate::planner::pair::Side;
use crate::planner::placement::Placement;
use crate::planner::plan::Server;
use crate::planner::report::Fix;
use crate::planner::value::LIMIT;

/// The file that starts ranks.
pub(super) const ENGINE: &str = "python/sglang/srt/entrypoints/engine.py";

/// Whether the plan says on how many nodes the server runs, or how many GPUs they have.
pub(super) fn are_told(server: &Server) -> bool {
    let default = Server::default();
    server.nodes != default.nodes || server.gpus_per_node != default.gpus_per_node
}

/// A server with ranks on GPUs that its nodes do not have. Where ranks and nodes do not divide,
/// other rules speak.
pub(super) fn enough_gpus(side: &Side<'_>) -> Judgement {
    let (widths, have) = (&side.widths, side.server.gpus_per_node.number());
    let placement = widths.placement;
    if placement.missing_gpus() == 0 || !divides(side, widths.nodes) {
        return Judgement::Holds;
    }
    let need = placement.needed_gpus();
    let on = if widths.nodes == 1 { "One node".to_owned() } else { format!("Each of {} nodes", widths.nodes) };
    let enough = |nodes: &u32| divides(side, *nodes) && placement.on(*nodes).missing_gpus() == 0;
    // SGLang starts replicas on one node only.
    let nodes = (widths.nodes..=most(side)).find(enough).filter(|_| widths.replicas == 1);
    let more_nodes = nodes.and_then(|nodes| spread(side, nodes));
    let title = format!("Tell that {} nodes have {need} GPUs, if they do", side.role);
    let larger_nodes = set_size(title, field(side, "gpusPerNode"), need);
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!(
            "{on} of the {} server uses GPU ids up to {} and has {have} GPUs.",
            side.role,
            need.saturating_sub(1)
        ),
        error: None,
        fields: ["nodes", "gpusPerNode", "tp", "pp", "replicas"].map(|name| field(side, name)).into(),
        fixes: more_nodes.into_iter().chain(larger_nodes).collect(),
    })
}

/// The nearest smaller and larger number of nodes on which every rank is started.
pub(super) fn whole(side: &Side<'_>) -> Vec<Fix> {
    let nodes = side.widths.nodes;
    let starts_all = |nodes: &u32| divides(side, *nodes);
    let fewer = (1..nodes).rev().find(starts_all);
    let more = (nodes..=most(side)).find(starts_all);
    fewer.into_iter().chain(more).filter_map(|nodes| spread(side, nodes)).collect()
}

/// The most nodes worth a look.
fn most(side: &Side<'_>) -> u32 {
    side.widths.world_size.min(LIMIT)
}

/// Whether that many nodes divide the ranks, and start every one of them.
fn divides(side: &Side<'_>, nodes: u32) -> bool {
    let placement: Placement = side.widths.placement.on(nodes);
    side.widths.world_size.checked_rem(nodes) == Some(0) && placement.is_whole()
}

fn spread(side: &Side<'_>, nodes: u32) -> Option<Fix> {
    set_size(format!("Set {} {} to {nodes}", side.role, flag(side, "nodes")), field(side, "nodes"), nodes)
}
