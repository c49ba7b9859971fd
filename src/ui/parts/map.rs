//! The rank map: the drawing, one rank's connections on hover, focus or click, a table.

use super::later::Later;
use super::rank::RankPanel;
use crate::ui::session::Session;
use leptos::ev::{Event, KeyboardEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The rank map.
#[component]
pub fn RankMap(session: Session) -> impl IntoView {
    let frame = NodeRef::<leptos::html::Div>::new();
    let active = Memo::new(move |_| session.pointed.get().or_else(|| session.chosen.get()));
    Effect::new(move |_| {
        if let Some(frame) = frame.get() {
            put(&frame, &session.drawing.get());
            mark(&frame, active.get_untracked().as_deref());
        }
    });
    Effect::new(move |_| {
        let active = active.get();
        if let Some(frame) = frame.get() {
            mark(&frame, active.as_deref());
        }
    });
    let point =
        move |event: Event| session.pointed.set(rank_of(&event).and_then(|node| node.get_attribute("data-rank")));
    let choose = move |node: &Element| session.choose(node.get_attribute("data-rank"));
    let keys = move |event: KeyboardEvent| {
        let Some(node) = rank_of(&event) else { return };
        match event.key().as_str() {
            "Enter" | " " => choose(&node),
            "Escape" => {
                session.choose(None);
                session.pointed.set(None);
            }
            key => match neighbour(&node, key) {
                Some(next) => focus(&next),
                None => return,
            },
        }
        event.prevent_default();
    };
    view! {
        <section class="map-card" aria-label="Rank map">
            <div
                id="map" class="map" node_ref=frame
                on:mouseover=move |event| point(event.into())
                on:mouseleave=move |_| session.pointed.set(None)
                on:focusin=move |event| point(event.into())
                on:focusout=move |_| session.pointed.set(None)
                on:click=move |event| { if let Some(node) = rank_of(&event) { choose(&node) } }
                on:keydown=keys></div>
            <p class="legend">
                <span><b>"━"</b>" KV data, width = bytes once counted"</span>
                <span><b>"┄"</b>" dummy connection, no data"</span>
                <span>"one DP group of each side"</span>
                <span>"hover or choose a rank to see its own connections; arrow keys move"</span>
            </p>
            <RankPanel session active/>
            <Later session part="payload" title="Payload: what a request moves" class="table"/>
            <Later session part="matrix" title="The same as a matrix" class="table"/>
            <Later session part="ranks" title="The same as a table" class="table"/>
        </section>
    }
}

/// Shows a drawing; the rank that has the focus keeps it.
fn put(frame: &HtmlElement, drawing: &str) {
    let focused = find(frame, "[data-rank]:focus").and_then(|node| node.get_attribute("data-rank"));
    frame.set_inner_html(drawing);
    if let Some(node) = focused.and_then(|rank| find(frame, &format!("[data-rank=\"{rank}\"]"))) {
        focus(&node);
    }
}

/// The rank that an event happened on.
fn rank_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest("[data-rank]").ok().flatten()
}

fn find(root: &Element, selector: &str) -> Option<Element> {
    root.query_selector(selector).ok().flatten()
}

fn each(root: &Element, selector: &str, mut visit: impl FnMut(Element)) {
    let Ok(found) = root.query_selector_all(selector) else { return };
    for index in 0..found.length() {
        if let Some(element) = found.get(index).and_then(|node| node.dyn_into::<Element>().ok()) {
            visit(element);
        }
    }
}

/// Marks a rank, its connections and their other ends; without one, clears all marks.
fn mark(frame: &HtmlElement, rank: Option<&str>) {
    each(frame, ".on", |element| drop(element.class_list().remove_1("on")));
    let Some(svg) = find(frame, "svg") else { return };
    let node = rank.and_then(|rank| find(&svg, &format!("[data-rank=\"{rank}\"]")));
    let _ = svg.class_list().toggle_with_force("isolating", node.is_some());
    let Some(node) = node else { return };
    let _ = node.class_list().add_1("on");
    let (own, other) = if node.class_list().contains("p") { ("p", "d") } else { ("d", "p") };
    let index = node.get_attribute("data-index").unwrap_or_default();
    each(&svg, &format!(".edge[data-{own}=\"{index}\"]"), |edge| {
        let _ = edge.class_list().add_1("on");
        let end = edge.get_attribute(&format!("data-{other}")).unwrap_or_default();
        if let Some(end) = find(&svg, &format!(".node.{other}[data-index=\"{end}\"]")) {
            let _ = end.class_list().add_1("on");
        }
    });
}

/// The rank that an arrow key leads to.
fn neighbour(node: &Element, key: &str) -> Option<Element> {
    let side = if node.class_list().contains("p") { "p" } else { "d" };
    let index: u32 = node.get_attribute("data-index")?.parse().ok()?;
    let (side, index) = match (key, side) {
        ("ArrowUp", side) => (side, index.checked_sub(1)?),
        ("ArrowDown", side) => (side, index.checked_add(1)?),
        ("ArrowLeft", "d") => ("p", index),
        ("ArrowRight", "p") => ("d", index),
        ("Home", side) => (side, 0),
        _ => return None,
    };
    let svg = node.closest("svg").ok().flatten()?;
    let at = |index: u32| find(&svg, &format!(".node.{side}[data-index=\"{index}\"]"));
    at(index).or_else(|| find(&svg, &format!(".node.{side}:last-of-type")))
}

/// Moves the focus, and with it the one stop that Tab makes in the drawing.
fn focus(node: &Element) {
    if let Some(svg) = node.closest("svg").ok().flatten() {
        each(&svg, ".node[tabindex=\"0\"]", |other| drop(other.set_attribute("tabindex", "-1")));
    }
    let _ = node.set_attribute("tabindex", "0");
    if let Some(node) = node.dyn_ref::<web_sys::SvgElement>() {
        let _ = node.focus();
    }
}
