//! One field of the form: its label, its flag, its control, and what is wrong with what was typed.

use crate::planner::command::line;
use crate::planner::plan::{Role, Server};
use crate::planner::record::Field;
use crate::planner::report::Outcome;
use crate::planner::value::{Kind, Value};
use crate::ui::session::Session;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

/// A field's text and how to write it back; writing answers with what would fit.
#[derive(Clone, Copy)]
pub struct Draft {
    /// The text of the plan's value.
    pub value: Signal<String>,
    /// Takes what was typed.
    pub write: Callback<String, Result<(), String>>,
}

/// Words to offer where any word may be typed.
const OFFERED: &[(&str, &[&str])] = &[
    ("kvCacheDtype", &["auto", "bfloat16", "bf16", "fp8_e4m3", "fp8_e5m2", "mxfp8"]),
    ("gpu", &["A100", "H20", "H100", "H200", "B200", "GB200", "B300", "MI300X"]),
    ("speculativeAlgorithm", &["EAGLE", "DSPARK"]),
    ("kvLayout", &["uniform_fp8"]),
    ("cpStrategy", &["zigzag", "interleave"]),
    ("loadBalanceMethod", &["auto", "follow_bootstrap_room", "round_robin"]),
];

/// The lists of offered words.
#[component]
pub fn Choices() -> impl IntoView {
    let list = |(name, words): &(&'static str, &'static [&'static str])| {
        let options = words.iter().map(|word| view! { <option value=*word></option> }).collect_view();
        view! { <datalist id=format!("offered-{name}")>{options}</datalist> }
    };
    OFFERED.iter().map(list).collect_view()
}

/// A field of a server.
#[component]
pub fn ServerField(session: Session, role: Role, field: &'static Field<Server>) -> impl IntoView {
    let id = format!("{role}-{}", field.name);
    let path = format!("{role}.{}", field.name);
    let flag = move || session.plan.with(|plan| field.flag(plan.release_of(role))).unwrap_or_default();
    let hit_path = path.clone();
    let is_hit = Memo::new(move |_| {
        session.report.with(|report| {
            let is_harmless = |outcome| matches!(outcome, Outcome::Notes | Outcome::Warns);
            report.findings.iter().any(|finding| !is_harmless(finding.outcome) && finding.fields.contains(&hit_path))
        })
    });
    let resolved_path = path.clone();
    let resolved = move || {
        session.report.with(|report| {
            let edit = report.resolved.iter().find(|edit| edit.field == resolved_path)?;
            Some(format!("SGLang makes it {}", edit.value.text()))
        })
    };
    let draft = draft(session, role, field, path);
    let unset = match (field.name, field.kind) {
        ("release", _) => "the plan's",
        (_, Kind::Number) => "auto",
        (_, Kind::Text([_, ..])) => "",
        _ => "not set",
    };
    view! {
        <div class="field" class:hit=move || is_hit.get()>
            <label for=id.clone() title=field.help.trim()>{field.label} <small>{flag}</small></label>
            {input(id, draft, field.kind, field.name, unset)}
            <p class="resolved">{resolved}</p>
        </div>
    }
}

fn draft(session: Session, role: Role, field: &'static Field<Server>, path: String) -> Draft {
    let value = Signal::derive(move || session.plan.with(|plan| text_of((field.read)(plan.server(role)))));
    let write = Callback::new(move |text: String| {
        let unset = (field.read)(&Server::default());
        write(session, &path, field.label, field.kind, &text, unset)
    });
    Draft { value, write }
}

/// A value as it is typed.
pub fn text_of(value: Value) -> String {
    match value {
        Value::Text(text) => text,
        Value::List(words) => line::join(&words),
        value => value.text(),
    }
}

/// Writes what was typed into the plan's field at `path`, or says what would fit.
pub fn write(session: Session, path: &str, label: &str, kind: Kind, text: &str, unset: Value) -> Result<(), String> {
    let text = text.trim();
    let parsed = match kind {
        _ if text.is_empty() => Ok(unset),
        Kind::Text(_) => Ok(Value::Text(text.to_owned())),
        Kind::List => line::split(text).map(Value::List),
        kind => Value::parse(kind, text),
    };
    let value = parsed.map_err(|message| format!("{label} {message}"))?;
    session.edit(path, &value).map_err(|problem| format!("{label} {}", problem.message))
}

/// The control for a value of that kind; `unset` is shown where there is none.
pub fn input(id: String, draft: Draft, kind: Kind, name: &'static str, unset: &'static str) -> AnyView {
    match kind {
        Kind::Number => view! { <NumberInput id draft unset/> }.into_any(),
        Kind::Flag => view! { <FlagInput id draft/> }.into_any(),
        Kind::Text(words @ [_, ..]) => view! { <ChoiceInput id draft words unset/> }.into_any(),
        Kind::Text([]) | Kind::List | Kind::Map | Kind::Numbers => {
            view! { <WordInput id draft list=name unset/> }.into_any()
        }
    }
}

/// What was typed last and is not in the plan, with what is wrong with it.
#[derive(Clone, Default, PartialEq)]
struct Refused {
    text: String,
    message: String,
}

/// Text to show, an error to show, and how to take what is typed.
fn typed(draft: Draft) -> (Signal<String>, RwSignal<Option<Refused>>, Callback<String>) {
    let refused = RwSignal::new(None::<Refused>);
    // A new value from elsewhere (a fix, the browser's back) replaces what was refused.
    Effect::new(move |_| {
        draft.value.track();
        refused.set(None);
    });
    let shown = Signal::derive(move || refused.get().map_or_else(|| draft.value.get(), |refused| refused.text));
    let take = Callback::new(move |text: String| {
        let answer = draft.write.run(text.clone());
        refused.set(answer.err().map(|message| Refused { text, message }));
    });
    (shown, refused, take)
}

#[component]
fn Complaint(id: String, refused: RwSignal<Option<Refused>>) -> impl IntoView {
    view! { <p class="complaint" id=format!("{id}-error") role="alert">{move || refused.get().map(|refused| refused.message)}</p> }
}

/// A whole number with buttons to halve and double it.
#[component]
fn NumberInput(id: String, draft: Draft, unset: &'static str) -> impl IntoView {
    let (shown, refused, take) = typed(draft);
    let number = move || draft.value.get_untracked().parse::<u32>().unwrap_or(1);
    let halve = move || take.run(number().saturating_sub(1).checked_ilog2().map_or(1, |log| 1u32 << log).to_string());
    let double = move || take.run(number().saturating_add(1).checked_next_power_of_two().unwrap_or(1).to_string());
    let keys = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowUp" => number().saturating_add(1),
            "ArrowDown" => number().saturating_sub(1).max(1),
            _ => return,
        };
        event.prevent_default();
        take.run(step.to_string());
    };
    let error = format!("{id}-error");
    view! {
        <span class="stepper">
            <button type="button" tabindex="-1" aria-hidden="true" title="Halve" on:click=move |_| halve()>"−"</button>
            <input
                id=id.clone() type="text" inputmode="numeric" autocomplete="off" placeholder=unset prop:value=shown
                aria-invalid=move || refused.with(|r| if r.is_some() { "true" } else { "false" })
                aria-describedby=error
                on:input=move |event| take.run(event_target_value(&event)) on:keydown=keys/>
            <button type="button" tabindex="-1" aria-hidden="true" title="Double" on:click=move |_| double()>"+"</button>
        </span>
        <Complaint id refused/>
    }
}

#[component]
fn FlagInput(id: String, draft: Draft) -> impl IntoView {
    let take = move |on: bool| draft.write.run(if on { "on" } else { "off" }.to_owned());
    view! {
        <input
            id=id type="checkbox" prop:checked=move || draft.value.get() == "on"
            on:change=move |event| { let _ = take(event_target_checked(&event)); }/>
    }
}

#[component]
fn ChoiceInput(id: String, draft: Draft, words: &'static [&'static str], unset: &'static str) -> impl IntoView {
    let option = move |value: &'static str, label: &'static str| {
        view! { <option value=value selected=move || draft.value.get() == value>{label}</option> }
    };
    view! {
        <select id=id prop:value=draft.value on:change=move |event| { let _ = draft.write.run(event_target_value(&event)); }>
            {(!unset.is_empty()).then(|| option("", unset))}
            {words.iter().map(|word| option(word, word)).collect_view()}
        </select>
    }
}

#[component]
fn WordInput(id: String, draft: Draft, list: &'static str, unset: &'static str) -> impl IntoView {
    let (shown, refused, take) = typed(draft);
    view! {
        <input
            class="word" id=id.clone() type="text" autocomplete="off" spellcheck="false" placeholder=unset
            list=format!("offered-{list}") prop:value=shown
            aria-invalid=move || refused.with(|r| if r.is_some() { "true" } else { "false" })
            aria-describedby=format!("{id}-error")
            on:change=move |event| take.run(event_target_value(&event))/>
        <Complaint id refused/>
    }
}
