//! Ranks in words: what each connects to and waits for.

use super::map::{DecodeRank, Map};
use super::mapping::Peer;
use super::placement::NEVER_STARTS;
use super::report::Report;
use super::widths::{Coordinates, Widths};

/// A rank's connections and what it waits for, by its name in the drawing, such as `d0.3`.
pub fn describe(report: &Report, map: &Map, id: &str) -> Option<String> {
    let (side, numbers) = id.split_at_checked(1)?;
    let numbers: Vec<u32> = numbers.split('.').filter_map(|number| number.parse().ok()).collect();
    match (side, numbers.as_slice()) {
        ("d", [pp, tp]) => {
            let found = map.decode_ranks.iter().find(|rank| rank.pp_rank == *pp && rank.tp_rank == *tp);
            found.map(|rank| decode_rank(report, rank))
        }
        ("p", [pp, cp, tp]) => {
            let own =
                || map.connections.iter().filter(|c| c.prefill.pp == *pp && c.prefill.cp == *cp && c.prefill.tp == *tp);
            let (all, dummies) = (own().count(), own().filter(|connection| connection.dummy).count());
            let needs = map.decode_ranks.first().map_or(0, |rank| rank.required_dst_info_num);
            let at = format!("Prefill {} · {}", place(*pp, *cp, *tp), spot(&report.prefill, *pp, *cp, *tp));
            Some(match all {
                0 => format!("{at} · no decode rank contacts it."),
                _ => format!(
                    "{at} · {} connected, {dummies} of them as dummies; it sends after {}.",
                    count(all, "decode rank"),
                    count(needs, "registration")
                ),
            })
        }
        _ => None,
    }
}

/// The node and the GPU of a rank of DP group 0.
fn spot(widths: &Widths, pp: u32, attention_cp: u32, attention_tp: u32) -> String {
    let at = Coordinates { pp, attention_dp: 0, attention_cp, attention_tp };
    widths.spot(at).map_or_else(|| NEVER_STARTS.to_owned(), |spot| spot.to_string())
}

fn place(pp: u32, cp: u32, tp: u32) -> String {
    format!("PP {pp}, CP {cp}, TP {tp}")
}

/// A number of things.
fn count(number: impl std::fmt::Display, thing: &str) -> String {
    let text = number.to_string();
    let plural = if text == "1" { "" } else { "s" };
    format!("{text} {thing}{plural}")
}

fn decode_rank(report: &Report, rank: &DecodeRank) -> String {
    let spot = spot(&report.decode, rank.pp_rank, 0, rank.tp_rank);
    let at = format!("Decode PP {}, TP {} · {spot}", rank.pp_rank, rank.tp_rank);
    if let Some(missing) = &rank.missing {
        return format!("{at} · {missing}");
    }
    let real = rank.peers.iter().filter(|peer| !peer.dummy).count();
    format!(
        "{at} · pulls from {}, keeps {}, waits for {}: {}.",
        count(real, "prefill rank"),
        count(rank.peers.len().abs_diff(real), "dummy connection"),
        count(rank.required_prefill_response_num, "report"),
        list(&rank.peers)
    )
}

/// Peers in SGLang's order, dummies in parentheses.
fn list(peers: &[Peer]) -> String {
    let one = |peer: &Peer| {
        let at = place(peer.pp, peer.cp, peer.tp);
        if peer.dummy { format!("({at})") } else { at }
    };
    let shown: Vec<String> = peers.iter().take(16).map(one).collect();
    let more = peers.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join("; "))
}

/// The decode ranks, `most` of them: place, node and GPU, prefill ranks, reports and registrations
/// that are waited for.
pub fn rows(report: &Report, map: &Map, most: usize) -> Vec<Vec<String>> {
    let row = |rank: &DecodeRank| {
        let from = rank.missing.clone().unwrap_or_else(|| list(&rank.peers));
        let counts = [rank.required_prefill_response_num, rank.required_dst_info_num].map(|number| number.to_string());
        let [responses, registrations] = counts;
        let spot = spot(&report.decode, rank.pp_rank, 0, rank.tp_rank);
        vec![format!("PP {}, TP {}", rank.pp_rank, rank.tp_rank), spot, from, responses, registrations]
    };
    map.decode_ranks.iter().take(most).map(row).collect()
}
