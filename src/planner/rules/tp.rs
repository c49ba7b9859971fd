//! What the rules on attention TP widths share.

use super::{decode, prefill, set_size};
use crate::planner::pair::{Pair, Side};
use crate::planner::plan::Role;
use crate::planner::report::Fix;

/// Both widths, in words.
pub(super) fn widths(pair: &Pair<'_>) -> String {
    let (prefill, decode) = (pair.prefill.widths.attention_tp, pair.decode.widths.attention_tp);
    format!("prefill attention TP is {prefill}, decode attention TP {decode}")
}

/// Whether the pool is known to hold a latent, so that rules on heads do not concern it.
pub(super) fn is_latent(pair: &Pair<'_>) -> bool {
    pair.has_latent() == Some(true)
}

/// Edits that give one side the other's attention TP width by changing its TP.
pub(super) fn equalize(pair: &Pair<'_>) -> Vec<Fix> {
    [(&pair.decode, &pair.prefill), (&pair.prefill, &pair.decode)]
        .into_iter()
        .filter_map(|(side, other)| widen(side, other.widths.attention_tp))
        .collect()
}

/// An edit that gives a side an attention TP width by changing its TP.
pub(super) fn widen(side: &Side<'_>, width: u32) -> Option<Fix> {
    let tp = width.checked_mul(side.widths.attention_dp)?.checked_mul(side.widths.attention_cp)?;
    let (role, field) = match side.role {
        Role::Prefill => ("prefill", prefill("tp")),
        Role::Decode => ("decode", decode("tp")),
    };
    let gpus = tp.checked_mul(side.widths.pp)?.checked_mul(side.widths.replicas)?;
    set_size(format!("Set {role} TP to {tp} · attention TP becomes {width}, {gpus} GPUs"), field, tp)
}
