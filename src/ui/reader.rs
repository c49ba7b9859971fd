//! Reading pasted texts and making parts of the page, with the WebAssembly that `src/commands.rs` makes.
//!
//! The page has no room for it: it is fetched, by `assets/boot.js`, when it is first asked for.
//! Nothing of a pasted text goes anywhere.

use crate::planner::link::{Diagnostic, link, open};
use crate::planner::plan::Plan;
use crate::planner::release::Release;
use js_sys::{Array, Object, Reflect};
use leptos::prelude::{ArcRwSignal, Get, GetUntracked, Set};
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
    fn view(this: &Module, plan: &JsValue, part: &str, options: &JsValue) -> Result<String, JsValue>;
}

/// A text that was pasted, and how it is read.
#[derive(Clone, PartialEq)]
pub struct Pasted {
    /// The text.
    pub text: String,
    /// The release that it is for, unless it names another.
    pub release: Release,
    /// Which of its variants.
    pub variant: usize,
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

thread_local! {
    static IS_HERE: ArcRwSignal<bool> = ArcRwSignal::new(false);
}

/// Whether it has been fetched; a signal.
pub fn is_here() -> bool {
    IS_HERE.with(ArcRwSignal::clone).get()
}

/// Reads a text.
///
/// # Errors
/// When the reader cannot be had: what to do.
pub async fn read(pasted: &Pasted) -> Result<Reading, String> {
    let options = object(&[("release", pasted.release.name().into()), ("variant", (pasted.variant as u32).into())]);
    let reading = loaded().await?.parse(&pasted.text, &options).map_err(failed)?;
    let (plan, _) = open(&word(&reading, "link"));
    let said = list(&reading, "diagnostics").iter().map(diagnostic).collect();
    Ok(Reading { plan, said, format: word(&reading, "format"), variants: words(&reading, "variants") })
}

/// A part of a plan's page as HTML, with what its controls say; see [`crate::planner::view`].
///
/// # Errors
/// When what makes it cannot be had: what to do.
pub async fn view(
    plan: &Plan,
    part: &str,
    controls: &[(String, String)],
    pasted: Option<&Pasted>,
) -> Result<String, String> {
    let module = loaded().await?;
    let mut asked: Vec<(&str, JsValue)> = controls.iter().map(|(name, value)| (name.as_str(), value.into())).collect();
    if let Some(pasted) = pasted {
        asked.push(("paste", pasted.text.as_str().into()));
        asked.push(("pasteRelease", pasted.release.name().into()));
        asked.push(("variant", (pasted.variant as u32).into()));
    }
    module.view(&module.plan(plan)?, part, &object(&asked)).map_err(failed)
}

impl Module {
    /// A plan as an object, by its address.
    fn plan(&self, plan: &Plan) -> Result<JsValue, String> {
        let parsed = self.parse(&link(plan), &JsValue::UNDEFINED).map_err(failed)?;
        Ok(property(&parsed, "plan"))
    }
}

fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in entries {
        // A new object takes every property.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

async fn loaded() -> Result<Module, String> {
    let module = module().await.map_err(failed)?;
    IS_HERE.with(|is_here| {
        if !is_here.get_untracked() {
            is_here.set(true);
        }
    });
    Ok(module.unchecked_into())
}

fn failed(error: JsValue) -> String {
    let error = property(&error, "message").as_string();
    let error = error.unwrap_or_else(|| "its file did not arrive".to_owned());
    format!("This part of the planner could not be loaded ({error}). Reload the page; the plan is in its address.")
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

fn words(of: &JsValue, name: &str) -> Vec<String> {
    list(of, name).iter().filter_map(|word| word.as_string()).collect()
}

fn list(of: &JsValue, name: &str) -> Array {
    property(of, name).dyn_into().unwrap_or_default()
}
