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
        let shares = self.shares();
        let (group, place) = div_rem(node, shares.nodes_per_stage);
        let run = |size: u32, at: u32| {
            let first = size.saturating_mul(at);
            first..first.saturating_add(size)
        };
        let gpus = if shares.ranks == 0 { 0..0 } else { self.base_gpu..self.needed_gpus() };
        Node { pp_ranks: run(shares.stages, group), tp_ranks: run(shares.ranks, place), gpus }
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..self.nodes).map(|node| self.node(node))
    }

    /// Where a rank of a copy runs; `None` if no node starts it.
    pub fn spot(&self, replica: u32, pp: u32, tp: u32) -> Option<Spot> {
        let shares = self.shares();
        let (group, stage) = div_rem(pp, shares.stages);
        let (place, rank) = div_rem(tp, shares.ranks);
        let node = group.saturating_mul(shares.nodes_per_stage).saturating_add(place);
        let is_started = shares.ranks > 0 && place < shares.nodes_per_stage && node < self.nodes;
        is_started.then_some(Spot { node, gpu: self.gpu(replica, stage, rank) })
    }

    /// Ranks of one copy that no node starts.
    pub fn missing_ranks(&self) -> u32 {
        let shares = self.shares();
        let stages = shares.stages.saturating_mul(div_rem(self.nodes, shares.nodes_per_stage).0).min(self.pp);
        let started = stages.saturating_mul(shares.ranks.saturating_mul(shares.nodes_per_stage));
        self.tp.saturating_mul(self.pp).saturating_sub(started)
    }

    /// Nodes that start ranks of pipeline stages which the server does not have.
    pub fn surplus_nodes(&self) -> u32 {
        self.nodes.saturating_sub(self.shares().nodes_per_stage.saturating_mul(self.pp))
    }

    /// How many GPUs more a node would have to have.
    pub fn missing_gpus(&self) -> u32 {
        self.needed_gpus().saturating_sub(self.gpus_per_node)
    }

    /// How many GPUs a node has to have: the last GPU id that it uses, and one.
    pub fn needed_gpus(&self) -> u32 {
        let shares = self.shares();
        let last = [self.replicas, shares.stages, shares.ranks].map(|size| size.checked_sub(1));
        let [Some(replica), Some(stage), Some(rank)] = last else { return 0 };
        self.gpu(replica, stage, rank).saturating_add(1)
    }

    /// Whether every rank is started, and no other.
    pub fn is_whole(&self) -> bool {
        self.missing_ranks() == 0 && self.surplus_nodes() == 0
    }

    fn shares(&self) -> Shares {
        let nodes_per_stage = div_rem(self.nodes, self.pp).0.max(1);
        Shares {
            stages: div_rem(self.pp, self.nodes).0.max(1),
            nodes_per_stage,
            ranks: div_rem(self.tp, nodes_per_stage).0,
        }
    }

    /// The GPU of a rank, by its copy and its place on the node. SGLang multiplies all but the
    /// stage by the step.
    fn gpu(&self, replica: u32, stage: u32, rank: u32) -> u32 {
        let copies = replica.saturating_mul(self.tp).saturating_mul(self.pp);
        let stepped = copies.saturating_add(rank).saturating_mul(self.gpu_step);
        stage.saturating_mul(self.shares().ranks).saturating_add(stepped).saturating_add(self.base_gpu)
    }
}

/// What a node has a share of.
struct Shares {
    /// `pp_size_per_node`.
    stages: u32,
    /// `nnodes_per_pp_rank`.
    nodes_per_stage: u32,
    /// `tp_size_per_node`.
    ranks: u32,
}

/// Quotient and remainder; nothing fits into 0.
fn div_rem(number: u32, by: u32) -> (u32, u32) {
    (number.checked_div(by).unwrap_or_default(), number.checked_rem(by).unwrap_or_default())
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
