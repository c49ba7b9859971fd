//! The verdict on a plan, links and tables.

use super::input::{read_options, read_text};
use super::output::write;
use super::read_plan;
use crate::planner::catalog::{MODELS, Model, Row};
use crate::planner::json::from_object;
use crate::planner::link::Diagnostic;
use crate::planner::release::NAMES;
use crate::planner::{Plan, WithMap, check_with, link};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The verdict on a plan, without the rules' own texts on why, which `npm/api.js` adds from
/// `rules.json`; with its map unless `options.map` is false.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen(skip_typescript)]
pub fn check(plan: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options: CheckOptions = read_options(options, "options")?;
    let with_map = if options.map == Some(false) { WithMap::No } else { WithMap::Yes };
    write(&check_with(&read_plan(plan)?, with_map))
}

/// The address of a plan, from the `#` on.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen(skip_typescript)]
pub fn link(plan: &JsValue) -> Result<String, JsValue> {
    Ok(link::link(&read_plan(plan)?))
}

/// The plan of an address, and what there is to say about it.
///
/// # Errors
/// When the address is not text.
#[wasm_bindgen(skip_typescript)]
pub fn open(address: &JsValue) -> Result<JsValue, JsValue> {
    let address = read_text(address, "link")?;
    let (plan, diagnostics) = link::open(&address);
    write(&Opened { plan, diagnostics })
}

/// The names of the releases that the planner knows, oldest first.
///
/// # Errors
/// When it cannot be written, which a test excludes.
#[wasm_bindgen(skip_typescript)]
pub fn releases() -> Result<JsValue, JsValue> {
    write(&NAMES)
}

/// The models that the planner knows.
///
/// # Errors
/// When it cannot be written, which a test excludes.
#[wasm_bindgen(skip_typescript)]
pub fn models() -> Result<JsValue, JsValue> {
    let rows: Vec<ModelRow> = MODELS.iter().map(ModelRow::of).collect();
    write(&rows)
}

/// The version of the package.
#[wasm_bindgen(skip_typescript)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

#[derive(Default)]
struct CheckOptions {
    map: Option<bool>,
}

from_object!(CheckOptions { "map" => map });

#[derive(Serialize)]
struct Opened {
    plan: Plan,
    diagnostics: Vec<Diagnostic>,
}

/// A row of the catalogue as data.
#[derive(Serialize)]
struct ModelRow {
    name: &'static str,
    aliases: &'static [&'static str],
    facts: &'static Model,
    source: &'static str,
}

impl ModelRow {
    fn of(row: &'static Row) -> ModelRow {
        ModelRow { name: row.name, aliases: row.aliases, facts: &row.facts, source: row.source }
    }
}
