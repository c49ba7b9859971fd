//! What else there is of a plan: links, drawings, texts, parts of a page; and the models.

use super::input::{read, read_options, read_text};
use super::output::{put, write};
use super::read_plan;
use crate::planner::catalog::{MODELS, Model, Row};
use crate::planner::draw::{self, Options};
use crate::planner::link::{self, Diagnostic};
use crate::planner::pair::Pair;
use crate::planner::payload::{self, Counted, Payload, RankBytes, Share, Uncounted};
use crate::planner::text::{self, Format};
use crate::planner::view::{self, Part};
use crate::planner::{Plan, WithMap, judge};
use js_sys::{Float64Array, Int32Array};
use serde::Serialize;
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

/// What a request moves over a plan's map: the sums, or why they are not known; what connections carry,
/// each once; and for every connection the place of its own, -1 for dummies. The bytes of ranks cross as
/// numbers: stage, CP rank, TP rank, bytes of each.
///
/// # Errors
/// When it is no plan.
#[wasm_bindgen(skip_typescript)]
pub fn payload(plan: &JsValue) -> Result<JsValue, JsValue> {
    let plan = read_plan(plan)?;
    let pair = Pair::of(&plan);
    match payload::count(&pair, &judge(&pair, WithMap::Yes)) {
        Ok(Counted { mut payload, shares, of }) => {
            let [senders, receivers] = [&mut payload.senders, &mut payload.receivers].map(std::mem::take);
            let answer = write(&Travels { payload: Some(payload), uncounted: None, shares })?;
            let place = |share: &Option<usize>| share.and_then(|at| i32::try_from(at).ok()).unwrap_or(-1);
            let of: Vec<i32> = of.iter().map(place).collect();
            put(&answer, "of", &Int32Array::from(of.as_slice()))?;
            put(&answer, "senders", &ranks(&senders))?;
            put(&answer, "receivers", &ranks(&receivers))?;
            Ok(answer)
        }
        Err(reason) => write(&Travels { payload: None, uncounted: Some(reason), shares: Vec::new() }),
    }
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "JavaScript's numbers are so")]
fn ranks(ranks: &[RankBytes]) -> JsValue {
    let each = |rank: &RankBytes| [rank.pp.into(), rank.cp.into(), rank.tp.into(), rank.bytes.number() as f64];
    let numbers: Vec<f64> = ranks.iter().flat_map(each).collect();
    Float64Array::from(numbers.as_slice()).into()
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

/// The models that the planner knows.
///
/// # Errors
/// When it cannot be written, which a test excludes.
#[wasm_bindgen(skip_typescript)]
pub fn models() -> Result<JsValue, JsValue> {
    let rows: Vec<ModelRow> = MODELS.iter().map(ModelRow::of).collect();
    write(&rows)
}

#[derive(Serialize)]
struct Travels {
    payload: Option<Payload>,
    uncounted: Option<Uncounted>,
    shares: Vec<Share>,
}

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
        ModelRow { name: row.name, aliases: &row.aliases, facts: &row.facts, source: row.source }
    }
}
