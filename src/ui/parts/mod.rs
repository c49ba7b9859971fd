//! The page's parts. Each takes what it shows as props.

pub mod field;
pub mod form;
pub mod header;
pub mod later;
pub mod map;
pub mod model;
pub mod paste;
pub mod rank;
pub mod verdict;

use wasm_bindgen::JsCast;

/// Whether the `<details>` that an event happened on is open.
pub fn is_open(event: &leptos::ev::Event) -> bool {
    let details = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    details.is_some_and(|details| details.has_attribute("open"))
}
