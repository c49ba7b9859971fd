//! Reading pasted texts and printing commands, with the WebAssembly that `src/commands.rs` makes.
//!
//! The page has no room for it: it is fetched, by `assets/boot.js`, when it is first asked for.
//! Nothing of a pasted text goes anywhere.

use crate::planner::link::{Diagnostic, link, open};
use crate::planner::plan::Plan;
use crate::planner::release::Release;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_name = pdCommands)]
    async fn module() -> Result<JsValue, JsValue>;

    type Module;

    #[wasm_bindgen(method, catch)]
    fn parse(this: &Module, text: &str, options: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    fn commands(this: &Module, plan: &JsValue) -> Result<JsValue, JsValue>;
}

/// What was made of a text.
#[derive(Clone)]
pub struct Reading {
    /// The plan.
    pub plan: Plan,
    /// What was said of the text.
    pub said: Vec<Diagnostic>,
    /// What it was taken for; [`crate::planner::command::Format`]'s word.
    pub format: String,
    /// The names of its variants, if it has several.
    pub variants: Vec<String>,
}

/// Fetches the reader ahead, so that it is there when it is needed.
pub async fn fetch() {
    // Whoever reads then is told what failed.
    let _ = module().await;
}

/// Reads a text for a release.
///
/// # Errors
/// When the reader cannot be had: what to do.
pub async fn read(text: &str, release: Release, variant: usize) -> Result<Reading, String> {
    let options = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&options, &name.into(), &value).map_err(failed);
    set("release", release.name().into())?;
    set("variant", (variant as u32).into())?;
    let reading = loaded().await?.parse(text, &options).map_err(failed)?;
    let (plan, _) = open(&word(&reading, "link"));
    let said = list(&reading, "diagnostics").iter().map(diagnostic).collect();
    let variants = list(&reading, "variants").iter().filter_map(|name| name.as_string()).collect();
    Ok(Reading { plan, said, format: word(&reading, "format"), variants })
}

/// The launch commands of a plan: of the nodes of prefill and of decode, and the router's.
///
/// # Errors
/// When what prints them cannot be had: what to do.
pub async fn commands(plan: &Plan) -> Result<[Vec<String>; 3], String> {
    let module = loaded().await?;
    let plan = module.parse(&link(plan), &JsValue::UNDEFINED).map_err(failed)?;
    let commands = module.commands(&property(&plan, "plan")).map_err(failed)?;
    let texts = |name: &str| list(&commands, name).iter().filter_map(|text| text.as_string()).collect();
    Ok([texts("prefill"), texts("decode"), vec![word(&commands, "router")]])
}

async fn loaded() -> Result<Module, String> {
    Ok(module().await.map_err(failed)?.unchecked_into())
}

fn failed(error: JsValue) -> String {
    let error = property(&error, "message").as_string();
    let error = error.unwrap_or_else(|| "its file did not arrive".to_owned());
    format!(
        "What reads and prints commands could not be loaded ({error}). Reload the page; the plan is in its address."
    )
}

fn diagnostic(one: JsValue) -> Diagnostic {
    let line = property(&one, "line").as_f64().map(|line| line as usize);
    Diagnostic { place: word(&one, "place"), line, message: word(&one, "message") }
}

fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}

fn word(of: &JsValue, name: &str) -> String {
    property(of, name).as_string().unwrap_or_default()
}

fn list(of: &JsValue, name: &str) -> Array {
    property(of, name).dyn_into().unwrap_or_default()
}
