//! Plans for property tests: over every field of the table, with values that meet rules.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a mistake here must fail the test")]

use pd_planner::planner::catalog::{Model, ModelName};
use pd_planner::planner::link::open;
use pd_planner::planner::names::Names;
use pd_planner::planner::plan::{Plan, Server, Tokens};
use pd_planner::planner::record::{Field, Record};
use pd_planner::planner::release::Release;
use pd_planner::planner::value::{Kind, Value};
use proptest::prelude::*;
use proptest::sample::select;

/// The plan of a link that must read without a word.
pub fn plan(query: &str) -> Plan {
    let (plan, said) = open(query);
    assert_eq!(said, [], "{query}");
    plan
}

/// Any plan within the limit of ranks.
pub fn plans() -> impl Strategy<Value = Plan> {
    (releases(), models(), records::<Server>(), records::<Server>(), 1u32..100_000)
        .prop_map(|(release, model, prefill, decode, tokens)| {
            let mut plan = Plan { release, model, prefill, decode, ..Plan::default() };
            plan.traffic.prompt_tokens = Tokens::new(tokens).expect("in range");
            plan
        })
        .prop_filter("more ranks than the limit", |plan| plan.problem().is_none())
}

fn releases() -> impl Strategy<Value = Release> {
    select(Release::ALL)
}

fn models() -> impl Strategy<Value = ModelName> {
    const NAMES: &[&str] =
        &["DeepSeek-V3", "DeepSeek-V3.2", "Qwen3-235B-A22B", "gpt-oss-120b", "Kimi-Linear", "nobody/knows.this one"];
    prop_oneof![
        select(NAMES).prop_map(|name| ModelName::Named(name.to_owned())),
        any::<String>().prop_map(ModelName::Named),
        records::<Model>().prop_map(|model| ModelName::Described(model.into())),
    ]
}

/// A record with a few fields changed.
fn records<R: Record + Clone + std::fmt::Debug>() -> impl Strategy<Value = R> {
    let changes = prop::collection::vec((0..R::FIELDS.len(), any::<prop::sample::Index>(), any::<String>()), 0..8);
    changes.prop_map(|changes| {
        let mut record = R::default();
        for (at, pick, word) in changes {
            let field = &R::FIELDS[at];
            let choices = values(field, word);
            // A value may not fit, such as 0 for a size; then the field keeps its own.
            let _ = (field.write)(&mut record, pick.get(&choices));
        }
        record
    })
}

fn values<R>(field: &Field<R>, word: String) -> Vec<Value> {
    let text = |words: &[&str]| words.iter().map(|word| Value::Text((*word).to_owned())).collect();
    match (field.name, field.kind) {
        ("states", _) => [&["dsa"][..], &["swa", "swa"], &["minimax_index_k"], &["block_scale"], &[]]
            .iter()
            .map(|states| Value::List(states.iter().map(|state| (*state).to_owned()).collect()))
            .collect(),
        ("compressRatios", _) => vec![Value::Numbers(vec![0, 2, 128]), Value::Numbers(vec![])],
        ("kvCacheDtype", _) => text(&["auto", "bfloat16", "fp8_e4m3", "mxfp8"]),
        ("speculativeAlgorithm", _) => text(&["DSPARK", "EAGLE"]),
        ("env", _) => vec![
            Value::Map(Names::from([("SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER".to_owned(), "1".to_owned())])),
            Value::Map(Names::from([(word, "x=y,z%".to_owned())])),
        ],
        ("linear", _) => {
            vec![Value::Map(Names::from([("kind".to_owned(), word), ("layers".to_owned(), "3".to_owned())]))]
        }
        (_, Kind::Number) => [1, 2, 3, 4, 6, 8, 16, 64].map(Value::Number).to_vec(),
        (_, Kind::Flag) => vec![Value::Flag(true)],
        (_, Kind::Text([])) => vec![Value::Text(word), Value::Text("a.b:c&d".to_owned())],
        (_, Kind::Text(words)) => text(words),
        (_, Kind::List) => {
            vec![Value::List(vec![word, String::new()]), Value::List(vec!["--enable-hisparse".to_owned()])]
        }
        (_, Kind::Map) => vec![Value::Map(Names::new())],
        (_, Kind::Numbers) => vec![Value::Numbers(vec![-1, 0, 7])],
    }
}
