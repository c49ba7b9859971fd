//! The catalogue of models.

use pd_planner::planner::catalog::{Attention, MODELS, Model, ModelName, find};
use pd_planner::planner::command::read;
use pd_planner::planner::record::Record;
use pd_planner::planner::release::Release;
use pd_planner::planner::value::Value;
use std::collections::BTreeSet;

const TABLE: &str = include_str!("../src/planner/catalog/models.txt");
const SOURCES: &str = include_str!("../src/planner/catalog/sources.txt");

#[test]
fn every_line_is_a_model_with_a_source() {
    assert_eq!(MODELS.len(), TABLE.lines().count(), "a line of models.txt is not read");
    for (row, source) in MODELS.iter().zip(SOURCES.lines()) {
        assert_eq!(source.split_once('|').unwrap().0, row.name, "sources.txt is in the order of models.txt");
        assert!(row.source.len() > 10, "{}", row.name);
        assert!(row.facts.attention.is_some() && row.facts.layers.is_some(), "{}", row.name);
    }
    assert_eq!(MODELS.len(), SOURCES.lines().count());
}

#[test]
fn no_two_models_share_a_name() {
    let mut names = BTreeSet::new();
    for row in MODELS.iter() {
        let last = row.name.rsplit('/').next().unwrap();
        for name in [row.name, last].iter().chain(&row.aliases) {
            assert!(names.insert(name.to_lowercase()), "{name}");
        }
    }
}

#[test]
fn facts_agree_with_each_other() {
    for row in MODELS.iter() {
        let facts = &row.facts;
        if let (Some(layers), Some(held)) = (facts.layers, facts.kv_layers) {
            // LongCat-Flash has two attentions in a layer.
            assert!(held <= layers * 2, "{}", row.name);
        }
        if let (Some(ids), Some(held)) = (&facts.kv_layer_ids, facts.kv_layers) {
            assert_eq!(ids.len(), held as usize, "{}", row.name);
        }
        let has_state = facts.states.as_ref().is_some_and(|states| states.iter().any(|state| state == "mamba"));
        assert_eq!(facts.linear.is_some(), has_state, "{}", row.name);
        assert!(facts.attention != Some(Attention::Gqa) || facts.kv_heads.is_some(), "{}", row.name);
    }
}

#[test]
fn a_model_is_found_by_the_names_that_people_paste() {
    let names = [
        ("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3"),
        ("/models/DeepSeek-V3/", "deepseek-ai/DeepSeek-V3"),
        ("/root/.cache/huggingface/hub/models--deepseek-ai--DeepSeek-R1/snapshots/abc", "deepseek-ai/DeepSeek-R1"),
        ("nvidia/DeepSeek-R1-0528-FP4-v2", "deepseek-ai/DeepSeek-R1"),
        ("Qwen/Qwen3-235B-A22B-FP8", "Qwen/Qwen3-235B-A22B"),
        ("zai-org/GLM-5.3-W4AFP8", "zai-org/GLM-5.3"),
        ("amd/DeepSeek-R1-0528-MXFP4-v2", "deepseek-ai/DeepSeek-R1"),
        ("qwen3-next-80b-a3b-instruct", "Qwen/Qwen3-Next-80B-A3B-Instruct"),
        ("openai/gpt-oss-120b", "openai/gpt-oss-120b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B-Instruct"),
    ];
    for (name, row) in names {
        assert_eq!(find(name).map(|row| row.name), Some(row), "{name}");
    }
    for name in [
        "",
        "/",
        "FP8",
        "DeepSeek",
        "my/DeepSeek-V3-distilled",
        "models--",
        "Qwen3-235B-A22B-Base-tuned",
        "Qwen3-8B-v2",
        "DeepSeek-V4-Flash-0731",
    ] {
        assert!(find(name).is_none(), "{name}");
    }
}

/// The facts of a pasted `config.json`, and what was said of it.
fn configured(text: &str) -> (Model, Vec<String>) {
    let reading = read(text, Release::V0_5_23);
    assert_eq!(reading.format.word(), "model", "{text}");
    let ModelName::Described(facts) = reading.plan.model else { panic!("{text}") };
    (*facts, reading.said.into_iter().map(|said| said.message).collect())
}

#[test]
fn a_pasted_config_gives_the_facts_of_the_catalogue() {
    let configs = [
        (
            "deepseek-ai/DeepSeek-V3",
            r#"{"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "num_hidden_layers": 61,
            "num_attention_heads": 128, "num_key_value_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64,
            "qk_nope_head_dim": 128, "v_head_dim": 128, "hidden_size": 7168, "first_k_dense_replace": 3}"#,
        ),
        (
            "Qwen/Qwen3-235B-A22B",
            r#"{"architectures": ["Qwen3MoeForCausalLM"], "num_hidden_layers": 94, "num_attention_heads": 64,
            "num_key_value_heads": 4, "head_dim": 128, "hidden_size": 4096, "sliding_window": null}"#,
        ),
        (
            "deepseek-ai/DeepSeek-V3.2",
            r#"{"architectures": ["DeepseekV32ForCausalLM"], "num_hidden_layers": 61, "num_attention_heads": 128,
            "num_key_value_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
            "v_head_dim": 128, "index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048}"#,
        ),
    ];
    for (name, text) in configs {
        let (facts, said) = configured(text);
        let row = &find(name).unwrap().facts;
        for field in Model::FIELDS {
            let (got, expected) = ((field.read)(&facts), (field.read)(row));
            // The head size of a latent is the sum of its parts, which no configuration writes.
            let is_written = got != Value::Absent || !matches!(field.name, "headDim" | "indexLayers");
            assert!(!is_written || got == expected, "{name}: {} is {got:?}, not {expected:?}", field.name);
        }
        assert!(said[0].contains("which has the same architecture"), "{said:?}");
    }
}

#[test]
fn a_config_of_an_unknown_architecture_leaves_unknown_what_follows_from_it() {
    let (facts, said) = configured(
        r#"{"architectures": ["DreamForCausalLM"], "text_config": {"num_hidden_layers": 10, "num_attention_heads": 8}}"#,
    );
    assert_eq!((facts.layers, facts.kv_heads, facts.attention, facts.states), (Some(10), Some(8), None, None));
    assert!(said[0].contains("DreamForCausalLM is not in the catalogue"), "{said:?}");
    for text in [
        r#"{"architectures": [], "model_type": 3, "num_hidden_layers": "many"}"#,
        r#"{"architectures": {"a": 1}, "num_hidden_layers": 99999999999}"#,
        r#"{"model_type": "x", "num_hidden_layers": 0, "num_attention_heads": 0, "hidden_size": 5, "layer_types": [[], {}]}"#,
    ] {
        configured(text);
    }
}
