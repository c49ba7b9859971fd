//! A folded part of the page that is made when it is opened, by the WebAssembly that reads pastes.
//!
//! It comes as HTML with its own controls ([`crate::planner::view`]). Their changes and clicks
//! are heard here: a control's name and value are asked with from then on.

use crate::planner::draw::escape;
use crate::planner::link;
use crate::planner::value::{Kind, Value};
use crate::ui::reader;
use crate::ui::session::Session;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, Event, HtmlElement};

/// The part of that name, under that title. Some parts are of a rule.
#[component]
pub fn Later(
    session: Session,
    part: &'static str,
    title: &'static str,
    class: &'static str,
    #[prop(optional)] rule: Option<&'static str>,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let of_rule = rule.map(|rule| ("rule".to_owned(), rule.to_owned()));
    let controls = RwSignal::new(Vec::from_iter(of_rule));
    let place = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let Some(place) = place.get().filter(|_| is_open.get()) else { return };
        let (plan, pasted, mut asked) = (session.plan.get(), session.pasted.get(), controls.get());
        let chosen = session.chosen.get();
        asked.extend(chosen.clone().map(|rank| ("rank".to_owned(), rank)));
        spawn_local(async move {
            let made = reader::view(&plan, part, &asked, pasted.as_ref()).await;
            // Another plan or control has its own answer on the way.
            // The part may be gone by now.
            let is_asked = controls.try_with_untracked(|now| asked.starts_with(now)) == Some(true);
            if is_asked && session.plan.with_untracked(|now| *now == plan) && session.chosen.get_untracked() == chosen {
                let problem = |text: String| format!("<p role=\"alert\">{}</p>", escape(&text));
                put(&place, &made.unwrap_or_else(problem));
            }
        });
    });
    let toggled = move |event: Event| is_open.set(super::is_open(&event));
    let changed = move |event: Event| {
        let Some(control) = target(&event) else { return };
        let value = event_target_value(&event);
        if let Some(field) = control.get_attribute("data-field") {
            let written = Value::parse(Kind::Number, &value)
                .and_then(|value| session.edit(&field, &value).map_err(|problem| problem.message));
            complain(&control, &written.err().unwrap_or_default());
            return;
        }
        let name = control.get_attribute("name").unwrap_or_default();
        controls.update(|controls| {
            controls.retain(|(other, _)| *other != name);
            controls.push((name, value));
        });
    };
    let clicked = move |event: web_sys::MouseEvent| {
        let Some(button) = target(&event) else { return };
        if button.has_attribute("data-rank") {
            session.choose(button.get_attribute("data-rank"));
        }
        if let Some(address) = button.get_attribute("data-plan") {
            session.change(|plan| *plan = link::open(&address).0);
        } else if button.has_attribute("data-copy") {
            spawn_local(copy(button));
        }
    };
    view! {
        <details id=rule.is_none().then_some(part) class=class prop:open=is_open on:toggle=toggled>
            <summary>{title}</summary>
            <div node_ref=place on:change=changed on:click=clicked></div>
        </details>
    }
}

/// Puts a fragment in its place; the control that has the focus keeps it.
fn put(place: &HtmlElement, fragment: &str) {
    let focused = document().active_element().map(|element| element.id()).unwrap_or_default();
    place.set_inner_html(fragment);
    let again = document().get_element_by_id(&focused).filter(|element| place.contains(Some(element)));
    if let Some(control) = again.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Whoever cannot have the focus does not get it.
        let _ = control.focus();
    }
}

/// Says beside a control what would fit it.
fn complain(control: &Element, message: &str) {
    if let Some(input) = control.dyn_ref::<web_sys::HtmlInputElement>() {
        input.set_custom_validity(message);
        input.report_validity();
    }
}

/// Copies the text beside a button.
async fn copy(button: Element) {
    let text = button.next_element_sibling().and_then(|beside| beside.text_content()).unwrap_or_default();
    let written = JsFuture::from(window().navigator().clipboard().write_text(&text)).await;
    button.set_text_content(Some(if written.is_ok() { "Copied" } else { "The browser does not allow it" }));
}

fn target(event: &Event) -> Option<Element> {
    event.target().and_then(|target| target.dyn_into().ok())
}
