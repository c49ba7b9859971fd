//! What becomes of the states that travel beside the KV.

mod mamba;
mod paged;

use super::{Entry, Part, State, Strike, Transfer};
use crate::planner::catalog::Attention;
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
    if state.kind == "mamba" { mamba::send(transfer, state, stage) } else { paged::send(transfer, state, stage) }
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

fn heterogeneous(from: usize, to: usize) -> String {
    format!("PP-heterogeneous transfer requires layer ids on both peers; got src={from} dst={to} entries")
}

/// Every stage writes decode's first entries: those that it should have written stay as they were, or
/// hold another's.
fn by_place(transfer: &Transfer, state: &State, stage: usize) -> Option<Strike> {
    silent(transfer, state, stage, "states-of-stages-need-layer-ids", |_| true)
}
