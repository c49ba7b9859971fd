//! The transfer of a plan.

use super::{End, State, Tensor, Transfer, heads};
use crate::planner::catalog::{Attention, Model};
use crate::planner::layers;
use crate::planner::pair::{Pair, Side};
use crate::planner::plan::TransferBackend;
use crate::planner::quantity::Bytes;
use crate::planner::release::Release;
use crate::planner::startup::{flags, has};

/// Why a plan's transfer is not followed.
#[derive(Clone, Debug)]
pub enum Gap {
    /// A fact is missing.
    Missing {
        /// The rule that it would decide.
        rule: &'static str,
        /// The field that would tell.
        field: &'static str,
    },
    /// The planner does not know how this travels; what it is.
    Unfollowed(&'static str),
}

/// A plan's transfer.
pub struct Planned {
    /// The transfer.
    pub transfer: Transfer,
    /// Whether the KV layers of each stage are known, and not assumed.
    pub knows_layers: bool,
}

/// More layers than any model has; a transfer of so many is not followed.
const MOST_LAYERS: u32 = 1024;

/// The transfer between a plan's two servers; none where nothing travels, or ranks do not meet as
/// the transfer code expects.
///
/// # Errors
/// When it depends on a fact that is missing, or is not known to the planner.
pub fn of(pair: &Pair<'_>) -> Result<Option<Planned>, Gap> {
    let (prefill, decode) = (&pair.prefill, &pair.decode);
    let backend = match prefill.server.transfer_backend {
        TransferBackend::MooncakeTcp => TransferBackend::Mooncake,
        other => other,
    };
    let Some(mapping) = &pair.mapping else { return Ok(None) };
    let Some(pool) = pair.attention() else {
        let decided = [
            (mapping.prefill_pp > 1, "stages-must-divide-the-layers"),
            (prefill.widths.dcp != decode.widths.dcp && prefill.widths.dcp > 1, "dcp-goes-from-1-to-many"),
            (drafts(prefill) && !drafts(decode), "draft-kv-needs-a-draft-on-decode"),
        ];
        let decided = decided.into_iter().find(|(decides, _)| *decides && backend != TransferBackend::Fake);
        return decided.map_or(Ok(None), |(_, rule)| Err(Gap::Missing { rule, field: "model.attention" }));
    };
    let (from, to) = (mapping.prefill_tp, mapping.decode_tp);
    let meets = from.max(to).checked_rem(from.min(to)) == Some(0);
    let stages_meet = mapping.prefill_pp == mapping.decode_pp || mapping.decode_pp == 1;
    if backend == TransferBackend::Fake || !meets || !stages_meet {
        return Ok(None);
    }
    let unified = [prefill, decode].map(has_unified_memory);
    if unified != [false; 2] {
        let is_equal = unified == [true; 2] && from == to && mapping.prefill_pp == mapping.decode_pp;
        let is_judged = !is_equal && backend != TransferBackend::Nixl && backend != TransferBackend::Mori;
        match (is_equal, is_judged && prefill.release >= Release::V0_5_18) {
            (true, _) => {}
            // A rule of its own speaks.
            (false, true) => return Ok(None),
            (false, false) => return Err(Gap::Unfollowed("a unified memory pool over different ranks")),
        }
    }
    if pair.publishes_sharding() {
        return Err(Gap::Unfollowed("pages that prefill ranks share among them"));
    }
    let Some(model) = pair.model else { return Ok(None) };
    let has_stages = mapping.prefill_pp > 1;
    let release = prefill.release;
    let layers = model.kv_layers.or(model.layers);
    if has_stages && layers.is_none() {
        return Err(Gap::Missing { rule: "stages-must-divide-the-layers", field: "model.layers" });
    }
    if pool == Attention::Gqa && heads::matter(backend, release, from, to) && model.kv_heads.is_none() {
        return Err(Gap::Missing { rule: "more-decode-ranks-than-heads", field: "model.kvHeads" });
    }
    let kinds = match &prefill.states {
        None if from != to || has_stages => {
            return Err(Gap::Missing { rule: "state-needs-equal-attention-tp", field: "model.states" });
        }
        kinds => kinds.clone().unwrap_or_default(),
    };
    // All layers of a model without states have KV, and those of one stage are in no other.
    let is_told = model.kv_layers.is_some() || model.layers.is_some() && kinds.is_empty();
    let layers = layers.unwrap_or(1);
    if layers > MOST_LAYERS {
        return Err(Gap::Unfollowed("so many layers"));
    }
    if mapping.prefill_pp > layers {
        return Err(Gap::Unfollowed("stages without a layer"));
    }
    let Some((prefill_stages, is_exact)) = stages(prefill, model, layers) else { return Ok(None) };
    let Some((decode_stages, _)) = stages(decode, model, layers) else { return Ok(None) };
    let is_compressed = kinds.iter().any(|kind| matches!(*kind, "swa_ring" | "c128_state"));
    if has_stages && is_compressed {
        return Err(Gap::Unfollowed("pipeline stages of a compressed KV pool"));
    }
    if kinds.contains(&"dsa_tail") {
        return Err(Gap::Unfollowed("the tails of pooled index keys"));
    }
    let has_ids = kinds.iter().any(|kind| *kind == "mamba" || kind.starts_with("qsa")) && release >= Release::V0_5_17;
    let end = |side: &Side<'_>, tp: u32, cp: u32, stages: Vec<u32>| End {
        tp,
        cp,
        dcp: side.widths.dcp,
        stages,
        draft: u32::from(drafts(side)),
    };
    let state = |kind: &&str| {
        let held = match *kind {
            "mamba" => model.linear.as_ref().and_then(|linear| linear.layers),
            "swa" => model.swa_layers,
            "dsa" => model.index_layers,
            _ => None,
        };
        let held = held.filter(|layers| *layers <= MOST_LAYERS).unwrap_or(layers);
        let stages = stages(prefill, model, held).map(|(stages, _)| stages).unwrap_or_default();
        State {
            kind: (*kind).to_owned(),
            stages,
            has_layer_ids: has_ids && (*kind == "mamba" || kind.starts_with("qsa")),
            has_dims: true,
            tensors: if *kind == "mamba" { tensors(model) } else { Vec::new() },
            items: 0,
            item_bytes: Bytes::NONE,
            heads: 0,
        }
    };
    let transfer = Transfer {
        release,
        backend,
        pool,
        heads: model.kv_heads.unwrap_or(1),
        prefill: end(prefill, from, mapping.sending_cp, prefill_stages),
        decode: end(decode, to, 1, decode_stages),
        has_layer_ids: has_ids,
        every_stage_drafts: false,
        starts_at_zero: pool == Attention::Gqa && kinds.contains(&"swa"),
        last_stage_first: false,
        splits_layers: pair.publishes_layer_split(),
        states: kinds.iter().map(state).collect(),
        page_size: 1,
        token_bytes: 1,
    };
    Ok(Some(Planned { transfer, knows_layers: is_exact && is_told }))
}

/// The option that puts a hybrid model's KV and states into one pool.
pub const UNIFIED_MEMORY: &str = "--enable-unified-memory";

/// Whether a side has a unified memory pool.
pub fn has_unified_memory(side: &Side<'_>) -> bool {
    let is_hybrid = side.states.as_ref().is_none_or(|states| states.contains(&"mamba"));
    is_hybrid && has(&flags(&side.server.extra, side.release), UNIFIED_MEMORY)
}

/// The KV layers of each stage, and whether they are known exactly.
fn stages(side: &Side<'_>, model: &Model, held: u32) -> Option<(Vec<u32>, bool)> {
    let sizes = |layers: u32| {
        let ranges = layers::of(&side.server, layers).ok()?;
        Some(ranges.into_iter().map(|range| range.end.saturating_sub(range.start)).collect::<Vec<u32>>())
    };
    let all = model.layers.unwrap_or(held);
    if side.widths.pp == 1 || all == held {
        return Some((if side.widths.pp == 1 { vec![held] } else { sizes(held)? }, true));
    }
    match &model.kv_layer_ids {
        // Those with KV, or all the others.
        Some(ids) if ids.len() == held as usize || ids.len().saturating_add(held as usize) == all as usize => {
            let has_kv = ids.len() == held as usize;
            let ranges = layers::of(&side.server, all).ok()?;
            let within = |range: &std::ops::Range<u32>| {
                let count = ids.iter().filter(|id| u32::try_from(**id).is_ok_and(|id| range.contains(&id))).count();
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                if has_kv { count } else { range.end.saturating_sub(range.start).saturating_sub(count) }
            };
            Some((ranges.iter().map(within).collect(), true))
        }
        _ => Some((
            layers::of(&side.server, held).map_or_else(|_| vec![held], |_| sizes(held).unwrap_or_default()),
            false,
        )),
    }
}

/// Whether a side has the KV of a draft model.
fn drafts(side: &Side<'_>) -> bool {
    let kind = side.server.speculative_algorithm.as_deref().unwrap_or_default().to_ascii_uppercase();
    matches!(kind.as_str(), "EAGLE" | "EAGLE3" | "NEXTN" | "STANDALONE" | "DFLASH")
}

/// The tensors of a linear-attention layer: a convolution's state, and the recurrent one.
fn tensors(model: &Model) -> Vec<Tensor> {
    let kind = model.linear.as_ref().and_then(|linear| linear.kind.as_deref()).unwrap_or_default();
    let recurrent = Tensor { dim: 1, bytes: 4, rows: 1, has_groups: false, is_replicated: false };
    let convolution = match kind {
        "gdn" | "mamba2" => Some(Tensor { has_groups: true, ..recurrent }),
        "kda" => Some(Tensor { rows: 3, ..recurrent }),
        _ => None,
    };
    convolution.into_iter().chain([recurrent]).collect()
}
