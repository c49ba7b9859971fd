//! The state of linear-attention layers: one slot a request, cut over TP.

use super::{by_place, heterogeneous, silent};
use crate::planner::catalog::Attention;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;
use crate::planner::transfer::{State, Strike, Tensor, Transfer};

pub fn send(transfer: &Transfer, state: &State, stage: usize) -> Result<Option<Strike>, Strike> {
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
        return if places { by_place(transfer, state, stage) } else { Ok(None) };
    }
    if transfer.is(TransferBackend::Nixl) && !transfer.since(Release::V0_5_11) {
        let text = "PD Disaggregation does NOT support PD different TP sizes for hybrid mamba models yet.";
        return Err(Strike::raises("mamba-needs-equal-attention-tp", "RuntimeError", text));
    }
    if !state.has_dims && places {
        return by_place(transfer, state, stage);
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
        return by_place(transfer, state, stage);
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

fn layouts_differ(transfer: &Transfer, state: &State, stage: usize) -> String {
    let lengths = |tp: u32, layers: u32| {
        let length = |tensor: &Tensor| {
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

/// The layers of a state on the decode rank that a stage sends to.
fn held_by_decode(transfer: &Transfer, state: &State, stage: u32) -> u32 {
    if transfer.pp_differs() { state.stages.iter().sum() } else { stage }
}
