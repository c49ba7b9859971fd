//! What else there is of a plan: drawings, texts, parts of a page.

use super::input::{read, read_options};
use super::read_plan;
use crate::planner::command::read_variant;
use crate::planner::draw::{self, Options};
use crate::planner::json::from_object;
use crate::planner::release::Release;
use crate::planner::text::{self, Format};
use crate::planner::view::{self, Part, Show};
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

/// A part of a plan's page as HTML: `commands` or `upgrade`.
///
/// # Errors
/// When it is no plan, or the part or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn view(plan: &JsValue, part: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let part: Part = read(part, "part")?;
    let options: ViewOptions = read_options(options, "options")?;
    let release = options.paste_release.unwrap_or_default();
    let pasted = options.paste.map(|text| read_variant(&text, release, options.variant as usize));
    Ok(view::view(&read_plan(plan)?, part, options.show, options.release.unwrap_or_default(), pasted.as_ref()))
}

struct ViewOptions {
    show: Show,
    release: Option<Release>,
    paste: Option<String>,
    paste_release: Option<Release>,
    variant: u32,
}

impl Default for ViewOptions {
    fn default() -> Self {
        ViewOptions { show: Show::Shell, release: None, paste: None, paste_release: None, variant: 0 }
    }
}

from_object!(ViewOptions {
    "show" => show, "release" => release, "paste" => paste, "pasteRelease" => paste_release, "variant" => variant,
});
