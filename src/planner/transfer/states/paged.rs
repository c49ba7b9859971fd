//! States that lie in pages or rows: windows, indexes, scales.

use super::{by_place, has_heads, heterogeneous, paired, silent};
use crate::planner::catalog::Attention;
use crate::planner::heads::per_rank;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;
use crate::planner::transfer::strike::REFUSED;
use crate::planner::transfer::{State, Strike, Transfer, pairs};

pub fn send(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
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
                return raises(STAGES, text);
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
                    return raises(STAGES, text);
                }
                if !transfer.since(Release::V0_5_22) {
                    return by_place(transfer, state, stage);
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
                return raises(STAGES, text);
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
            let is_halved = kind == "dsa" || kind.starts_with("block_scale") && !is_nixl;
            if is_halved && transfer.pool == Attention::Gqa && transfer.pp_differs() {
                return halved(transfer, state, stage, "stages-must-divide-the-layers");
            }
            if short(transfer, state, stage).is_some() {
                return Err(Strike::raises("stages-must-split-layers-alike", "IndexError", "list index out of range"));
            }
            if transfer.starts_at_zero && transfer.pp_differs() && has_heads(transfer, state) {
                return halved(transfer, state, stage, "swa-stages-start-at-layer-0");
            }
            if transfer.starts_at_zero && transfer.pp_differs() {
                return Ok(silent(transfer, state, stage, "swa-stages-start-at-layer-0", |_| true));
            }
        }
    }
    Ok(None)
}

/// Where both sides have stages, but of other sizes, a latent pool's states do not fit either: how many
/// entries a stage has, and how many of decode's it finds.
fn short(transfer: &Transfer, state: &State, stage: usize) -> Option<(u32, u32)> {
    if transfer.pp_differs() || !transfer.is_latent() || state.kind == "mamba" {
        return None;
    }
    let own = transfer.prefill.stages.get(stage).copied()?;
    let theirs = transfer.decode.stages.get(stage).copied()?;
    let found = theirs.saturating_sub(transfer.prefill.start(stage)).min(own);
    (own != theirs && found < own).then_some((own, found))
}

/// From 0.5.22 on a decode rank whose states do not fit is refused before anything is sent.
pub fn refused(transfer: &Transfer) -> Result<(), Strike> {
    let refuses = !matches!(transfer.backend, TransferBackend::Nixl | TransferBackend::Mori);
    if !refuses || !transfer.since(Release::V0_5_22) {
        return Ok(());
    }
    for stage in transfer.stages() {
        for state in transfer.states.iter().filter(|state| !state.kind.starts_with("minimax")) {
            if let Some((own, found)) = short(transfer, state, stage) {
                let name = upper(&state.kind);
                let text =
                    format!("StateType.{name} decode published {found} item lengths for this stage's {own} entries");
                return Err(Strike::raises("stages-must-split-layers-alike", REFUSED, text));
            }
        }
    }
    Ok(())
}

/// The entries of stages, paired with decode's like keys and values.
fn halved(transfer: &Transfer, state: &State, stage: usize, rule: &'static str) -> Result<Option<Strike>, Strike> {
    paired(transfer, state, stage, rule, &|counts, start| {
        let told = if transfer.starts_at_zero { 0 } else { start };
        pairs::as_halves(transfer, STAGES, counts, told)
    })
}

/// The rule on states of stages that are found by their place.
const STAGES: &str = "states-of-stages-need-layer-ids";

fn upper(kind: &str) -> String {
    kind.to_ascii_uppercase()
}
