//! Pasting launch commands: a dialog that reads them into the form.

use crate::planner::command::{Format, read as read_text};
use crate::planner::link::Diagnostic;
use crate::ui::session::Session;
use leptos::html;
use leptos::prelude::*;

const EXAMPLE: &str = "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 \\\n  \
                       --disaggregation-mode prefill --tp-size 8\n\n\
                       python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 \\\n  \
                       --disaggregation-mode decode --tp-size 8 --dcp-size 8";

/// The button and its dialog.
#[component]
pub fn Paste(session: Session) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let area = NodeRef::<html::Textarea>::new();
    let said = RwSignal::new(None::<(Format, Vec<Diagnostic>)>);
    let open = move |_| {
        said.set(None);
        if let Some(dialog) = dialog.get() {
            // It throws only if the dialog is open already.
            let _ = dialog.show_modal();
        }
    };
    let close = move || {
        if let Some(dialog) = dialog.get() {
            dialog.close();
        }
    };
    let read = move |_| {
        let Some(area) = area.get() else { return };
        let reading = read_text(&area.value(), session.plan.with_untracked(|plan| plan.release));
        let (plan, diagnostics) = (reading.plan, reading.said);
        let is_read = diagnostics.iter().all(|diagnostic| diagnostic.place != "text");
        if is_read {
            session.change(|current| *current = plan);
            // They stay in view when the dialog is closed: what was not understood may matter.
            session.notes.set(diagnostics.clone());
        }
        if is_read && diagnostics.is_empty() {
            close();
        }
        said.set(Some((reading.format, diagnostics)));
    };
    view! {
        <button id="paste" class="button" on:click=open>"Paste commands"</button>
        <dialog id="paste-dialog" class="dialog" node_ref=dialog aria-labelledby="paste-title">
            <h2 id="paste-title">"Paste launch commands"</h2>
            <p>"The prefill's and the decode's, of all nodes, as they are: line breaks, quotes and variables included. A link works too."</p>
            <label for="paste-text" class="hidden-label">"Commands"</label>
            <textarea id="paste-text" node_ref=area rows="12" spellcheck="false" placeholder=EXAMPLE></textarea>
            <div id="paste-said" role="status">{move || said.get().map(|(format, said)| view! { <Said format said/> })}</div>
            <div class="actions">
                <button type="button" class="button primary" id="paste-read" on:click=read>"Read"</button>
                <button type="button" class="button" id="paste-close" on:click=move |_| close()>"Close"</button>
            </div>
        </dialog>
    }
}

/// What the text was taken for, and what was said of it.
#[component]
fn Said(format: Format, said: Vec<Diagnostic>) -> impl IntoView {
    let whole = said.is_empty().then_some(" All of it was understood; the form holds it.");
    let note = |note: Diagnostic| {
        let line = note.line.map(|line| format!("line {line}: "));
        view! { <li>{line}<code>{note.place}</code>" " {note.message}</li> }
    };
    view! {
        <p id="paste-format">"Read as " {name(format)} "." {whole}</p>
        <ul>{said.into_iter().map(note).collect_view()}</ul>
    }
}

/// What people call a format.
fn name(format: Format) -> &'static str {
    match format {
        Format::Commands => "shell commands",
        Format::Manifest => "a Kubernetes manifest",
        Format::Recipe => "a recipe",
        Format::Config => "an SGLang configuration file",
        Format::Python => "Python arguments",
        Format::Plan => "a plan",
        Format::Link => "a link",
    }
}
