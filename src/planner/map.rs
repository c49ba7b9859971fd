//! The rank map: a mapping's ranks and connections, listed one by one.
//!
//! This is the contract's form of a [`Mapping`] (`payload` adds what travels), for one prefill and one decode DP group;
//! SGLang treats every group alike.

use super::mapping::{Mapping, Peer};
use serde::Serialize;

/// The ranks of one prefill and one decode DP group, and their connections.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Map {
    /// The decode ranks, by pipeline stage, then TP rank.
    pub decode_ranks: Vec<DecodeRank>,
    /// All connections, in the order of the decode ranks and their peers.
    pub connections: Vec<Connection>,
}

/// One decode rank, with what SGLang stores on `PrefillServerInfo`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields carry SGLang's own names; the contract explains them")]
pub struct DecodeRank {
    pub pp_rank: u32,
    pub tp_rank: u32,
    pub target_tp_rank: Option<u32>,
    pub target_tp_ranks: Vec<u32>,
    pub target_cp_ranks: Vec<u32>,
    pub target_pp_ranks: Vec<u32>,
    pub required_dst_info_num: u32,
    pub required_prefill_response_num: u32,
    /// In SGLang's own order; empty when a look-up fails.
    pub peers: Vec<Peer>,
    /// The text with which the rank's request fails: of the look-up, or of a check before it.
    pub missing: Option<String>,
}

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Connection {
    /// The rank that sends.
    pub prefill: PrefillRank,
    /// The rank that receives.
    pub decode: DecodeAt,
    /// Whether it carries no KV.
    pub dummy: bool,
}

/// A prefill rank's place in its DP group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "coordinates")]
pub struct PrefillRank {
    pub pp: u32,
    pub cp: u32,
    pub tp: u32,
}

/// A decode rank's place in its DP group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "coordinates")]
pub struct DecodeAt {
    pub pp: u32,
    pub tp: u32,
}

impl Map {
    /// The most connections that a map lists. Beyond it a report has no map and says so.
    pub const MOST_CONNECTIONS: u64 = 262_144;

    /// The ranks and connections of a mapping, listed. With the text of a request that fails
    /// before any look-up, ranks have their targets, and nothing connects.
    pub fn of(mapping: &Mapping, failure: Option<&str>) -> Map {
        let mut map = Map { decode_ranks: Vec::new(), connections: Vec::new() };
        for pp in 0..mapping.decode_pp {
            for tp in 0..mapping.decode_tp {
                let rank = decode_rank(mapping, failure, pp, tp);
                map.connections.extend(rank.peers.iter().map(|peer| Connection {
                    prefill: PrefillRank { pp: peer.pp, cp: peer.cp, tp: peer.tp },
                    decode: DecodeAt { pp, tp },
                    dummy: peer.dummy,
                }));
                map.decode_ranks.push(rank);
            }
        }
        map
    }
}

fn decode_rank(mapping: &Mapping, failure: Option<&str>, pp: u32, tp: u32) -> DecodeRank {
    let target = mapping.target(pp, tp);
    let (peers, missing) = match (failure, mapping.peers(&target)) {
        (Some(failure), _) => (Vec::new(), Some(failure.to_owned())),
        (None, Ok(peers)) => (peers, None),
        (None, Err(peer)) => (Vec::new(), Some(missing_text(0, peer.cp, peer.tp, peer.pp))),
    };
    DecodeRank {
        pp_rank: pp,
        tp_rank: tp,
        target_tp_rank: target.selected,
        target_tp_ranks: target.tp.collect(),
        target_cp_ranks: target.cp.collect(),
        target_pp_ranks: target.pp.collect(),
        required_dst_info_num: mapping.required_registrations(),
        required_prefill_response_num: mapping.required_responses(),
        peers,
        missing,
    }
}

/// SGLang's text for a look-up that finds no prefill rank.
pub fn missing_text(dp: u32, cp: u32, tp: u32, pp: u32) -> String {
    format!(
        "Could not fetch bootstrap info for: prefill_dp_rank: {dp} prefill_cp_rank: {cp} \
         target_tp_rank: {tp} and target_pp_rank {pp}"
    )
}
