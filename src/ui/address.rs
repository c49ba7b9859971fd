//! The address bar: where the plan is kept between visits.

use crate::planner::Plan;
use crate::planner::link::{Diagnostic, link, open};
use crate::planner::value::Size;
use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// Whether writing the address makes a step that the browser's back undoes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A new step.
    New,
    /// The same step as before.
    Same,
}

/// The plan of the address and what is to say about it. Without one: a first example.
pub fn read() -> (Plan, Vec<Diagnostic>) {
    let hash = window().location().hash().unwrap_or_default();
    if hash.len() > 1 {
        return open(&hash);
    }
    let mut plan = Plan::default();
    let size = |number| Size::new(number).unwrap_or(Size::ONE);
    (plan.prefill.tp, plan.decode.tp) = (size(8), size(4));
    (plan, Vec::new())
}

/// The rank that the address chooses.
pub fn chosen() -> Option<String> {
    let hash = window().location().hash().unwrap_or_default();
    let (_, rest) = hash.split_once("&rank=")?;
    rest.split('&').next().map(str::to_owned)
}

/// Writes the plan, and the chosen rank, into the address.
pub fn write(plan: &Plan, chosen: Option<&str>, step: Step) {
    let mut address = link(plan);
    if let Some(rank) = chosen {
        address.extend(["&rank=", rank]);
    }
    // Browsers refuse this only for pages without an address of their own; then the page
    // still works, and only sharing does not.
    let _ = window().history().and_then(|history| match step {
        Step::New => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        Step::Same => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
    });
}
