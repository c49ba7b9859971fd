//! The functions of the npm package: plain data in, plain data out.
//!
//! Each export reads its arguments, calls the planner and writes the answer; nothing is
//! decided here. Only what is no plan at all throws, an `Error` whose message names the
//! field. `types.d.ts`, beside this file, describes these functions to TypeScript.
//!
//! They are two WebAssembly files, a feature each: the verdict (`js`), which is all that many
//! programs need, and the rest (`commands`): launch commands, links, drawings, texts, parts of a page. The
//! page fetches that when it is first asked for.

#[cfg(feature = "commands")]
pub mod commands;
#[cfg(feature = "commands")]
pub mod forms;
mod input;
#[cfg(feature = "js")]
pub mod judge;
mod output;

use crate::planner::Plan;
use input::read;
use std::fmt::Display;
use wasm_bindgen::JsValue;

/// An `Error` with that message.
fn error(message: impl Display) -> JsValue {
    js_sys::Error::new(&message.to_string()).into()
}

/// The plan that a program passes in.
fn read_plan(plan: &JsValue) -> Result<Plan, JsValue> {
    let plan: Plan = read(plan, "plan")?;
    plan.problem().map_or(Ok(plan), |problem| Err(error(problem)))
}
