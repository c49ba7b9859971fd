//! A model's `config.json`, as checkpoints have it → its facts.
//!
//! What the file says in numbers is taken. Which pool and states SGLang gives a model follows from its
//! architecture, and is taken from the catalogue's model of the same one; of another architecture it
//! stays unknown.

use super::node::Node;
use crate::planner::catalog::{Attention, Linear, MODELS, Model};
use crate::planner::link::Diagnostic;

/// Whether a document is a model's configuration.
pub fn is_model_config(node: &Node) -> bool {
    let named = node.at(&["architectures"]).or(node.at(&["model_type"])).is_some();
    named && body(node).at(&["num_hidden_layers"]).is_some()
}

/// The part that describes the language model: multimodal configurations have it inside.
fn body(node: &Node) -> &Node {
    let inner = ["text_config", "llm_config", "language_config"].iter().find_map(|name| node.at(&[name]));
    inner.map_or(node, |inner| if inner.at(&["num_hidden_layers"]).is_some() { inner } else { node })
}

/// The facts, and what is to be said of them.
pub fn facts(node: &Node) -> (Model, Vec<Diagnostic>) {
    let text = body(node);
    let number = |name: &str| text.number_at(&[name]);
    let architecture = node.at(&["architectures"]).and_then(|list| list.items().first()?.text().map(str::to_owned));
    let known = architecture.as_deref().and_then(|name| {
        MODELS.iter().find(|row| row.facts.architecture.as_deref() == Some(name)).map(|row| (row.name, &row.facts))
    });
    let layers = number("num_hidden_layers");
    let heads = number("num_attention_heads");
    let attention = known.and_then(|(_, facts)| facts.attention);
    let latent = number("kv_lora_rank");
    let of_kind = |kind: &str| -> Vec<i64> {
        let kinds = text.at(&["layer_types"]).map(|list| list.items()).unwrap_or_default();
        let at = |(at, node): (usize, &std::rc::Rc<Node>)| {
            (node.text() == Some(kind)).then(|| i64::try_from(at).ok()).flatten()
        };
        kinds.iter().enumerate().filter_map(at).collect()
    };
    let count = |ids: &[i64]| u32::try_from(ids.len()).ok().filter(|count| *count > 0);
    let full = of_kind("full_attention");
    let has_all = known.is_some_and(|(_, facts)| facts.kv_layers.is_some() && facts.kv_layers == facts.layers);
    let linear = known.and_then(|(_, facts)| facts.linear.as_ref()).map(|linear| Linear {
        kind: linear.kind.clone(),
        layers: count(&of_kind("linear_attention")),
        ..Linear::default()
    });
    let window = known.and_then(|(_, facts)| facts.window).and_then(|_| number("sliding_window"));
    let own_heads = number("head_dim").or_else(|| {
        let plain = attention == Some(Attention::Gqa) || latent.is_none();
        number("hidden_size")?.checked_div(heads?).filter(|_| plain)
    });
    let facts = Model {
        attention,
        architecture: architecture.clone(),
        layers,
        kv_layers: if full.is_empty() { layers.filter(|_| has_all) } else { count(&full) },
        kv_layer_ids: Some(full).filter(|ids| !ids.is_empty() && ids.len() < layers.unwrap_or_default() as usize),
        query_heads: heads,
        kv_heads: number("num_key_value_heads").or(heads),
        head_dim: own_heads,
        v_head_dim: number("v_head_dim"),
        kv_lora_rank: latent,
        qk_rope_head_dim: number("qk_rope_head_dim"),
        qk_nope_head_dim: number("qk_nope_head_dim"),
        index_head_dim: number("index_head_dim"),
        index_heads: number("index_n_heads"),
        index_topk: number("index_topk"),
        swa_layers: count(&of_kind("sliding_attention")).filter(|_| window.is_some()),
        window,
        swa_pool: known.and_then(|(_, facts)| facts.swa_pool).filter(|_| window.is_some()),
        states: known.and_then(|(_, facts)| facts.states.clone()),
        linear,
        ..Model::default()
    };
    let named = architecture.unwrap_or_else(|| "this architecture".to_owned());
    let said = match known {
        Some((name, _)) => format!("pool and states are those of {name}, which has the same architecture ({named})"),
        None => format!("{named} is not in the catalogue: tell its attention and states, which decide what travels"),
    };
    (facts, vec![Diagnostic::of("model", said)])
}
