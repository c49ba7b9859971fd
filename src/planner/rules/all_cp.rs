//! What the two rules on "all CP ranks" share.

use super::{Judgement, decode, prefill};
use crate::planner::pair::{ALL_CP_RANKS_ENV, Pair, Side};
use crate::planner::plan::Role;
use crate::planner::report::{Edit, Fix};
use crate::planner::value::FieldType;

/// Sets the variable on a side, or removes it.
pub(super) fn set_env(side: &Side<'_>, on: bool) -> Fix {
    let mut env = side.server.env.clone();
    let (title, field) = match (side.role, on) {
        (Role::Prefill, true) => ("Set it on prefill too", prefill("env")),
        (Role::Prefill, false) => ("Remove it from prefill", prefill("env")),
        (Role::Decode, true) => ("Set it on decode too", decode("env")),
        (Role::Decode, false) => ("Remove it from decode", decode("env")),
    };
    if on {
        env.insert(ALL_CP_RANKS_ENV.to_owned(), "1".to_owned());
    } else {
        env.remove(ALL_CP_RANKS_ENV);
    }
    Fix { title: title.to_owned(), edits: vec![Edit { field, value: env.to_value() }] }
}

/// What makes a side take all CP ranks: the variable, or something else about it.
pub(super) fn cause(side: &Side<'_>) -> &'static str {
    if side.server.env_is_on(ALL_CP_RANKS_ENV) {
        ALL_CP_RANKS_ENV
    } else if side.server.enable_kv_cache_sharding {
        "--enable-kv-cache-sharding"
    } else {
        "its hybrid-MLA pool"
    }
}

/// Prefill's CP width, and how many of its CP ranks are pulled from and send; or what a rule
/// says when that is not known or does not matter.
pub(super) fn widths(pair: &Pair<'_>) -> Result<(u32, u32, u32), Judgement> {
    match pair.mapping {
        Some(mapping) if mapping.prefill_cp > 1 => Ok((mapping.prefill_cp, mapping.pulled_cp, mapping.sending_cp)),
        None if pair.prefill.widths.attention_cp > 1 && pair.attention().is_none() => {
            Err(Judgement::Needs("model.attention".to_owned()))
        }
        Some(_) | None => Err(Judgement::Holds),
    }
}
