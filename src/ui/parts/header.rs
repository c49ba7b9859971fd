//! The bar at the top: release, model, theme.

use super::model::ModelPicker;
use super::paste::Paste;
use crate::planner::release::Release;
use crate::ui::session::Session;
use crate::ui::theme::Theme;
use leptos::prelude::*;

/// The bar at the top.
#[component]
pub fn Header(session: Session, colours: RwSignal<Theme>) -> impl IntoView {
    view! {
        <header class="bar">
            <h1 class="brand">"PD planner" <small>"SGLang prefill / decode"</small></h1>
            <label class="pick" for="release">
                "SGLang " <ReleasePicker session/>
            </label>
            <ModelPicker session/>
            <span class="gap"></span>
            <Paste session/>
            <button id="theme" class="button" on:click=move |_| colours.update(|theme| *theme = theme.next())>
                {move || colours.get().label()}
            </button>
        </header>
    }
}

#[component]
fn ReleasePicker(session: Session) -> impl IntoView {
    let current = Memo::new(move |_| session.plan.with(|plan| plan.release));
    let take = move |name: String| {
        if let Some(release) = Release::named(&name) {
            session.change(|plan| plan.release = release);
        }
    };
    view! {
        <select id="release" prop:value=move || current.get().name() on:change=move |event| take(event_target_value(&event))>
            {Release::ALL
                .iter()
                .rev()
                .map(|release| {
                    let release = *release;
                    view! { <option value=release.name() selected=move || current.get() == release>{release.name()}</option> }
                })
                .collect_view()}
        </select>
    }
}
