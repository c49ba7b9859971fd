//! The functions of the npm package, as wasm in Node; what a program sees of them in full is
//! in `tests/npm`. `cargo test --target wasm32-unknown-unknown --no-default-features --features js,commands --test wasm`

#![cfg(all(target_arch = "wasm32", feature = "js", feature = "commands"))]
#![expect(clippy::unwrap_used, reason = "what cannot be read must fail the test")]

use js_sys::{JSON, Reflect};
use pd_planner::js::commands::{commands, compare, parse};
use pd_planner::js::forms::{link, models, open, text};
use pd_planner::js::judge::{check, releases, version};
use pd_planner::planner::Plan;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

fn json(text: &str) -> JsValue {
    JSON::parse(text).unwrap()
}

fn written(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

fn property(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, name| Reflect::get(&value, &name.into()).unwrap())
}

const NONE: JsValue = JsValue::UNDEFINED;

#[wasm_bindgen_test]
fn the_case_that_started_the_project_is_answered_to_the_letter() {
    let plan = json(r#"{"release":"0.5.18","prefill":{"tp":8,"attentionCp":2},"decode":{"tp":8,"dcp":8}}"#);
    let report = check(&plan, &NONE).unwrap();
    assert_eq!(property(&report, "verdict"), "rejected");
    let message = property(&report, "findings.0.error.message");
    assert_eq!(message, "PD decode DCP currently requires prefill attention CP=1, got 2.");
    assert!(text(&plan, &"markdown".into()).unwrap().contains("attention CP=1, got 2."));
}

#[wasm_bindgen_test]
fn a_report_is_the_one_that_serde_writes() {
    for query in ["p=tp8&d=tp4", "p=tp4.pp2&d=tp3", "model=Llama-3.1-70B&p=tp8.cp2&d=tp8", "model=nobody/knows&p=tp2"] {
        let (plan, _) = pd_planner::planner::link::open(query);
        let without_map = pd_planner::planner::check_with(&plan, pd_planner::planner::WithMap::No);
        let expected = serde_json::to_string(&without_map).unwrap();
        let plan = json(&serde_json::to_string(&plan).unwrap());
        // The map crosses as numbers; the package's tests hold what becomes of them.
        assert_eq!(written(&check(&plan, &json(r#"{"map":false}"#)).unwrap()), expected, "{query}");
    }
}

#[wasm_bindgen_test]
fn what_is_no_plan_throws_an_error_that_names_the_field() {
    for (plan, message) in [
        (json(r#"{"prefill":{"tq":8}}"#), "prefill.tq: there is no such field"),
        (json(r#"{"decode":{"tp":0}}"#), "decode.tp: must be a whole number from 1 to 65536, got 0"),
        (json(r#"{"prefill":{"tp":65536,"pp":2}}"#), "prefill.tp: "),
        (NONE, "plan: "),
    ] {
        let error: String = property(&check(&plan, &NONE).unwrap_err(), "message").as_string().unwrap();
        assert!(error.starts_with(message), "{error}");
    }
}

#[wasm_bindgen_test]
fn what_is_a_plan_here_is_a_plan_for_serde() {
    for text in [
        "{}",
        "null",
        "[]",
        r#"{"prefill":null}"#,
        r#"{"prefill":{"gpu":null,"pageSize":64,"chunkedPrefillSize":-1}}"#,
        r#"{"prefill":{"chunkedPrefillSize":2147483648}}"#,
        r#"{"prefill":{"tp":null}}"#,
        r#"{"prefill":{"tp":1.5}}"#,
        r#"{"prefill":{"env":{"":"","é🦀":"x"},"extra":[]}}"#,
        r#"{"prefill":{"env":{"A":null}}}"#,
        r#"{"prefill":{"transferBackend":"nixl"}}"#,
        r#"{"model":{"attention":"gqa","kvLayerIds":[-4294967296,4294967295],"linear":{"heads":4294967295}}}"#,
        r#"{"model":{"layers":4294967296}}"#,
        r#"{"model":{"attention":null,"linear":null}}"#,
        r#"{"release":"v0.5.18","traffic":{}}"#,
    ] {
        let serde = serde_json::from_str::<Plan>(text);
        let here = link(&json(text));
        assert_eq!(here.is_ok(), serde.is_ok(), "{text}");
        if let (Ok(here), Ok(serde)) = (here, serde) {
            assert_eq!(here, pd_planner::planner::link::link(&serde), "{text}");
        }
    }
}

#[wasm_bindgen_test]
fn a_link_is_opened_as_the_plan_that_it_was_made_of() {
    let plan =
        json(r#"{"prefill":{"tp":8,"env":{"A":"b"},"extra":["--x"]},"decode":{"tp":4,"chunkedPrefillSize":-1}}"#);
    let address = link(&plan).unwrap();
    let opened = property(&open(&address.clone().into()).unwrap(), "plan");
    assert_eq!(link(&opened).unwrap(), address);
    assert_eq!(property(&opened, "decode.chunkedPrefillSize"), -1.0);
}

#[wasm_bindgen_test]
fn a_plan_is_read_from_its_own_commands() {
    let plan = json(r#"{"release":"0.5.18","prefill":{"tp":8},"decode":{"tp":8,"dcp":8}}"#);
    let release = json(r#"{"release":"0.5.18"}"#);
    for (format, named) in [(&NONE, "commands"), (&json(r#"{"format":"kubernetes"}"#), "manifest")] {
        let commands = commands(&plan, format).unwrap();
        let both = ["prefill.0", "decode.0"].map(|path| property(&commands, path).as_string().unwrap()).join("\n");
        let read = parse(&both.clone().into(), &release).unwrap();
        assert_eq!(property(&read, "format"), named);
        assert_eq!(link(&property(&read, "plan")).unwrap(), link(&plan).unwrap());
        assert_eq!(property(&read, "link"), link(&plan).unwrap().as_str());
        let differences = compare(&both.into(), &plan, &release).unwrap();
        assert_eq!(js_sys::Array::from(&differences).length(), 0);
    }
    assert!(parse(&NONE, &NONE).is_err());
}

#[wasm_bindgen_test]
fn the_tables_are_lists() {
    for table in [releases(), models()] {
        assert!(js_sys::Array::from(&table.unwrap()).length() > 3);
    }
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
}
