//! The verdict on a plan.

use super::input::read_options;
use super::output::{put, write};
use super::read_plan;
use crate::planner::json::from_object;
use crate::planner::map::Map;
use crate::planner::release::NAMES;
use crate::planner::{WithMap, check_with};
use js_sys::{Object, Uint32Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The verdict on a plan, without the rules' own texts on why, which `npm/api.js` adds from
/// `rules.json`; with its map unless `options.map` is false. The map crosses as numbers, which
/// `npm/api.js` unpacks: objects one by one would take several times as long.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen(skip_typescript)]
pub fn check(plan: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options: CheckOptions = read_options(options, "options")?;
    let with_map = if options.map == Some(false) { WithMap::No } else { WithMap::Yes };
    let mut report = check_with(&read_plan(plan)?, with_map);
    let map = report.map.take();
    let answer = write(&report)?;
    if let Some(map) = map {
        put(&answer, "map", &packed(&map)?)?;
    }
    Ok(answer)
}

/// A map's decode ranks, number after number, and the texts of look-ups that fail, each with its rank's
/// place. Its connections follow from the ranks' peers.
fn packed(map: &Map) -> Result<JsValue, JsValue> {
    let mut numbers = Vec::new();
    let mut missing = Vec::new();
    for (place, rank) in map.decode_ranks.iter().enumerate() {
        numbers.extend([rank.pp_rank, rank.tp_rank, rank.target_tp_rank.unwrap_or(u32::MAX)]);
        for list in [&rank.target_tp_ranks, &rank.target_cp_ranks, &rank.target_pp_ranks] {
            numbers.push(u32::try_from(list.len()).unwrap_or(u32::MAX));
            numbers.extend(list);
        }
        numbers.extend([rank.required_dst_info_num, rank.required_prefill_response_num]);
        numbers.push(u32::try_from(rank.peers.len()).unwrap_or(u32::MAX));
        for peer in &rank.peers {
            numbers.extend([peer.cp, peer.tp, peer.pp, u32::from(peer.dummy)]);
        }
        missing.extend(rank.missing.as_deref().map(|text| (place, text)));
    }
    let packed = Object::new().into();
    put(&packed, "numbers", &Uint32Array::from(numbers.as_slice()))?;
    put(&packed, "missing", &write(&missing)?)?;
    Ok(packed)
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
