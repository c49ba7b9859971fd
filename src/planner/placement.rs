//! Placement: which node starts a rank, and on which of its GPUs.
//!
//! Mirrors `_calculate_rank_ranges` and the `gpu_id` of `Engine._launch_scheduler_processes`
//! (`entrypoints/engine.py`) and, for attention DP and replicas, of `DataParallelController`.
//! SGLang divides here without looking at remainders, so a rank may be started by no node, and
//! a node may start ranks that the server does not have or on GPUs that the node does not
//! have: the numbers are SGLang's even then, and rules judge them.
//! `SGLANG_ONE_VISIBLE_DEVICE_PER_PROCESS`, which renames GPUs, is left out.

use super::plan::Server;
use super::value::Size;
use serde::{Serialize, Serializer};
use std::ops::Range;

/// How a server's ranks are spread over its nodes, in closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    tp: u32,
    pp: u32,
    replicas: u32,
    nodes: u32,
    gpus_per_node: u32,
    base_gpu: u32,
    gpu_step: u32,
}

/// What one node starts of one copy of the server, and the GPUs of all copies on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Pipeline stages.
    #[serde(serialize_with = "ends")]
    pub pp_ranks: Range<u32>,
    /// TP ranks of each.
    #[serde(serialize_with = "ends")]
    pub tp_ranks: Range<u32>,
    /// From the first GPU id to the last.
    #[serde(serialize_with = "ends")]
    pub gpus: Range<u32>,
}

/// Where a rank runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The node's number.
    pub node: u32,
    /// The GPU's number on it.
    pub gpu: u32,
}

/// What is said of a rank without a spot.
pub const NEVER_STARTS: &str = "no node starts it";

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {}, GPU {}", self.node, self.gpu)
    }
}

/// The placement of a server. `--base-gpu-id` and `--gpu-id-step` are read from its other flags.
pub fn of(server: &Server) -> Placement {
    let [tp, pp, replicas, nodes, gpus_per_node] =
        [server.tp, server.pp, server.replicas, server.nodes, server.gpus_per_node].map(Size::number);
    let base_gpu = flag(&server.extra, "--base-gpu-id", 0);
    let gpu_step = flag(&server.extra, "--gpu-id-step", 1);
    Placement { tp, pp, replicas, nodes, gpus_per_node, base_gpu, gpu_step }
}

/// The last value of a flag among words; what is no number is the default.
fn flag(words: &[String], name: &str, default: u32) -> u32 {
    let following = words.iter().skip(1).map(String::as_str).chain([""]);
    let values = words.iter().zip(following).filter_map(|(word, following)| match word.strip_prefix(name)? {
        "" => Some(following),
        rest => rest.strip_prefix('='),
    });
    values.last().and_then(|value| value.parse().ok()).unwrap_or(default)
}

impl Placement {
    /// The same server on another number of nodes.
    pub fn on(self, nodes: u32) -> Placement {
        Placement { nodes, ..self }
    }

    /// What a node starts.
    pub fn node(&self, node: u32) -> Node {
        let (stages, ranks) = (self.stages_per_node(), self.ranks_per_node());
        let (group, place) = div_rem(node, self.nodes_per_stage());
        let run = |size: u32, at: u32| {
            let first = size.saturating_mul(at);
            first..first.saturating_add(size)
        };
        let gpus = if ranks == 0 { 0..0 } else { self.base_gpu..self.last_gpu().saturating_add(1) };
        Node { pp_ranks: run(stages, group), tp_ranks: run(ranks, place), gpus }
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..self.nodes).map(|node| self.node(node))
    }

    /// Where a rank of a copy runs; `None` if no node starts it.
    pub fn spot(&self, replica: u32, pp: u32, tp: u32) -> Option<Spot> {
        let (group, stage) = div_rem(pp, self.stages_per_node());
        let (place, rank) = (tp.checked_div(self.ranks_per_node())?, tp.checked_rem(self.ranks_per_node())?);
        let node = group.saturating_mul(self.nodes_per_stage()).saturating_add(place);
        let gpu = self.gpu(stage, rank).saturating_add(self.copy_offset(replica));
        (place < self.nodes_per_stage() && node < self.nodes).then_some(Spot { node, gpu })
    }

    /// Ranks of one copy that no node starts.
    pub fn missing_ranks(&self) -> u32 {
        let full = |size: u32, groups: u32, most: u32| size.saturating_mul(groups).min(most);
        let stages = full(self.stages_per_node(), div(self.nodes, self.nodes_per_stage()), self.pp);
        let started = stages.saturating_mul(full(self.ranks_per_node(), self.nodes_per_stage(), self.tp));
        self.tp.saturating_mul(self.pp).saturating_sub(started)
    }

    /// Nodes that start ranks of pipeline stages which the server does not have.
    pub fn surplus_nodes(&self) -> u32 {
        self.nodes.saturating_sub(self.nodes_per_stage().saturating_mul(self.pp))
    }

    /// How many GPUs more a node would have to have.
    pub fn missing_gpus(&self) -> u32 {
        if self.ranks_per_node() == 0 { 0 } else { self.needed_gpus().saturating_sub(self.gpus_per_node) }
    }

    /// How many GPUs a node has to have: the last GPU id that it uses, and one.
    pub fn needed_gpus(&self) -> u32 {
        self.last_gpu().saturating_add(1)
    }

    /// Whether every rank is started, and no other.
    pub fn is_whole(&self) -> bool {
        self.missing_ranks() == 0 && self.surplus_nodes() == 0
    }

    /// `pp_size_per_node`.
    fn stages_per_node(&self) -> u32 {
        div(self.pp, self.nodes).max(1)
    }

    /// `nnodes_per_pp_rank`.
    fn nodes_per_stage(&self) -> u32 {
        div(self.nodes, self.pp).max(1)
    }

    /// `tp_size_per_node`.
    fn ranks_per_node(&self) -> u32 {
        div(self.tp, self.nodes_per_stage())
    }

    /// The GPU of a rank of the first copy, by its place on the node. SGLang multiplies only the
    /// TP part by the step.
    fn gpu(&self, stage: u32, rank: u32) -> u32 {
        let first = self.base_gpu.saturating_add(stage.saturating_mul(self.ranks_per_node()));
        first.saturating_add(rank.saturating_mul(self.gpu_step))
    }

    fn copy_offset(&self, replica: u32) -> u32 {
        [self.tp, self.pp, self.gpu_step].iter().fold(replica, |product, size| product.saturating_mul(*size))
    }

    fn last_gpu(&self) -> u32 {
        let last = |size: u32| size.saturating_sub(1);
        let of_first_copy = self.gpu(last(self.stages_per_node()), last(self.ranks_per_node()));
        of_first_copy.saturating_add(self.copy_offset(last(self.replicas)))
    }
}

/// A quotient; what sizes are divided by is 1 or more.
fn div(number: u32, by: u32) -> u32 {
    number.checked_div(by).unwrap_or_default()
}

fn div_rem(number: u32, by: u32) -> (u32, u32) {
    (div(number, by), number.checked_rem(by).unwrap_or_default())
}

impl Serialize for Placement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Listed {
            nodes: Vec<Node>,
            missing_ranks: u32,
            missing_gpus: u32,
        }
        let (missing_ranks, missing_gpus) = (self.missing_ranks(), self.missing_gpus());
        Listed { nodes: self.nodes().collect(), missing_ranks, missing_gpus }.serialize(serializer)
    }
}

/// The first and the last of a range; nothing of one that is empty.
fn ends<S: Serializer>(range: &Range<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    let ends = [range.start, range.end.saturating_sub(1)];
    serializer.collect_seq(ends.iter().filter(|_| !range.is_empty()))
}
