//! What becomes of the states that travel beside the KV.

use super::{Entry, Part, State, Strike, Transfer};
use crate::planner::catalog::Attention;
use crate::planner::heads::per_rank;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;

/// The first release whose backends know a state. (`StateType`)
pub fn first_release(kind: &str) -> Release {
    match kind {
        "swa_ring" => Release::V0_5_14,
        "c128_state" | "minimax_index_k" => Release::V0_5_15,
        "block_scale" | "block_scale_swa" => Release::V0_5_19,
        "qsa_pending" | "qsa_compressed" | "dsa_tail" => Release::V0_5_20,
        "minimax_dense_kv" => Release::V0_5_21,
        "request_row" => Release::V0_5_23,
        _ => Release::V0_5_10,
    }
}

/// Sends the states of a prefill stage; what is wrong silently is told.
pub fn stage(transfer: &Transfer, stage: usize) -> Result<Vec<Strike>, Strike> {
    let known = transfer.states.iter().filter(|state| transfer.since(first_release(&state.kind)));
    known.filter_map(|state| one(transfer, state, stage).transpose()).collect()
}

fn one(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
    if transfer.is(TransferBackend::Mori) {
        if !transfer.since(Release::V0_5_12) {
            return Ok(silent(transfer, state, stage, "mori-sends-states-from-0-5-13", |_| true));
        }
        if !transfer.since(Release::V0_5_13) {
            let text = "PD state transfer failed: state_type is 'none' but state_indices were provided";
            return Err(Strike::raises("mori-sends-states-from-0-5-13", "RuntimeError", text));
        }
    }
    if state.kind == "mamba" { mamba(transfer, state, stage) } else { paged(transfer, state, stage) }
}

/// A strike over those tensors of a stage's state, on every decode rank.
fn silent(
    transfer: &Transfer,
    state: &State,
    stage: usize,
    rule: &'static str,
    is_wrong: impl Fn(usize) -> bool,
) -> Option<Strike> {
    let start: u32 = state.stages.iter().take(stage).sum();
    let layers = start..start.saturating_add(state.stages.get(stage).copied().unwrap_or_default());
    let mut entries = Vec::new();
    for layer in layers {
        if state.kind == "mamba" {
            let tensors = (0..state.tensors.len()).filter(|tensor| is_wrong(*tensor));
            let layer = |tensor| layer.saturating_mul(10).saturating_add(u32::try_from(tensor).unwrap_or(9));
            entries.extend(tensors.map(|tensor| Entry { part: Part::State, layer: layer(tensor) }));
        } else {
            let parts: &[Part] =
                if has_heads(transfer, state) { &[Part::StateK, Part::StateV] } else { &[Part::State] };
            entries.extend(parts.iter().map(|part| Entry { part: *part, layer }));
        }
    }
    let pp = u32::try_from(transfer.decode_stage(stage)).unwrap_or(u32::MAX);
    let buffers: Vec<(u32, Entry)> = entries.into_iter().map(|entry| (pp, entry)).collect();
    (!buffers.is_empty()).then(|| Strike::corrupts(rule, buffers, None))
}

/// Whether a state is cut by heads like the KV.
fn has_heads(transfer: &Transfer, state: &State) -> bool {
    transfer.pool == Attention::Gqa && matches!(state.kind.as_str(), "swa" | "block_scale" | "block_scale_swa")
}

fn mamba(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
    let is_mooncake = !matches!(transfer.backend, TransferBackend::Nixl | TransferBackend::Mori);
    if transfer.pp_differs() {
        stages(transfer, state, stage)?;
    }
    let places = transfer.pp_differs() && transfer.is(TransferBackend::Mori) && !transfer.since(Release::V0_5_22);
    if !state.has_dims
        && is_mooncake
        && transfer.since(Release::V0_5_18)
        && (transfer.tp_differs() || transfer.pp_differs())
    {
        let text = layouts_differ(transfer, state, stage);
        return Err(Strike::raises("mamba-needs-its-dimensions", "RuntimeError", text));
    }
    if !transfer.tp_differs() {
        return Ok(if places { by_place(transfer, state, stage) } else { None });
    }
    if transfer.is(TransferBackend::Nixl) && !transfer.since(Release::V0_5_11) {
        let text = "PD Disaggregation does NOT support PD different TP sizes for hybrid mamba models yet.";
        return Err(Strike::raises("mamba-needs-equal-attention-tp", "RuntimeError", text));
    }
    if !state.has_dims {
        let is_cut = |tensor: usize| state.tensors.get(tensor).is_some_and(|tensor| !tensor.is_replicated);
        return Ok(silent(transfer, state, stage, "mamba-needs-its-dimensions", is_cut));
    }
    if state.tensors.iter().any(|tensor| tensor.is_replicated) {
        let rule = "replicated-mamba-needs-equal-attention-tp";
        if !transfer.since(Release::V0_5_20) {
            return Err(Strike::raises(rule, "ZeroDivisionError", "integer division or modulo by zero"));
        }
        if !is_mooncake {
            let text =
                "Replicated Mamba PD state transfer currently requires matching prefill/decode attention TP sizes";
            return Err(Strike::raises(rule, "RuntimeError", text));
        }
        let (from, to) = (transfer.prefill.tp, transfer.decode.tp);
        if from.max(to).checked_rem(from.min(to)) != Some(0) {
            let text = format!(
                "One attention TP size must divide the other for replicated-state transfer: src={from}, dst={to}"
            );
            return Err(Strike::raises(rule, "ValueError", text));
        }
    }
    if places {
        return Ok(by_place(transfer, state, stage));
    }
    let elects = transfer.pool == Attention::HybridMla && transfer.release == Release::V0_5_16 && is_mooncake;
    if elects && transfer.prefill.tp > transfer.decode.tp {
        return Ok(silent(transfer, state, stage, "hybrid-states-come-from-one-rank-in-0-5-16", |_| true));
    }
    let mori = transfer.is(TransferBackend::Mori);
    let groups = transfer.since(if mori { Release::V0_5_22 } else { Release::V0_5_16 });
    let rows = transfer.since(if mori { Release::V0_5_22 } else { Release::V0_5_17 });
    let is_wrong = |tensor: usize| {
        let tensor = state.tensors.get(tensor);
        tensor.is_some_and(|tensor| tensor.has_groups && !groups || tensor.rows > 1 && !rows)
    };
    Ok(silent(transfer, state, stage, "mamba-is-cut-in-one-piece", is_wrong))
}

/// States of stages that meet a decode without stages are found by layer ids.
fn stages(transfer: &Transfer, state: &State, stage: usize) -> Result<(), Strike> {
    let rule = "states-of-stages-need-layer-ids";
    let tensors = state.tensors.len();
    let held = state.stages.get(stage).copied().unwrap_or_default() as usize;
    let (from, to) = (held.saturating_mul(tensors), state.stages.iter().sum::<u32>() as usize);
    let to = to.saturating_mul(tensors);
    let since = if transfer.is(TransferBackend::Mori) { Release::V0_5_22 } else { Release::V0_5_17 };
    if transfer.since(since) {
        if state.has_layer_ids || from == to {
            return Ok(());
        }
        let text = heterogeneous(from, to);
        return Err(Strike::raises(rule, "RuntimeError", text));
    }
    let is_beyond = transfer.prefill.start(stage) > 0 || stage > 0;
    if transfer.is(TransferBackend::Mori) || !is_beyond {
        return Ok(());
    }
    Err(Strike::raises(rule, "IndexError", "list index out of range"))
}

fn heterogeneous(from: usize, to: usize) -> String {
    format!("PP-heterogeneous transfer requires layer ids on both peers; got src={from} dst={to} entries")
}

/// Every stage writes decode's first entries: those that it should have written stay as they were, or
/// hold another's.
fn by_place(transfer: &Transfer, state: &State, stage: usize) -> Option<Strike> {
    silent(transfer, state, stage, "states-of-stages-need-layer-ids", |_| true)
}

fn layouts_differ(transfer: &Transfer, state: &State, stage: usize) -> String {
    let lengths = |tp: u32, layers: u32| {
        let length = |tensor: &super::Tensor| {
            let dim = if tensor.is_replicated { tensor.dim } else { tensor.dim.checked_div(tp).unwrap_or_default() };
            let length = dim.saturating_mul(tensor.bytes).saturating_mul(tensor.rows).to_string();
            std::iter::repeat_n(length, layers as usize)
        };
        state.tensors.iter().flat_map(length).collect::<Vec<_>>().join(", ")
    };
    let held = state.stages.get(stage).copied().unwrap_or_default();
    let (from, to) =
        (lengths(transfer.prefill.tp, held), lengths(transfer.decode.tp, held_by_decode(transfer, state, held)));
    format!(
        "Mamba state layouts differ between prefill and decode (src item_lens=[{from}], dst item_lens=[{to}]) and no \
         per-tensor dim metadata is available to reslice. With --enable-unified-memory, prefill and decode must both \
         enable it and use equal attention TP sizes."
    )
}

fn paged(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
    let kind = state.kind.as_str();
    let is_minimax = kind.starts_with("minimax");
    let is_qsa = kind.starts_with("qsa");
    let latent = transfer.pool == Attention::Mla;
    let differs = transfer.tp_differs();
    let rule = "state-needs-equal-attention-tp";
    let raises = |rule, text: String| Err(Strike::raises(rule, "RuntimeError", text));
    match transfer.backend {
        TransferBackend::Mori => {
            if matches!(kind, "block_scale" | "block_scale_swa" | "request_row" | "dsa_tail") {
                let name = upper(kind);
                let text = format!("PD state transfer failed: unknown state_type=StateType.{name}");
                return raises("mori-knows-few-states", text);
            }
            if differs && kind == "swa" && !latent {
                let (from, to) = (transfer.prefill.tp, transfer.decode.tp);
                let text = format!(
                    "PD state transfer does not support TP-mismatched non-MLA SWA models (prefill_tp_size={from}, \
                     decode_tp_size={to})"
                );
                return raises(rule, text);
            }
            if transfer.prefill.pp() > 1 && (is_minimax || is_qsa) {
                let text = if transfer.since(Release::V0_5_20) {
                    format!(
                        "MORI PD disaggregation requires PP=1 for StateType.{}; PP>1 needs peer state_layer_ids for \
                         global-layer descriptor pairing.",
                        upper(kind)
                    )
                } else {
                    "PD disagg: PP>1 not supported for MiniMax sparse index yet.".to_owned()
                };
                return raises("states-of-stages-need-layer-ids", text);
            }
            if differs && (is_minimax || is_qsa) {
                let what = if is_minimax && !transfer.since(Release::V0_5_20) {
                    "MiniMax sparse index".to_owned()
                } else {
                    format!("StateType.{}", upper(kind))
                };
                return raises(rule, format!("PD disagg: heterogeneous TP not supported for {what} yet."));
            }
            if transfer.pp_differs() {
                if transfer.since(Release::V0_5_22) && !state.has_layer_ids {
                    let times = if has_heads(transfer, state) { 2 } else { 1 };
                    let held = state.stages.get(stage).copied().unwrap_or_default() as usize;
                    let all = state.stages.iter().sum::<u32>() as usize;
                    let text = heterogeneous(held.saturating_mul(times), all.saturating_mul(times));
                    return raises("states-of-stages-need-layer-ids", text);
                }
                if !transfer.since(Release::V0_5_22) {
                    return Ok(by_place(transfer, state, stage));
                }
            }
        }
        backend => {
            let is_nixl = backend == TransferBackend::Nixl;
            if is_nixl && kind.starts_with("block_scale") && !transfer.since(Release::V0_5_21) {
                let name = upper(kind);
                let text = format!("PD Disaggregation via NIXL does NOT support StateType.{name} hybrid models yet.");
                return raises("nixl-sends-block-scales-from-0-5-21", text);
            }
            let what = if transfer.since(Release::V0_5_21) { "MiniMax state" } else { "MiniMax sparse index" };
            if is_minimax && transfer.prefill.pp() > 1 {
                let text = format!("PD disagg: PP>1 not supported for {what} yet.");
                return raises("states-of-stages-need-layer-ids", text);
            }
            if differs && is_minimax {
                return raises(rule, format!("PD disagg: heterogeneous TP not supported for {what} yet."));
            }
            let is_exempt = match kind {
                "swa" if transfer.pool == Attention::Gqa => transfer.since(Release::V0_5_22),
                "swa" if is_nixl => transfer.since(Release::V0_5_22),
                "dsa" if is_nixl => transfer.since(Release::V0_5_20),
                _ => is_qsa && !is_nixl,
            };
            let is_hybrid = transfer.pool == Attention::HybridMla && !is_nixl && transfer.since(Release::V0_5_20);
            if differs && !latent && !is_hybrid {
                let name = match upper(kind).as_str() {
                    "DSA" if !transfer.since(Release::V0_5_13) => "NSA".to_owned(),
                    name => name.to_owned(),
                };
                let head = format!("PD Disaggregation does NOT support PD different TP sizes for non-MLA {name}");
                if !is_exempt {
                    return raises(rule, format!("{head} hybrid models yet."));
                }
                if kind == "swa" && transfer.prefill.pp() > 1 {
                    return raises(rule, format!("{head} hybrid models with pipeline parallelism yet."));
                }
                if kind == "swa" && transfer.pool == Attention::HybridMla {
                    let page = transfer.page_size;
                    let item = page.saturating_mul(transfer.token_bytes);
                    let [from, to] = [transfer.prefill.tp, transfer.decode.tp].map(|tp| per_rank(transfer.heads, tp));
                    let text = format!(
                        "KV item lengths (prefill={item}, decode={item}) do not split into {from} and {to} heads of {} \
                         total with page_size={page}",
                        transfer.heads
                    );
                    return raises(rule, text);
                }
            }
            let ascend = backend == TransferBackend::Ascend
                && transfer.since(Release::V0_5_15)
                && !transfer.since(Release::V0_5_17);
            if ascend && (latent || is_minimax) {
                let text = "AscendKVManager.get_mla_kv_ptrs_with_pp() takes 3 positional arguments but 4 were given";
                return Err(Strike::raises("ascend-0-5-15-sends-no-states", "TypeError", text));
            }
            if transfer.starts_at_zero && transfer.pp_differs() {
                return Ok(silent(transfer, state, stage, "swa-stages-start-at-layer-0", |_| true));
            }
        }
    }
    Ok(None)
}

fn upper(kind: &str) -> String {
    kind.to_ascii_uppercase()
}

/// The layers of a state on the decode rank that a stage sends to.
fn held_by_decode(transfer: &Transfer, state: &State, stage: u32) -> u32 {
    if transfer.pp_differs() { state.stages.iter().sum() } else { stage }
}
