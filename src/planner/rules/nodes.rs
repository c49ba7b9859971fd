//! What the rules on nodes and their GPUs share.

use super::sizes::{field, flag};
use super::{Break, Judgement, set_size};
use crate::planner::plan::Server;
use crate::planner::report::Fix;
use crate::planner::startup::Startup;
use crate::planner::value::{LIMIT, Size};

/// The file that starts ranks.
pub(super) const ENGINE: &str = "python/sglang/srt/entrypoints/engine.py";

/// What a GPU id past a node's last does.
pub(super) const NO_SUCH_GPU: &str = "Strikes when the server starts on such nodes: ranks whose GPU does not exist log \
    \"CUDA error: invalid device ordinal\" and die, and the server with them.";

/// Whether the plan says on how many nodes the server runs, or how many GPUs they have.
pub(super) fn are_told(server: &Server) -> bool {
    server.nodes != Size::ONE || server.gpus_per_node != Size::EIGHT
}

/// A server with ranks on GPUs that its nodes do not have. Where ranks and nodes do not divide,
/// other rules speak.
pub(super) fn enough_gpus(side: &Startup<'_>) -> Judgement {
    let placement = side.widths.placement;
    if placement.missing_gpus() == 0 || !divide(side, side.widths.nodes) {
        return Judgement::Holds;
    }
    let need = placement.needed_gpus();
    let title = format!("Tell that {} nodes have {need} GPUs, if they do", side.role);
    let larger_nodes = set_size(title, field(side, "gpusPerNode"), need);
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!(
            "With {} {} the {} server needs {need} GPUs on each node, which has {}.",
            flag(side, "nodes"),
            side.widths.nodes,
            side.role,
            side.server.gpus_per_node
        ),
        error: None,
        fields: fields(side),
        fixes: spread(side).into_iter().chain(larger_nodes).collect(),
    })
}

/// The sizes that place ranks.
pub(super) fn fields(side: &Startup<'_>) -> Vec<String> {
    ["nodes", "gpusPerNode", "tp", "pp"].map(|name| field(side, name)).into()
}

/// The fewest nodes that start every rank and have the GPUs for it. SGLang starts replicas on
/// one node only.
pub(super) fn spread(side: &Startup<'_>) -> Option<Fix> {
    let most = if side.widths.replicas == 1 { side.widths.world_size.min(LIMIT) } else { 1 };
    let fits = |nodes: &u32| divide(side, *nodes) && side.widths.placement.on(*nodes).missing_gpus() == 0;
    let nodes = (1..=most).find(fits)?;
    set_size(format!("Set {} {} to {nodes}", side.role, flag(side, "nodes")), field(side, "nodes"), nodes)
}

/// Whether that many nodes divide the ranks, and start every one of them.
fn divide(side: &Startup<'_>, nodes: u32) -> bool {
    side.widths.world_size.checked_rem(nodes) == Some(0) && side.widths.placement.on(nodes).is_whole()
}
