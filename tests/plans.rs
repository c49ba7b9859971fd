//! Plans as JSON and as links: what goes in comes out, and nothing breaks the planner.

mod common;

use common::plans;
use pd_planner::planner::link::{link, open};
use pd_planner::planner::{Plan, WithMap, check, check_with};
use proptest::prelude::*;
use serde_json::{Value, json};

fn json_values() -> impl Strategy<Value = Value> {
    let names = prop_oneof![
        any::<String>(),
        proptest::sample::select(
            &["prefill", "decode", "model", "tp", "release", "traffic", "states", "env", "pp"][..]
        )
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0i64..70_000).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("0.5.18")),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_plan_survives_its_link(plan in plans()) {
        let address = link(&plan);
        let (read, said) = open(&address);
        prop_assert_eq!(said, vec![], "{}", &address);
        prop_assert_eq!(read, plan, "{}", &address);
    }

    #[test]
    fn a_plan_survives_its_json(plan in plans()) {
        let text = serde_json::to_string(&plan).unwrap();
        prop_assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    }

    #[test]
    fn any_text_is_a_link_or_explains_itself(text in ".{0,80}") {
        let (plan, said) = open(&text);
        let _ = check_with(&plan, WithMap::No);
        prop_assert!(said.iter().all(|d| !d.message.is_empty()));
    }

    #[test]
    fn any_parts_are_a_link_or_explain_themselves(parts in prop::collection::vec("[a-z]{0,6}[:=.%&0-9-]{0,4}[a-zA-Z0-9%.]{0,8}", 0..6)) {
        let (plan, _) = open(&format!("#/plan?p={}&d={}", parts.join("."), parts.join("&")));
        let _ = check_with(&plan, WithMap::No);
    }

    #[test]
    fn any_json_is_a_plan_or_an_error(value in json_values()) {
        if let Ok(plan) = serde_json::from_value::<Plan>(value)
            && plan.problem().is_none()
        {
            let _ = check(&plan);
        }
    }

    #[test]
    fn any_server_is_judged_without_a_panic(prefill in json_values(), tp in 1u32..=65_536, pp in 1u32..=65_536, cp in 1u32..=65_536) {
        let value = json!({ "prefill": { "tp": tp, "attentionCp": cp, "env": prefill }, "decode": { "tp": pp, "pp": tp } });
        if let Ok(plan) = serde_json::from_value::<Plan>(value) {
            let _ = check_with(&plan, WithMap::No);
        }
    }
}

#[test]
fn a_readable_link_reads_as_it_says() {
    let (plan, said) =
        open("https://example.org/planner/#/plan?v=1&sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8");
    assert_eq!(said, []);
    assert_eq!(link(&plan), "#/plan?v=1&sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8");
    assert_eq!((plan.prefill.attention_cp.number(), plan.decode.dcp.number()), (2, 8));
}

#[test]
fn a_broken_link_says_what_was_left_out() {
    let cases = [
        ("#/plan?sgl=0.4.0&p=tp8", "sgl", "is not a release the planner knows"),
        ("#/plan?p=tp0", "p=tp0", "must be a whole number from 1 to 65536"),
        ("#/plan?p=tp", "p=tp", "has no value"),
        ("#/plan?d=tp8.quux4", "d=quux4", "is not known"),
        ("#/plan?d=via:pigeon", "d=via:pigeon", "must be one of mooncake"),
        ("#/plan?colour=red", "colour", "is not known"),
        ("#/plan?v=9&p=tp8", "v", "of format 9"),
        ("#/elsewhere?p=tp8", "/elsewhere", "is not known"),
        ("#/plan?tokens=many", "tokens", "must be a whole number"),
        ("#/plan?gbps=0", "gbps", "from 1 to 65536; 400 is used"),
        ("#/plan?p=tp65536.pp2", "prefill.tp", "the limit is 65536 ranks a side"),
        ("#/plan?m=attention:%zz", "m=attention:%zz", "hexadecimal"),
    ];
    for (address, place, message) in cases {
        let (_, said) = open(address);
        assert!(said.iter().any(|d| d.place == place && d.message.contains(message)), "{address}: {said:?}");
    }
}

#[test]
fn json_that_is_no_plan_names_the_field() {
    let cases = [
        (json!({ "prefill": { "tq": 8 } }), "tq"),
        (json!({ "prefill": { "tp": 0 } }), "from 1 to 65536"),
        (json!({ "prefill": { "tp": "8" } }), "from 1 to 65536"),
        (json!({ "prefill": { "tp": 8.5 } }), "from 1 to 65536"),
        (json!({ "decode": { "transferBackend": "pigeon" } }), "pigeon"),
        (json!({ "model": { "attentoin": "mla" } }), "attentoin"),
        (json!({ "release": "0.4.0" }), "0.4.0"),
        (json!({ "traffic": { "promptTokens": 0 } }), "from 1 to"),
        (json!(["prefill"]), "must be a plain object"),
        (json!({ "prefill": [8] }), "must be a plain object"),
    ];
    for (value, word) in cases {
        let error = serde_json::from_value::<Plan>(value.clone()).unwrap_err().to_string();
        assert!(error.contains(word), "{value}: {error}");
    }
}

#[test]
fn the_case_that_started_the_project_is_answered_to_the_letter() {
    let (plan, _) = open("sgl=0.5.18&model=DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8");
    let report = serde_json::to_value(check(&plan)).unwrap();
    assert_eq!(report["verdict"], "rejected");
    assert_eq!(report["map"], Value::Null);
    let error =
        json!({ "type": "RuntimeError", "message": "PD decode DCP currently requires prefill attention CP=1, got 2." });
    assert_eq!(report["findings"][0]["error"], error);
    let fixed = check(&plan).findings[0].fixes[0].apply(&plan).unwrap();
    let report = serde_json::to_value(check(&fixed)).unwrap();
    assert_eq!(report["verdict"], "accepted");
    assert_eq!(report["map"]["decodeRanks"].as_array().unwrap().len(), 8);
}

#[test]
fn a_missing_fact_is_asked_for() {
    let cases = [
        ("model=nobody/knows&p=tp8&d=tp4", "model.attention"),
        ("model=nobody/knows&p=tp8.cp2&d=tp4", "model.attention"),
        ("model=nobody/knows&p=tp8.page64.shard&d=tp8.page64", "model.attention"),
        ("m=attention:gqa&p=tp8&d=tp4", "model.states"),
        ("p=tp8.page64&d=tp8", "decode.pageSize"),
        ("p=tp8.gpu:H100&d=tp8", "decode.pageSize"),
        ("model=Qwen3-8B&p=tp1.gpu:H100&d=tp1", "decode.pageSize"),
        ("model=DeepSeek-V3.2&p=tp8&d=tp8.dtype:bfloat16", "prefill.gpu"),
    ];
    for (query, field) in cases {
        let report = serde_json::to_value(check(&common::plan(query))).unwrap();
        assert_eq!(report["verdict"], "unknown", "{query}");
        let asks = |finding: &Value| finding["outcome"] == "needs" && finding["fields"] == json!([field]);
        assert!(report["findings"].as_array().unwrap().iter().any(asks), "{query}: {report}");
    }
}

#[test]
fn an_unknown_model_has_a_map_where_its_kind_does_not_matter() {
    for query in ["model=nobody/knows&p=tp8&d=tp8", "model=nobody/knows&p=tp4.pp2&d=tp8"] {
        let report = check(&common::plan(query));
        assert!(report.map.is_some_and(|map| map.connections.len() >= 8), "{query}");
    }
}
