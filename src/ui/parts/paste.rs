//! Pasting launch commands, manifests and recipes: a dialog that reads them into the form.

use crate::planner::link::Diagnostic;
use crate::ui::reader::{self, Pasted, Reading};
use crate::ui::session::Session;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList};

const EXAMPLE: &str = "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 \\\n  \
                       --disaggregation-mode prefill --tp-size 8\n\n\
                       python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 \\\n  \
                       --disaggregation-mode decode --tp-size 8 --dcp-size 8";

/// A file is read only as a text that a person can have written.
const MOST_FILE_BYTES: f64 = 4_194_304.0;

/// The button and its dialog.
#[component]
pub fn Paste(session: Session) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let area = NodeRef::<html::Textarea>::new();
    // What was read, as which of its variants; or why nothing was.
    let said = RwSignal::new(None::<Result<(Reading, usize), String>>);
    let open = move |_| {
        said.set(None);
        spawn_local(reader::fetch());
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
    let read = move |variant: usize| {
        let Some(area) = area.get() else { return };
        spawn_local(async move {
            let release = session.plan.with_untracked(|plan| plan.release);
            let pasted = Pasted { text: area.value(), release, variant };
            match reader::read(&pasted).await {
                Ok(reading) => {
                    if take(session, &reading, pasted) && reading.said.is_empty() && reading.variants.len() < 2 {
                        close();
                    }
                    said.set(Some(Ok((reading, variant))));
                }
                Err(problem) => said.set(Some(Err(problem))),
            }
        });
    };
    let fill = move |files: Option<FileList>| {
        let (Some(area), Some(files)) = (area.get(), files) else { return };
        spawn_local(async move {
            match text_of(&files).await {
                Ok(text) => {
                    area.set_value(&text);
                    read(0);
                }
                Err(problem) => said.set(Some(Err(problem))),
            }
        });
    };
    let dropped = move |event: DragEvent| {
        let files = event.data_transfer().and_then(|data| data.files()).filter(|files| files.length() > 0);
        // A dropped text goes into the area as the browser does it.
        if files.is_some() {
            event.prevent_default();
            fill(files);
        }
    };
    let chosen = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        fill(input.and_then(|input| input.files()));
    };
    view! {
        <button id="paste" class="button" on:click=open>"Paste commands"</button>
        <dialog id="paste-dialog" class="dialog" node_ref=dialog aria-labelledby="paste-title" on:dragover=|event| event.prevent_default() on:drop=dropped>
            <h2 id="paste-title">"Paste launch commands"</h2>
            <p>"The prefill's and the decode's, of all nodes, as they are: shell scripts, Kubernetes manifests, recipes, \
                configuration files, Python. Or drop files here. It is read in your browser and sent nowhere."</p>
            <label for="paste-text" class="hidden-label">"Commands"</label>
            <textarea id="paste-text" node_ref=area rows="12" spellcheck="false" placeholder=EXAMPLE></textarea>
            <div id="paste-said" role="status">{move || said.get().map(|said| match said {
                Ok((reading, variant)) => heard(reading, variant, read).into_any(),
                Err(problem) => view! { <p role="alert">{problem}</p> }.into_any(),
            })}</div>
            <div class="actions">
                <button type="button" class="button primary" id="paste-read" on:click=move |_| read(0)>"Read"</button>
                <label class="button">"Open files" <input id="paste-files" type="file" multiple on:change=chosen/></label>
                <button type="button" class="button" id="paste-close" on:click=move |_| close()>"Close"</button>
            </div>
        </dialog>
    }
}

/// Takes the plan that was read, unless there is none. Its diagnostics stay in view when the
/// dialog is closed: what was not understood may matter.
fn take(session: Session, reading: &Reading, pasted: Pasted) -> bool {
    let is_read = reading.said.iter().all(|diagnostic| diagnostic.place != "text");
    if is_read {
        session.change(|current| match reading.format.as_str() {
            "model" => current.model = reading.plan.model.clone(),
            _ => *current = reading.plan.clone(),
        });
        session.notes.set(reading.said.clone());
        session.pasted.set(Some(pasted).filter(|_| !matches!(reading.format.as_str(), "plan" | "link" | "model")));
    }
    is_read
}

/// The text of files, one after the other; YAML as documents of one text.
async fn text_of(files: &FileList) -> Result<String, String> {
    let mut whole = String::new();
    for file in (0..files.length()).filter_map(|at| files.get(at)) {
        let file: File = file;
        let name = file.name();
        if file.size() > MOST_FILE_BYTES {
            return Err(format!(
                "{name} is {} bytes: too long to be launch commands. Open the part that has them.",
                file.size() as u64
            ));
        }
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        let text = text.ok_or_else(|| format!("The browser cannot read {name}. Paste its text instead."))?;
        if !whole.is_empty() {
            whole.push_str(if name.ends_with("ml") { "\n---\n" } else { "\n" });
        }
        whole.push_str(&text);
    }
    Ok(whole)
}

/// What the text was taken for, its variants, and what was said of it.
fn heard(reading: Reading, variant: usize, read: impl Fn(usize) + Copy + 'static) -> impl IntoView {
    let whole = reading.said.is_empty().then_some(" All of it was understood; the form holds it.");
    let note = |note: Diagnostic| {
        let line = note.line.map(|line| format!("line {line}: "));
        view! { <li>{line}<code>{note.place}</code>" " {note.message}</li> }
    };
    let variants = (reading.variants.len() > 1).then(|| {
        let option =
            |(at, name): (usize, String)| view! { <option value=at.to_string() selected=at == variant>{name}</option> };
        let options = reading.variants.into_iter().enumerate().map(option).collect_view();
        let choose = move |event| read(event_target_value(&event).parse().unwrap_or_default());
        view! { <label>"Variant " <select id="paste-variant" on:change=choose>{options}</select></label> }
    });
    view! {
        <p id="paste-format">"Read as " {format_name(&reading.format)} "." {whole}</p>
        {variants}
        <ul>{reading.said.into_iter().map(note).collect_view()}</ul>
    }
}

/// What people call a format.
fn format_name(format: &str) -> &'static str {
    match format {
        "manifest" => "a Kubernetes manifest",
        "recipe" => "a recipe",
        "config" => "an SGLang configuration file",
        "python" => "Python arguments",
        "plan" => "a plan",
        "link" => "a link",
        "model" => "a model's config.json",
        _ => "shell commands",
    }
}
