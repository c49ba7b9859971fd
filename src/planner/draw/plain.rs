//! The rank map as plain text: one line a decode rank, then one a machine where there are several.

use super::svg::no_map;
use crate::planner::map::DecodeRank;
use crate::planner::mapping::Peer;
use crate::planner::placement::Node;
use crate::planner::report::Report;
use crate::planner::widths::Widths;
use std::ops::Range;

/// The rank map as ASCII: who a decode rank pulls from, dummies in parentheses.
pub fn plain(report: &Report) -> String {
    let map = match &report.map {
        None => {
            let (what, why) = no_map(report);
            format!("{what}: {why}\n")
        }
        Some(map) => map.decode_ranks.iter().map(|rank| line(report, rank)).collect(),
    };
    map + &machines("prefill", &report.prefill) + &machines("decode", &report.decode)
}

/// Machines that are listed.
const MOST_MACHINES: usize = 64;

/// What each machine of a server starts, if there are several; a line each.
fn machines(side: &str, widths: &Widths) -> String {
    if widths.nodes == 1 {
        return String::new();
    }
    let last = |range: &Range<u32>| range.end.saturating_sub(1);
    let line = |(number, Node { pp_ranks: pp, tp_ranks: tp, gpus }): (usize, Node)| {
        let (last_pp, last_tp, last_gpu) = (last(&pp), last(&tp), last(&gpus));
        let ranks = format!("pp{}-{last_pp} tp{}-{last_tp}", pp.start, tp.start);
        format!("{side} node {number}: {ranks} on gpu{}-{last_gpu}\n", gpus.start)
    };
    // More nodes than ranks have none to start; then SGLang refuses, and there is nothing to list.
    let is_used = |node: &Node| !node.tp_ranks.is_empty();
    widths.placement.nodes().filter(is_used).take(MOST_MACHINES).enumerate().map(line).collect()
}

fn line(report: &Report, rank: &DecodeRank) -> String {
    let stage = if report.decode.pp > 1 { format!("pp{} ", rank.pp_rank) } else { String::new() };
    let peers: Vec<String> = rank.peers.iter().map(|peer| peer_text(report, peer)).collect();
    let from = rank.missing.clone().unwrap_or_else(|| peers.join(" "));
    format!("decode {stage}tp{} <- {from}\n", rank.tp_rank)
}

fn peer_text(report: &Report, peer: &Peer) -> String {
    let mut at = Vec::new();
    if report.prefill.pp > 1 {
        at.push(format!("pp{}", peer.pp));
    }
    if report.prefill.attention_cp > 1 {
        at.push(format!("cp{}", peer.cp));
    }
    at.push(format!("tp{}", peer.tp));
    let at = at.join(".");
    if peer.dummy { format!("({at})") } else { at }
}
