//! What else there is of a plan: drawings, texts, parts of a page.

use super::input::{read, read_options};
use super::read_plan;
use crate::planner::draw::{self, Options};
use crate::planner::text::{self, Format};
use crate::planner::view::{self, Part};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The rank map of a plan as an SVG document.
///
/// # Errors
/// When it is no plan, or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn draw(plan: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let options: Options = read_options(options, "options")?;
    Ok(draw::svg(&read_plan(plan)?, &options))
}

/// The report on a plan as text: `markdown`, `mermaid` or `ascii`.
///
/// # Errors
/// When it is no plan, or the format is not known.
#[wasm_bindgen(skip_typescript)]
pub fn text(plan: &JsValue, format: &JsValue) -> Result<String, JsValue> {
    let format: Format = read(format, "format")?;
    Ok(text::text(&read_plan(plan)?, format))
}

/// A part of a plan's page as HTML.
///
/// # Errors
/// When it is no plan, or the part or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn view(plan: &JsValue, part: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let part: Part = read(part, "part")?;
    let options: view::Options = read_options(options, "options")?;
    Ok(view::view(&read_plan(plan)?, part, &options))
}
