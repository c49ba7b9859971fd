//! The connections of a plan as comma-separated values: a line each, heads first.

use crate::planner::pair::Pair;
use crate::planner::payload::{Counted, count};
use crate::planner::report::Report;

/// The columns; those of what is carried are empty where it is not counted, and for dummies.
const HEADS: &str = "prefill_pp,prefill_cp,prefill_tp,decode_pp,decode_tp,dummy,first_layer,end_layer,kv_layers,\
                     first_head,heads,into_head,tokens,every,first_token,states,bytes";

/// The connections, or the heads alone where there are none.
pub fn csv(pair: &Pair<'_>, report: &Report) -> String {
    let mut out = format!("{HEADS}\r\n");
    let Some(map) = &report.map else { return out };
    let counted = count(pair, report).ok();
    for (at, connection) in map.connections.iter().enumerate() {
        let (from, to) = (connection.prefill, connection.decode);
        out.push_str(&format!("{},{},{},{},{},{}", from.pp, from.cp, from.tp, to.pp, to.tp, connection.dummy));
        out.push_str(&carried(counted.as_ref(), at));
        out.push_str("\r\n");
    }
    out
}

fn carried(counted: Option<&Counted>, at: usize) -> String {
    let share = counted.and_then(|counted| counted.shares.get(counted.of.get(at).copied().flatten()?));
    let Some(share) = share else { return ",".repeat(11) };
    let [first, end] = share.layers;
    let heads = share
        .kv_heads
        .map_or_else(|| ",,".to_owned(), |slice| format!("{},{},{}", slice.source, slice.count, slice.destination));
    let states: Vec<String> =
        share.states.iter().map(|state| format!("{}={}", state.kind, state.bytes.number())).collect();
    let tokens = share.tokens;
    format!(
        ",{first},{end},{},{heads},{},{},{},{},{}",
        share.kv_layers,
        tokens.count,
        tokens.every,
        tokens.offset,
        states.join(" "),
        share.bytes.number()
    )
}
