//! Where ranks stand and which connect.

use super::machine::{Machine, machines};
use crate::planner::map::Map;
use crate::planner::mapping::Mapping;
use crate::planner::pair::{Pair, Side};
use crate::planner::payload::Counted;
use crate::planner::placement::NEVER_STARTS;
use crate::planner::plan::Role;
use crate::planner::quantity::Bytes;
use crate::planner::widths::Coordinates;

/// The most nodes of a side; beyond, neighbours fold into one.
pub const MOST_NODES: u32 = 128;

/// A rank map ready to draw.
pub struct Scene {
    /// Prefill nodes, top to bottom.
    pub prefill: Column,
    /// Decode nodes, top to bottom.
    pub decode: Column,
    /// Connections between them.
    pub edges: Vec<Edge>,
    /// The bytes of the heaviest one; 0 where they are not counted.
    pub heaviest: Bytes,
    /// Height of the drawing.
    pub height: f32,
}

/// One side's nodes.
pub struct Column {
    /// The side.
    pub role: Role,
    /// Ranks that one node stands for.
    pub fold: u32,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// Height of a node.
    pub node_height: f32,
    /// The machines of a server that has several, beside the nodes that they run.
    pub machines: Vec<Machine>,
}

/// A rank, or a run of neighbouring ranks.
pub struct Node {
    /// Its name in the page: `p` pp.cp.tp or `d` pp.tp.
    pub id: String,
    /// Its coordinates in words.
    pub label: String,
    /// The rank's number in the server, or what it waits for.
    pub detail: String,
    /// A whole sentence on it.
    pub spoken: String,
    /// Its middle.
    pub y: f32,
    /// Whether it has nobody to talk to, or never starts, and that is why requests fail.
    pub lost: bool,
    /// The first and the last machine that run it; `None` if its ends are started by none.
    pub machines: Option<(u32, u32)>,
}

/// Connections between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The prefill node.
    pub prefill: usize,
    /// The decode node.
    pub decode: usize,
    /// Whether all of them are dummies.
    pub dummy: bool,
    /// What travels over them, in bytes, where that is counted.
    pub bytes: Bytes,
}

/// Space above the first node.
pub const TOP: f32 = 40.0;

/// The scene of a pair; without a map it has no edges.
pub fn scene(pair: &Pair<'_>, map: Option<&Map>, counted: Option<&Counted>) -> Scene {
    let [prefill, decode] = [&pair.prefill, &pair.decode].map(|side| {
        let count = ranks(side);
        Folded { count, fold: count.div_ceil(MOST_NODES).max(1) }
    });
    let most = prefill.nodes().max(decode.nodes()).max(1);
    let pitch = match most {
        0..=12 => 38.0,
        13..=24 => 27.0,
        25..=48 => 21.0,
        _ => 17.0,
    };
    let height = pitch * lossy(most);
    let mapping = pair.mapping.filter(|_| map.is_some());
    let edges =
        map.zip(mapping.as_ref()).map_or_else(Vec::new, |(map, mapping)| edges(map, mapping, counted, prefill, decode));
    Scene {
        prefill: column(&pair.prefill, prefill, height, mapping.as_ref()),
        decode: column(&pair.decode, decode, height, mapping.as_ref()),
        heaviest: edges.iter().map(|edge| edge.bytes).max().unwrap_or_default(),
        edges,
        height: TOP + height + 12.0,
    }
}

/// How many ranks a side has, and how many of them make a node.
#[derive(Clone, Copy)]
struct Folded {
    count: u32,
    fold: u32,
}

impl Folded {
    fn nodes(self) -> u32 {
        self.count.div_ceil(self.fold)
    }
}

/// Ranks of one DP group.
fn ranks(side: &Side<'_>) -> u32 {
    let widths = &side.widths;
    widths.attention_tp.saturating_mul(widths.attention_cp).saturating_mul(widths.pp)
}

fn column(side: &Side<'_>, folded: Folded, height: f32, mapping: Option<&Mapping>) -> Column {
    let (Folded { count, fold }, nodes) = (folded, folded.nodes());
    let pitch = height / lossy(nodes.max(1));
    let place = |index: u32| {
        let first = index.saturating_mul(fold);
        let last = first.saturating_add(fold).min(count).saturating_sub(1);
        node(side, (first, last), TOP + pitch * (lossy(index) + 0.5), mapping)
    };
    let node_height = (pitch - 4.0).clamp(12.0, 34.0);
    let nodes: Vec<Node> = (0..nodes).map(place).collect();
    let machines = if side.widths.nodes > 1 { machines(&nodes, node_height / 2.0) } else { Vec::new() };
    Column { role: side.role, fold, nodes, node_height, machines }
}

/// Coordinates of the `index`-th rank of DP group 0.
fn place(side: &Side<'_>, index: u32) -> Coordinates {
    let widths = &side.widths;
    let (tp_width, cp_width) = (widths.attention_tp.max(1), widths.attention_cp.max(1));
    let (rest, attention_tp) =
        (index.checked_div(tp_width).unwrap_or_default(), index.checked_rem(tp_width).unwrap_or_default());
    Coordinates {
        pp: rest.checked_div(cp_width).unwrap_or_default(),
        attention_dp: 0,
        attention_cp: rest.checked_rem(cp_width).unwrap_or_default(),
        attention_tp,
    }
}

fn node(side: &Side<'_>, (first, last): (u32, u32), y: f32, mapping: Option<&Mapping>) -> Node {
    let (from, to) = (place(side, first), place(side, last));
    let label = label(side, from, to);
    let id = match side.role {
        Role::Prefill => format!("p{}.{}.{}", from.pp, from.attention_cp, from.attention_tp),
        Role::Decode => format!("d{}.{}", from.pp, from.attention_tp),
    };
    let (start, end) = (side.widths.spot(from), side.widths.spot(to));
    let (lost, waits) = match (start, mapping) {
        (None, _) => (true, NEVER_STARTS.to_owned()),
        (Some(_), Some(mapping)) => fate(side.role, mapping, from),
        (Some(_), None) => (false, String::new()),
    };
    let rank = side.widths.rank(from).unwrap_or(first);
    let number = if first == last {
        format!("rank {rank}")
    } else {
        format!("{} ranks", last.abs_diff(first).saturating_add(1))
    };
    let detail = if waits.is_empty() || first != last { number.clone() } else { waits.clone() };
    let on = start.filter(|_| first == last).map_or_else(String::new, |spot| format!(", {spot}"));
    // What is read out begins with what is seen.
    let more = if detail == number { String::new() } else { format!(" {number}") };
    let spoken = format!("{label} {detail}, {}{more}{on}", name(side.role));
    let machines = start.zip(end).map(|(start, end)| (start.node, end.node));
    Node { id, label, detail, spoken, y, lost, machines }
}

/// A side's name at the start of a sentence.
pub fn name(role: Role) -> &'static str {
    match role {
        Role::Prefill => "Prefill",
        Role::Decode => "Decode",
    }
}

/// Whether a rank has nobody to talk to, and what it waits for.
fn fate(role: Role, mapping: &Mapping, at: Coordinates) -> (bool, String) {
    match role {
        Role::Decode if mapping.lost_decode_ranks().contains(&at.attention_tp) => {
            (true, "finds no prefill rank".to_owned())
        }
        Role::Decode => (false, format!("waits for {}", mapping.required_responses())),
        Role::Prefill => {
            let unheard = mapping.lonely_prefill_ranks().contains(&at.attention_tp)
                || at.attention_cp >= mapping.pulled_cp && at.attention_cp < mapping.sending_cp;
            let silent = at.attention_cp >= mapping.sending_cp;
            match (unheard, silent) {
                (true, _) => (true, "nobody contacts it".to_owned()),
                (false, true) => (false, "sends nothing".to_owned()),
                (false, false) => (false, String::new()),
            }
        }
    }
}

/// The coordinates that matter, in words: axes of width 1 are left out, but for TP.
fn label(side: &Side<'_>, from: Coordinates, to: Coordinates) -> String {
    let widths = &side.widths;
    let mut parts = Vec::new();
    let mut part = |name: &str, width: u32, from: u32, to: u32| {
        if width > 1 {
            parts.push(if from == to { format!("{name} {from}") } else { format!("{name} {from}–{to}") });
        }
    };
    part("PP", widths.pp, from.pp, to.pp);
    part("CP", widths.attention_cp, from.attention_cp, to.attention_cp);
    part("TP", widths.attention_tp.max(2), from.attention_tp, to.attention_tp);
    if side.role == Role::Decode && from == to {
        let dcp = from.attention_tp.checked_rem(widths.dcp).unwrap_or_default();
        part("DCP", widths.dcp, dcp, dcp);
    }
    parts.join(" · ")
}

/// Connections between nodes, each pair of nodes once, in the order of the decode nodes.
fn edges(map: &Map, mapping: &Mapping, counted: Option<&Counted>, prefill: Folded, decode: Folded) -> Vec<Edge> {
    let node = |rank: u32, folded: Folded| rank.checked_div(folded.fold).unwrap_or_default();
    let width = prefill.nodes();
    let mut cells: Vec<Option<(bool, Bytes)>> = vec![None; width.saturating_mul(decode.nodes()) as usize];
    for (at, connection) in map.connections.iter().enumerate() {
        let (from, to) = (connection.prefill, connection.decode);
        let group = from.pp.saturating_mul(mapping.prefill_cp).saturating_add(from.cp);
        let from = node(group.saturating_mul(mapping.prefill_tp).saturating_add(from.tp), prefill);
        let to = node(to.pp.saturating_mul(mapping.decode_tp).saturating_add(to.tp), decode);
        if let Some(cell) = cells.get_mut(to.saturating_mul(width).saturating_add(from) as usize) {
            let (all_dummies, bytes) = cell.get_or_insert((true, Bytes::NONE));
            *all_dummies &= connection.dummy;
            *bytes = bytes.and(counted.map_or(Bytes::NONE, |counted| counted.bytes(at)));
        }
    }
    let width = width.max(1) as usize;
    let edge = |(cell, found): (usize, Option<(bool, Bytes)>)| {
        let (dummy, bytes) = found?;
        let (decode, prefill) = (cell.checked_div(width)?, cell.checked_rem(width)?);
        Some(Edge { prefill, decode, dummy, bytes })
    };
    cells.into_iter().enumerate().filter_map(edge).collect()
}

/// A small count as a coordinate.
#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "counts of nodes are far below 2^24")]
pub fn lossy(number: u32) -> f32 {
    number as f32
}
