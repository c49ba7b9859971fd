//! The catalogue of models.

use pd_planner::planner::catalog::{Attention, MODELS, find};
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
