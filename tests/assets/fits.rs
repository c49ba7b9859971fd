//! Plans and reports fit their schemas, and what does not fit is no plan.

use crate::common::plans;
use pd_planner::planner::pair::Pair;
use pd_planner::planner::payload::count;
use pd_planner::planner::{Plan, WithMap, judge, schema};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::LazyLock;

static PLAN: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(schema::plan()).unwrap());
static REPORT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(schema::report()).unwrap());

/// Why a value does not fit a schema of `root`, with the keywords that our schemas use.
/// Unlike a validator of schemas, it refuses properties that the schema does not name.
fn misfit(root: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let no = |why: String| Some(format!("{place}: {why}"));
    let known = ["$schema", "$defs", "title", "description", "default"];
    schema.as_object().unwrap().iter().filter(|(word, _)| !known.contains(&word.as_str())).find_map(|(word, rule)| {
        match word.as_str() {
            "$ref" => {
                let schema = root
                    .pointer(rule.as_str().unwrap().trim_start_matches('#'))
                    .expect("the reference leads somewhere");
                misfit(root, schema, value, place)
            }
            "allOf" => rule.as_array().unwrap().iter().find_map(|schema| misfit(root, schema, value, place)),
            "anyOf" => {
                let misfits: Option<Vec<_>> =
                    rule.as_array().unwrap().iter().map(|schema| misfit(root, schema, value, place)).collect();
                misfits.map(|all| all.join(" and "))
            }
            "type" => {
                let names = if rule.is_array() { rule.as_array().unwrap().clone() } else { vec![rule.clone()] };
                if names.iter().any(|name| is_of(name.as_str().unwrap(), value)) {
                    None
                } else {
                    no(format!("{value} is not of type {rule}"))
                }
            }
            "enum" if !rule.as_array().unwrap().contains(value) => no(format!("{value} is none of {rule}")),
            "minimum" if value.as_f64() < rule.as_f64() => no(format!("{value} is less than {rule}")),
            "minLength" if value.as_str() == Some("") => no(format!("{value} is empty")),
            "maximum" if value.as_f64() > rule.as_f64() => no(format!("{value} is more than {rule}")),
            "required" => rule.as_array().unwrap().iter().find_map(|name| {
                value.get(name.as_str().unwrap()).is_none().then(|| format!("{place}: {name} is missing"))
            }),
            "properties" => value.as_object().into_iter().flatten().find_map(|(name, value)| match rule.get(name) {
                Some(schema) => misfit(root, schema, value, &format!("{place}.{name}")),
                None => Some(format!("{place}.{name} is not in the schema")),
            }),
            "additionalProperties" => value
                .as_object()
                .filter(|_| rule.is_object())
                .into_iter()
                .flatten()
                .find_map(|(name, value)| misfit(root, rule, value, &format!("{place}.{name}"))),
            "items" => value.as_array().into_iter().flatten().find_map(|item| misfit(root, rule, item, place)),
            "enum" | "minimum" | "minLength" | "maximum" => None,
            word => panic!("{word} is not looked at"),
        }
    })
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{name} is no type that our schemas use"),
    }
}

/// Plans with one place broken or bent.
fn bent() -> impl Strategy<Value = Value> {
    let values = prop::sample::select(vec![
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(8),
        json!(65_536),
        json!(65_537),
        json!(2_147_483_648_i64),
        json!(4_294_967_296_i64),
        json!(true),
        json!("early"),
        json!(""),
        json!("0.5.18"),
        json!("gqa"),
        json!([]),
        json!(["a"]),
        json!([7]),
        json!({}),
        json!({ "a": "b" }),
        json!({ "layers": 3 }),
        json!({ "kind": 3 }),
    ]);
    (plans(), any::<prop::sample::Index>(), values).prop_map(|(plan, at, value)| {
        let mut plan = serde_json::to_value(plan).unwrap();
        let paths = [
            "release",
            "model",
            "prefill",
            "traffic",
            "traffic/promptTokens",
            "traffic/networkGbps",
            "other",
            "prefill/other",
        ];
        let mut paths: Vec<String> = paths.iter().map(|path| format!("/{path}")).collect();
        for side in ["prefill", "decode", "model"] {
            let names = plan[side].as_object().into_iter().flatten().map(|(name, _)| format!("/{side}/{name}"));
            paths.extend(names);
        }
        let (parent, name) = at.get(&paths).rsplit_once('/').unwrap();
        plan.pointer_mut(parent).unwrap()[name] = value;
        plan
    })
}

/// A report with what travels, as `npm/api.js` puts them together.
pub fn whole(plan: &Plan) -> Value {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    let counted = count(&pair, &report);
    let mut whole = serde_json::to_value(&report).unwrap();
    whole["payload"] = json!(counted.as_ref().ok().map(|counted| &counted.payload));
    whole["uncounted"] = json!(counted.as_ref().err());
    for (at, connection) in
        whole.pointer_mut("/map/connections").and_then(Value::as_array_mut).into_iter().flatten().enumerate()
    {
        let share = counted.as_ref().ok().and_then(|counted| Some(&counted.shares[counted.of[at]?]));
        connection["payload"] = json!(share);
    }
    whole
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_value_is_a_plan_exactly_if_it_fits_the_schema(value in bent()) {
        let read = serde_json::from_value::<Plan>(value.clone());
        let misfit = misfit(&PLAN, &PLAN, &value, "plan");
        prop_assert_eq!(read.is_ok(), misfit.is_none(), "{:?}, {:?}", read.err(), misfit);
    }

    #[test]
    fn a_report_fits_its_schema(plan in plans()) {
        prop_assert_eq!(misfit(&REPORT, &REPORT, &whole(&plan), "report"), None);
    }
}

#[test]
fn the_schema_says_what_every_field_is_and_what_it_defaults_to() {
    for record in ["server", "model", "linear"] {
        for (name, field) in PLAN["$defs"][record]["properties"].as_object().unwrap() {
            assert!(field["description"].as_str().is_some_and(|text| text.len() > 5), "{record}.{name}");
            assert!(field.get("default").is_some(), "{record}.{name}");
        }
    }
}
