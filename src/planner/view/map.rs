//! The rank map with the bytes of its connections, and one rank of it with the slices that it sends or gets.

use super::escape;
use crate::planner::check::{WithMap, judge};
use crate::planner::draw::{Room, inline};
use crate::planner::pair::Pair;
use crate::planner::payload::{count, words};
use crate::planner::plan::Plan;
use crate::planner::quantity::Bytes;
use crate::planner::ranks;

/// Connections of a rank that are listed.
const MOST_CONNECTIONS: usize = 16;

pub fn map(plan: &Plan, room: Room) -> String {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    let counted = count(&pair, &report);
    inline(&pair, &report, room, counted.as_ref().ok())
}

/// A rank, by its name in the drawing.
pub fn rank(plan: &Plan, id: &str) -> String {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    let Some(map) = &report.map else { return "There is no map: nothing connects.".to_owned() };
    let Some(text) = ranks::describe(&report, map, id) else { return String::new() };
    let mut out = format!("<p>{}</p>", escape(&text));
    let Ok(counted) = count(&pair, &report) else { return out };
    let own = map.connections.iter().zip(&counted.of).filter_map(|(connection, share)| {
        let (from, to) = (connection.prefill, connection.decode);
        let prefill = format!("p{}.{}.{}", from.pp, from.cp, from.tp);
        let decode = format!("d{}.{}", to.pp, to.tp);
        let other = match id {
            _ if id == prefill => format!("to decode PP {}, TP {}", to.pp, to.tp),
            _ if id == decode => format!("from prefill PP {}, CP {}, TP {}", from.pp, from.cp, from.tp),
            _ => return None,
        };
        Some((other, counted.shares.get((*share)?)?))
    });
    let own = Vec::from_iter(own);
    let all: Bytes = own.iter().map(|(_, share)| share.bytes).sum();
    if own.is_empty() {
        return out;
    }
    out.push_str(&format!("<ul aria-label=\"{} in all\">", words::bytes(all)));
    for (other, share) in own.iter().take(MOST_CONNECTIONS) {
        out.push_str(&format!("<li>{other}: {}</li>", escape(&words::share(share))));
    }
    let more = own.len().saturating_sub(MOST_CONNECTIONS);
    if more > 0 {
        out.push_str(&format!("<li>and {more} more</li>"));
    }
    out.push_str("</ul>");
    out
}
