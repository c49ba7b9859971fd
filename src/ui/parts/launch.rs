//! The plan's own launch commands.

use crate::planner::command::{commands, print};
use crate::ui::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// The commands of every node and the router's, built when they are opened.
#[component]
pub fn LaunchCommands(session: Session) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let blocks = move || {
        let commands = session.plan.with(commands);
        let name = |side: &str, node: usize, count: usize| match count {
            1 => side.to_owned(),
            _ => format!("{side}, node {node}"),
        };
        let side = |title: &'static str, texts: Vec<String>| {
            let count = texts.len();
            texts.into_iter().enumerate().map(move |(node, text)| (name(title, node, count), text)).collect::<Vec<_>>()
        };
        let mut all = side("Prefill", commands.prefill);
        all.extend(side("Decode", commands.decode));
        all.push(("Router".to_owned(), commands.router));
        all
    };
    let is_cut = move || session.plan.with(|plan| print::is_cut(&plan.prefill) || print::is_cut(&plan.decode));
    view! {
        <details id="commands" class="commands" on:toggle=move |event| is_open.set(super::is_open(&event))>
            <summary>"Launch commands"</summary>
            <Show when=move || is_open.get()>
                <p class="seen">"Names in capitals are placeholders. Flags that have their defaults are left out."</p>
                {move || is_cut().then(|| view! { <p>"Commands of later nodes differ in --node-rank alone."</p> })}
                {move || blocks().into_iter().map(|(title, text)| view! { <Block title text/> }).collect_view()}
            </Show>
        </details>
    }
}

/// One command with a button that copies it.
#[component]
fn Block(title: String, text: String) -> impl IntoView {
    let state = RwSignal::new("Copy");
    let copied = text.clone();
    let copy = move |_| {
        let text = copied.clone();
        spawn_local(async move {
            let written = JsFuture::from(window().navigator().clipboard().write_text(&text)).await;
            state.set(if written.is_ok() { "Copied" } else { "The browser does not allow it" });
        });
    };
    view! {
        <div class="command">
            <h3>{title}</h3>
            <button type="button" class="button" on:click=copy>{move || state.get()}</button>
            <pre tabindex="0"><code>{text}</code></pre>
        </div>
    }
}
