//! The verdict on a plan.

use super::input::read_options;
use super::output::write;
use super::read_plan;
use crate::planner::json::from_object;
use crate::planner::release::NAMES;
use crate::planner::{WithMap, check_with};
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

/// The names of the releases that the planner knows, oldest first.
///
/// # Errors
/// When it cannot be written, which a test excludes.
#[wasm_bindgen(skip_typescript)]
pub fn releases() -> Result<JsValue, JsValue> {
    write(&NAMES)
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
