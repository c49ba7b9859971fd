//! The planner's own work in WebAssembly, without the crossing to JavaScript: as SGLang's is
//! timed on Python objects, this is timed on Rust's.

use pd_planner::planner::{Plan, check};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Judges a plan `rounds` times, with its map; answers with the connections it listed.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen]
pub fn judge(plan: JsValue, rounds: u32) -> Result<usize, JsError> {
    let plan: Plan = serde_wasm_bindgen::from_value(plan)?;
    let listed = (0..rounds).map(|_| check(std::hint::black_box(&plan)).map.map_or(0, |map| map.connections.len()));
    Ok(listed.sum())
}
