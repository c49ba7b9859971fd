//! The plan's own launch commands, and how they differ from the pasted ones: printed by the
//! WebAssembly that reads them.

use crate::planner::command::print;
use crate::planner::plan::Plan;
use crate::ui::reader::{self, Change, Pasted};
use crate::ui::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

/// What is shown, by the words that choose it.
const VIEWS: &[(&str, &str)] =
    &[("shell", "Shell"), ("kubernetes", "Kubernetes containers"), ("changes", "Differences from the paste")];

/// What is shown, once it is there.
#[derive(Clone)]
enum Shown {
    Commands([Vec<String>; 3]),
    Changes(Vec<Change>),
}

/// The commands of every node and the router's, built when they are opened.
#[component]
pub fn LaunchCommands(session: Session) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let view = RwSignal::new("shell");
    let shown = RwSignal::new(None::<Result<Shown, String>>);
    Effect::new(move |_| {
        if is_open.get() {
            let asked = (session.plan.get(), view.get(), session.pasted.get());
            spawn_local(async move {
                let answer = show(&asked.0, asked.1, asked.2.as_ref()).await;
                // Another plan or view has its own answer on the way.
                if view.get_untracked() == asked.1 && session.plan.with_untracked(|now| *now == asked.0) {
                    shown.set(Some(answer));
                }
            });
        }
    });
    let is_cut = move || session.plan.with(|plan| print::is_cut(&plan.prefill) || print::is_cut(&plan.decode));
    let choice = move |&(word, label): &(&'static str, &'static str)| {
        let is_there = move || word != "changes" || session.pasted.with(Option::is_some);
        view! {
            <label class:hidden=move || !is_there()>
                <input type="radio" name="commands-view" value=word prop:checked=move || view.get() == word on:change=move |_| view.set(word)/>
                " " {label}
            </label>
        }
    };
    view! {
        <details id="commands" class="commands" on:toggle=move |event| is_open.set(super::is_open(&event))>
            <summary>"Launch commands"</summary>
            <Show when=move || is_open.get()>
                <div class="choices" role="group" aria-label="Show">{VIEWS.iter().map(choice).collect_view()}</div>
                {move || is_cut().then(|| view! { <p>"Commands of later nodes differ in --node-rank alone."</p> })}
                {move || shown.get().map(|shown| match shown {
                    Ok(Shown::Commands(commands)) => blocks(commands).into_any(),
                    Ok(Shown::Changes(changes)) => differences(changes).into_any(),
                    Err(problem) => view! { <p role="alert">{problem}</p> }.into_any(),
                })}
            </Show>
        </details>
    }
}

async fn show(plan: &Plan, view: &str, pasted: Option<&Pasted>) -> Result<Shown, String> {
    match pasted {
        Some(pasted) if view == "changes" => reader::compare(pasted, plan).await.map(Shown::Changes),
        _ => reader::commands(plan, if view == "changes" { "shell" } else { view }).await.map(Shown::Commands),
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
    view! {
        <p class="seen">"Names in capitals are placeholders. Flags that have their defaults are left out."</p>
        {named.map(|(title, text)| view! { <Block title text/> }).collect_view()}
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

fn differences(changes: Vec<Change>) -> impl IntoView {
    if changes.is_empty() {
        return view! { <p>"The printed commands have the options that were pasted, and no others."</p> }.into_any();
    }
    let row = |change: Change| {
        view! {
            <tr>
                <th scope="row">{change.side}</th>
                <td><del>{change.pasted}</del></td>
                <td><ins>{change.printed}</ins></td>
                <td>{why(&change.why)}</td>
            </tr>
        }
    };
    view! {
        <div class="scroll">
            <table id="differences">
                <thead><tr><th>"Side"</th><th>"Pasted"</th><th>"Printed"</th><th>"Why"</th></tr></thead>
                <tbody>{changes.into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// Why an option is printed otherwise than it was pasted.
fn why(word: &str) -> &'static str {
    match word {
        "default" => "SGLang's own value needs no option",
        "placeholder" => "a placeholder, or each node has its own",
        "spelling" => "the same, spelled in full",
        "understood" => "understood as what other options print",
        "overruled" => "a later one overrules it",
        "edited" => "the plan was changed",
        _ => "not kept: a secret, or no plan has such a value",
    }
}
