//! The planner page: header, form, verdict, map.

use super::parts::{field, form, header, later::Later, map, model::ModelCard, verdict};
use super::session::{Session, room};
use super::theme;
use crate::planner::Role;
use leptos::ev;
use leptos::prelude::*;

/// The planner page.
#[component]
pub fn Page() -> impl IntoView {
    let session = Session::start();
    let colours = RwSignal::new(theme::remembered());
    Effect::new(move |_| theme::put(colours.get()));
    window_event_listener(ev::popstate, move |_| session.reread());
    window_event_listener(ev::resize, move |_| {
        if session.room.get_untracked() != room() {
            session.room.set(room());
        }
    });
    let top = NodeRef::<leptos::html::Div>::new();
    let to_form = move |_| {
        if let Some(form) = top.get() {
            form.scroll_into_view();
        }
    };
    view! {
        <header::Header session colours/>
        <main class="page">
            <div class="inputs" node_ref=top>
                <ModelCard session/>
                <form::Side session role=Role::Prefill/>
                <form::Side session role=Role::Decode/>
            </div>
            <div class="answers">
                <Notes session/>
                <verdict::VerdictCard session/>
                <map::RankMap session/>
                <Later session part="commands" title="Launch commands" class="commands"/>
                <Later session part="export" title="Export" class="commands"/>
                <Later session part="upgrade" title="What another release changes" class="commands"/>
            </div>
        </main>
        <button class="to-form" on:click=to_form>"Change the plan"</button>
        <Footer/>
        <field::Choices/>
    }
}

/// What was said of the link or the commands that the plan was read from.
#[component]
fn Notes(session: Session) -> impl IntoView {
    let is_empty = move || session.notes.with(Vec::is_empty);
    let line = |place: String, message: String| view! { <li><code>{place}</code>" " {message}</li> };
    view! {
        <section id="link-notes" role="status" class:hidden=is_empty>
            <Show when=move || !is_empty()>
                <h2>"Read with remarks"</h2>
                <ul>
                    {move || session.notes.get().into_iter().map(|note| line(note.place, note.message)).collect_view()}
                </ul>
                <p>"What is below is judged as it was read."</p>
            </Show>
        </section>
    }
}

#[component]
fn Footer() -> impl IntoView {
    view! {
        <footer class="footer">
            <p>
                "Verdicts and messages are held against the code of SGLang's released wheels. Nothing you type leaves "
                "this page. " <a href="flags.html">"Flags by release"</a>
            </p>
        </footer>
    }
}
