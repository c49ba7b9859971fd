//! How large a token's KV and a request's states are, from the facts of the model and the servers.

use super::Uncounted;
use crate::planner::catalog::{Attention, Linear, Model};
use crate::planner::pair::Pair;
use crate::planner::plan::Server;
use crate::planner::quantity::Bytes;
use crate::planner::startup::generation;
use crate::planner::transfer::{State, Tensor, Transfer};

/// What is counted with, beside the transfer itself.
pub struct Sizes {
    /// Bytes of a token in a layer: its keys and values in a head, or its latent.
    pub token: Bytes,
    /// What is assumed, and what is left out.
    pub notes: Vec<String>,
}

/// The sizes of a pair's request; those of pages and states are written into its transfer.
///
/// # Errors
/// When the size of a token's KV depends on a fact that is missing.
pub fn sizes(pair: &Pair<'_>, model: &Model, transfer: &mut Transfer) -> Result<Sizes, Uncounted> {
    let server = &pair.prefill.server;
    let mut notes = Vec::new();
    if transfer.states.iter().any(|state| matches!(state.kind.as_str(), "c128_state" | "swa_ring")) {
        return Err(Uncounted::because("the planner does not know the sizes of a compressed KV pool"));
    }
    let Some(element) = element_bytes(&server.kv_cache_dtype) else {
        return Err(Uncounted::because("the planner does not know how 4-bit KV is laid out"));
    };
    if server.kv_cache_dtype == "auto" {
        notes.push("KV dtype auto is counted as bfloat16; a checkpoint can set another".to_owned());
    }
    let token = match transfer.pool {
        Attention::Gqa => {
            let keys = known(model.head_dim, "headDim")?;
            let values = model.v_head_dim.unwrap_or(keys);
            known(model.kv_heads, "kvHeads")?;
            element.times(keys.saturating_add(values))
        }
        Attention::Mla | Attention::HybridMla => latent(model, server, element)?,
    };
    if model.kv_layers.is_none() && (model.layers.is_none() || !transfer.states.is_empty()) {
        return Err(Uncounted::needs(if model.layers.is_none() { "layers" } else { "kvLayers" }));
    }
    transfer.page_size = server.page_size.map_or(1, |page| page.number());
    if server.page_size.is_none() {
        notes.push("the page size is not known: the rest of the last page is not counted".to_owned());
    }
    let drafts = transfer.prefill.draft.min(transfer.decode.draft) > 0;
    transfer.prefill.draft = 0;
    transfer.decode.draft = 0;
    if drafts {
        notes.push("the KV of the draft model is not counted".to_owned());
    }
    let tokens = pair.plan.traffic.prompt_tokens.number();
    let page = transfer.page_size;
    for state in &mut transfer.states {
        if !size_state(state, model, tokens, page, element) {
            notes.push(format!("the state {} is not counted", state.kind));
        }
    }
    Ok(Sizes { token, notes })
}

fn known(fact: Option<u32>, field: &str) -> Result<u32, Uncounted> {
    fact.ok_or_else(|| Uncounted::needs(field))
}

/// Bytes of an element of the KV cache; 4-bit types keep scales beside it.
fn element_bytes(dtype: &str) -> Option<Bytes> {
    match dtype {
        "auto" | "bf16" | "bfloat16" | "float16" => Some(Bytes::new(2)),
        _ if dtype.contains("fp8") => Some(Bytes::new(1)),
        _ => None,
    }
}

/// A token's latent. Sparse attention keeps fp8 with scales and an unquantized rotary part, unless a
/// TRT-LLM kernel reads it, as on Blackwell. (`get_dsa_kv_cache_dim`)
fn latent(model: &Model, server: &Server, element: Bytes) -> Result<Bytes, Uncounted> {
    let rank = known(model.kv_lora_rank, "kvLoraRank")?;
    let rope = known(model.qk_rope_head_dim, "qkRopeHeadDim")?;
    let plain = element.times(rank.saturating_add(rope));
    if element != Bytes::new(1) || model.index_topk.is_none() {
        return Ok(plain);
    }
    match generation(server) {
        None => Err(Uncounted {
            fields: vec!["prefill.gpu".to_owned()],
            ..Uncounted::because("the layout of fp8 latents depends on the GPU")
        }),
        Some(10..) => Ok(plain),
        Some(_) => {
            let scales = rank.checked_div(128).unwrap_or_default().saturating_mul(4);
            Ok(element.times(rank.saturating_add(scales).saturating_add(rope.saturating_mul(2))))
        }
    }
}

/// Whether the size of a state is known; then it is written.
fn size_state(state: &mut State, model: &Model, tokens: u32, page: u32, element: Bytes) -> bool {
    let pages = tokens.div_ceil(page);
    let bytes = match state.kind.as_str() {
        "mamba" => {
            let tensors = model.linear.as_ref().and_then(tensors);
            let is_known = tensors.is_some() && model.linear.as_ref().is_some_and(|linear| linear.layers.is_some());
            state.tensors = tensors.unwrap_or_default();
            return is_known;
        }
        "swa" => {
            let keys = model.swa_head_dim.or(model.head_dim);
            let values = model.swa_v_head_dim.or(model.v_head_dim).or(keys);
            let Some(((keys, values), window)) = keys.zip(values).zip(model.window) else { return false };
            let Some((_, heads)) = model.swa_layers.zip(model.swa_kv_heads.or(model.kv_heads)) else { return false };
            let start = tokens.saturating_sub(window.saturating_sub(u32::from(spares_one(model))));
            state.items = pages.saturating_sub(start.checked_div(page).unwrap_or_default());
            state.heads = heads;
            element.times(keys.saturating_add(values))
        }
        "dsa" => {
            let Some(dim) = model.index_head_dim else { return false };
            state.items = pages;
            let scales = dim.checked_div(128).unwrap_or_default().saturating_mul(4);
            Bytes::new(dim.saturating_add(scales).into()).part_of(model.index_kpool.unwrap_or(1))
        }
        "block_scale" => {
            let Some(keys) = model.head_dim else { return false };
            let heads = keys.saturating_add(model.v_head_dim.unwrap_or(keys));
            state.items = pages;
            state.heads = model.kv_heads.unwrap_or(1);
            Bytes::new(heads.into()).part_of(32_u32)
        }
        _ => return false,
    };
    state.item_bytes = bytes.times(page);
    true
}

/// Models whose window counts the token itself. (`get_attention_sliding_window_size`)
fn spares_one(model: &Model) -> bool {
    model.architecture.as_deref().is_some_and(|name| name.starts_with("GptOss") || name.starts_with("Gemma"))
}

/// The tensors of a linear-attention layer, with their true sizes.
fn tensors(linear: &Linear) -> Option<Vec<Tensor>> {
    let tensor = |elements: Option<u32>, dtype: &Option<String>| {
        let bytes = match dtype.as_deref()? {
            "float32" => 4,
            "bfloat16" | "float16" => 2,
            _ => return None,
        };
        Some(Tensor { dim: elements?, bytes, rows: 1, has_groups: false, is_replicated: false })
    };
    let convolution = tensor(linear.conv_elems_per_layer, &linear.conv_dtype);
    let recurrent = tensor(linear.ssm_elems_per_layer, &linear.ssm_dtype)?;
    if linear.conv_elems_per_layer.is_some() && convolution.is_none() {
        return None;
    }
    Some(convolution.into_iter().chain([recurrent]).collect())
}
