//! Launch commands: read, and printed.

use super::input::{read_options, read_text};
use super::output::write;
use super::read_plan;
use crate::planner::command::{self, Reading};
use crate::planner::json::from_object;
use crate::planner::link::link;
use crate::planner::release::Release;
use crate::planner::value::words;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The plan of pasted launch commands, and what there is to say about them.
///
/// # Errors
/// When they are not text, or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn parse(text: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let reading = read_reading(text, options)?;
    write(&Parsed { link: link(&reading.plan), reading })
}

/// The launch commands of a plan: of each node of both servers, and of the router; for a shell,
/// or as containers of a Kubernetes manifest.
///
/// # Errors
/// When it is no plan, or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn commands(plan: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options: CommandOptions = read_options(options, "options")?;
    let plan = read_plan(plan)?;
    write(&match options.format {
        Printed::Shell => command::commands(&plan),
        Printed::Kubernetes => command::containers(&plan),
    })
}

/// What differs between pasted commands and those that are printed for a plan, and why.
///
/// # Errors
/// When they are not text, it is no plan, or the options are not known.
#[wasm_bindgen(skip_typescript)]
pub fn compare(text: &JsValue, plan: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let reading = read_reading(text, options)?;
    write(&command::diff(&reading, &read_plan(plan)?))
}

fn read_reading(text: &JsValue, options: &JsValue) -> Result<Reading, JsValue> {
    let text = read_text(text, "text")?;
    let options: ParseOptions = read_options(options, "options")?;
    Ok(command::read_variant(&text, options.release.unwrap_or_default(), options.variant as usize))
}

words! {
    /// What commands are printed for.
    Printed {
        /// A shell.
        Shell = "shell",
        /// A Kubernetes manifest.
        Kubernetes = "kubernetes",
    }
}

struct CommandOptions {
    format: Printed,
}

impl Default for CommandOptions {
    fn default() -> Self {
        CommandOptions { format: Printed::Shell }
    }
}

from_object!(CommandOptions { "format" => format });

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
