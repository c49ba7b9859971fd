//! The catalogue: models people serve with PD. A row without a source is no row.

use super::model::{Attention, Linear, Model};
use std::sync::LazyLock;

/// One model of the catalogue.
pub struct Row {
    /// Its name at Hugging Face.
    pub name: &'static str,
    /// Other names that people write.
    pub aliases: &'static [&'static str],
    /// What is known of it.
    pub facts: Model,
    /// Where its facts are from.
    pub source: &'static str,
}

/// The row of that name or alias, whatever the case.
pub fn find(name: &str) -> Option<&'static Row> {
    MODELS
        .iter()
        .find(|row| std::iter::once(&row.name).chain(row.aliases).any(|known| known.eq_ignore_ascii_case(name)))
}

fn texts(words: &[&str]) -> Option<Vec<String>> {
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

fn mla(layers: u32, kv_layers: u32, heads: u32, states: &[&str]) -> Model {
    Model {
        attention: Some(Attention::Mla),
        layers: Some(layers),
        kv_layers: Some(kv_layers),
        query_heads: Some(heads),
        kv_heads: Some(heads),
        head_dim: Some(192),
        v_head_dim: Some(128),
        kv_lora_rank: Some(512),
        qk_rope_head_dim: Some(64),
        qk_nope_head_dim: Some(128),
        states: texts(states),
        ..Model::default()
    }
}

fn gqa(layers: u32, query_heads: u32, kv_heads: u32, head_dim: u32, states: &[&str]) -> Model {
    Model {
        attention: Some(Attention::Gqa),
        layers: Some(layers),
        kv_layers: Some(layers),
        query_heads: Some(query_heads),
        kv_heads: Some(kv_heads),
        head_dim: Some(head_dim),
        states: texts(states),
        ..Model::default()
    }
}

/// All rows.
pub static MODELS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    vec![
        Row {
            name: "deepseek-ai/DeepSeek-V3",
            aliases: &[
                "DeepSeek-V3",
                "DSV3",
                "deepseek-ai/DeepSeek-V3-0324",
                "deepseek-ai/DeepSeek-R1",
                "DeepSeek-R1",
                "deepseek-ai/DeepSeek-R1-0528",
            ],
            facts: Model { architecture: Some("DeepseekV3ForCausalLM".to_owned()), ..mla(61, 61, 128, &[]) },
            source: "config.json of deepseek-ai/DeepSeek-V3",
        },
        Row {
            name: "deepseek-ai/DeepSeek-V3.2",
            aliases: &["DeepSeek-V3.2", "DSV3.2"],
            facts: Model {
                architecture: Some("DeepseekV32ForCausalLM".to_owned()),
                index_head_dim: Some(128),
                index_heads: Some(64),
                index_topk: Some(2048),
                index_layers: Some(61),
                ..mla(61, 61, 128, &["dsa"])
            },
            source: "config.json of deepseek-ai/DeepSeek-V3.2",
        },
        Row {
            name: "moonshotai/Kimi-Linear-48B-A3B-Instruct",
            aliases: &["Kimi-Linear-48B-A3B", "Kimi-Linear"],
            facts: Model {
                attention: Some(Attention::HybridMla),
                architecture: Some("KimiLinearForCausalLM".to_owned()),
                linear: Some(Linear {
                    kind: Some("kda".to_owned()),
                    layers: Some(20),
                    conv_kernel: Some(4),
                    k_heads: Some(32),
                    v_heads: Some(32),
                    k_head_dim: Some(128),
                    v_head_dim: Some(128),
                    conv_elems_per_layer: Some(36_864),
                    ssm_elems_per_layer: Some(524_288),
                    ssm_dtype: Some("float32".to_owned()),
                    conv_dtype: Some("bfloat16".to_owned()),
                    ..Linear::default()
                }),
                ..mla(27, 7, 32, &["mamba"])
            },
            source: "config.json of moonshotai/Kimi-Linear-48B-A3B-Instruct; SGLang v0.5.23 python/sglang/srt/configs/kimi_linear.py",
        },
        Row {
            name: "Qwen/Qwen3-235B-A22B",
            aliases: &["Qwen3-235B-A22B", "Qwen3-235B", "Qwen/Qwen3-235B-A22B-Instruct-2507"],
            facts: Model { architecture: Some("Qwen3MoeForCausalLM".to_owned()), ..gqa(94, 64, 4, 128, &[]) },
            source: "config.json of Qwen/Qwen3-235B-A22B",
        },
        Row {
            name: "meta-llama/Llama-3.1-70B-Instruct",
            aliases: &["Llama-3.1-70B", "Llama-3.1-70B-Instruct", "Meta-Llama-3.1-70B", "meta-llama/Llama-3.1-70B"],
            facts: Model { architecture: Some("LlamaForCausalLM".to_owned()), ..gqa(80, 64, 8, 128, &[]) },
            source: "config.json of meta-llama/Llama-3.1-70B",
        },
        Row {
            name: "moonshotai/Kimi-K2-Instruct",
            aliases: &["Kimi-K2", "Kimi-K2-Instruct", "moonshotai/Kimi-K2-Instruct-0905"],
            facts: Model { architecture: Some("DeepseekV3ForCausalLM".to_owned()), ..mla(61, 61, 64, &[]) },
            source: "config.json of moonshotai/Kimi-K2-Instruct",
        },
        Row {
            name: "Qwen/Qwen3-8B",
            aliases: &["Qwen3-8B"],
            facts: Model { architecture: Some("Qwen3ForCausalLM".to_owned()), ..gqa(36, 32, 8, 128, &[]) },
            source: "config.json of Qwen/Qwen3-8B",
        },
        Row {
            name: "meta-llama/Llama-3.1-8B-Instruct",
            aliases: &["Llama-3.1-8B", "Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B"],
            facts: Model { architecture: Some("LlamaForCausalLM".to_owned()), ..gqa(32, 32, 8, 128, &[]) },
            source: "config.json of meta-llama/Llama-3.1-8B-Instruct",
        },
        Row {
            name: "openai/gpt-oss-120b",
            aliases: &["gpt-oss-120b"],
            facts: Model {
                architecture: Some("GptOssForCausalLM".to_owned()),
                kv_layers: Some(18),
                swa_layers: Some(18),
                window: Some(128),
                swa_pool: Some(true),
                ..gqa(36, 64, 8, 64, &["swa"])
            },
            source: "config.json of openai/gpt-oss-120b",
        },
    ]
});
