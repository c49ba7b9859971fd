//! Launch commands: read, and printed.

use super::input::{read_options, read_text};
use super::output::write;
use super::read_plan;
use crate::planner::command::{self, Reading};
use crate::planner::json::from_object;
use crate::planner::link::link;
use crate::planner::release::Release;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The plan of pasted launch commands, and what there is to say about them.
///
/// # Errors
/// When they are not text, or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn parse(text: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let text = read_text(text, "text")?;
    let options: ParseOptions = read_options(options, "options")?;
    let reading = command::read_variant(&text, options.release.unwrap_or_default(), options.variant as usize);
    write(&Parsed { link: link(&reading.plan), reading })
}

/// The launch commands of a plan: of each node of both servers, and of the router.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen(skip_typescript)]
pub fn commands(plan: &JsValue) -> Result<JsValue, JsValue> {
    write(&command::commands(&read_plan(plan)?))
}

#[derive(Default)]
struct ParseOptions {
    release: Option<Release>,
    variant: u32,
}

from_object!(ParseOptions { "release" => release, "variant" => variant });

#[derive(Serialize)]
struct Parsed {
    #[serde(flatten)]
    reading: Reading,
    link: String,
}
