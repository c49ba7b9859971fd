//! What becomes of the states that travel beside the KV.

mod mamba;
mod paged;

pub use paged::refused;

use super::{Entry, Part, State, Strike, Transfer, pairs};
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
    let is_cut =
        |entry: &Entry| state.kind != "mamba" || is_wrong(entry.layer.checked_rem(10).unwrap_or_default() as usize);
    let mut entries = entries(transfer, state, stage);
    entries.retain(is_cut);
    struck(transfer, stage, rule, entries)
}

/// A strike over entries that a stage sends, or must have sent.
fn struck(transfer: &Transfer, stage: usize, rule: &'static str, entries: Vec<Entry>) -> Option<Strike> {
    let pp = u32::try_from(transfer.decode_stage(stage)).unwrap_or(u32::MAX);
    let buffers: Vec<(u32, Entry)> = entries.into_iter().map(|entry| (pp, entry)).collect();
    (!buffers.is_empty()).then(|| Strike::corrupts(rule, buffers, None))
}

/// The entries of a stage's state, in the order in which it registers them.
fn entries(transfer: &Transfer, state: &State, stage: usize) -> Vec<Entry> {
    let start = state.stages.iter().take(stage).sum();
    list(transfer, state, start, state.stages.get(stage).copied().unwrap_or_default())
}

fn list(transfer: &Transfer, state: &State, start: u32, layers: u32) -> Vec<Entry> {
    let is_mamba = state.kind == "mamba";
    let parts: &[Part] = if has_heads(transfer, state) { &[Part::StateK, Part::StateV] } else { &[Part::State] };
    let lists = if is_mamba { state.tensors.len() } else { parts.len() };
    let mut entries = Vec::new();
    for list in 0..lists {
        for layer in start..start.saturating_add(layers) {
            let tensor = u32::try_from(list).unwrap_or(9);
            entries.push(if is_mamba {
                Entry { part: Part::State, layer: layer.saturating_mul(10).saturating_add(tensor) }
            } else {
                Entry { part: parts.get(list).copied().unwrap_or(Part::State), layer }
            });
        }
    }
    entries
}

/// Whether a state is cut by heads like the KV.
pub(super) fn has_heads(transfer: &Transfer, state: &State) -> bool {
    transfer.pool == Attention::Gqa && matches!(state.kind.as_str(), "swa" | "block_scale" | "block_scale_swa")
}

fn heterogeneous(from: usize, to: usize) -> String {
    format!("PP-heterogeneous transfer requires layer ids on both peers; got src={from} dst={to} entries")
}

/// Every stage writes decode's first entries: those that it should have written stay as they were, or
/// hold another's.
fn by_place(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
    paired(transfer, state, stage, "states-of-stages-need-layer-ids", &|(own, _), _| {
        Ok((0..own).map(|place| (place, place)).collect())
    })
}

/// What the last stage to send leaves wrong, where entries find decode's by a rule of their own.
fn paired(
    transfer: &Transfer,
    state: &State,
    stage: usize,
    rule: &'static str,
    pairs: &dyn Fn((usize, usize), u32) -> Result<pairs::Pairs, Strike>,
) -> Result<Option<Strike>, Strike> {
    let to = list(transfer, state, 0, state.stages.iter().sum());
    let count = to.len();
    let mut held = pairs::Held::nothing(to);
    for stage in transfer.stages().take_while(|sent| *sent != stage).chain([stage]) {
        let from = entries(transfer, state, stage);
        held.write(&from, pairs((from.len(), count), state.stages.iter().take(stage).sum())?);
    }
    let wrong = held.iter().filter(|(entry, held)| Some(*entry) != *held).map(|(entry, _)| *entry).collect();
    let is_last = transfer.stages().last() == Some(stage);
    Ok(struck(transfer, stage, rule, wrong).filter(|_| is_last))
}
