//! The plan's own launch commands, printed by the WebAssembly that reads them.

use crate::planner::command::print;
use crate::ui::reader;
use crate::ui::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// The commands of every node and the router's, built when they are opened.
#[component]
pub fn LaunchCommands(session: Session) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let printed = RwSignal::new(None::<Result<[Vec<String>; 3], String>>);
    Effect::new(move |_| {
        if is_open.get() {
            let plan = session.plan.get();
            spawn_local(async move {
                let commands = reader::commands(&plan).await;
                // Another plan has its own on the way.
                if session.plan.with_untracked(|now| *now == plan) {
                    printed.set(Some(commands));
                }
            });
        }
    });
    let is_cut = move || session.plan.with(|plan| print::is_cut(&plan.prefill) || print::is_cut(&plan.decode));
    view! {
        <details id="commands" class="commands" on:toggle=move |event| is_open.set(super::is_open(&event))>
            <summary>"Launch commands"</summary>
            <Show when=move || is_open.get()>
                <p class="seen">"Names in capitals are placeholders. Flags that have their defaults are left out."</p>
                {move || is_cut().then(|| view! { <p>"Commands of later nodes differ in --node-rank alone."</p> })}
                {move || printed.get().map(|printed| match printed {
                    Ok(commands) => blocks(commands).into_any(),
                    Err(problem) => view! { <p role="alert">{problem}</p> }.into_any(),
                })}
            </Show>
        </details>
    }
}

fn blocks(commands: [Vec<String>; 3]) -> impl IntoView {
    let title = |side: &str, node: usize, count: usize| match count {
        1 => side.to_owned(),
        _ => format!("{side}, node {node}"),
    };
    let named = ["Prefill", "Decode", "Router"].into_iter().zip(commands).flat_map(|(side, texts)| {
        let count = texts.len();
        texts.into_iter().enumerate().map(move |(node, text)| (title(side, node, count), text))
    });
    named.map(|(title, text)| view! { <Block title text/> }).collect_view()
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
