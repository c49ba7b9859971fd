//! The rank map as plain text: one line a decode rank.

use super::svg::no_map;
use crate::planner::map::DecodeRank;
use crate::planner::mapping::Peer;
use crate::planner::report::Report;

/// The rank map as ASCII: who a decode rank pulls from, dummies in parentheses.
pub fn plain(report: &Report) -> String {
    match &report.map {
        None => {
            let (what, why) = no_map(report);
            format!("{what}: {why}\n")
        }
        Some(map) => map.decode_ranks.iter().map(|rank| line(report, rank)).collect(),
    }
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
