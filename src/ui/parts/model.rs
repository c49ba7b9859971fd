//! Picking a model: one of the catalogue, or a kind, and telling its facts.

use super::field::{Draft, input, text_of, write};
use crate::planner::catalog::{Attention, MODELS, Model, ModelName};
use crate::planner::record::Record;
use crate::planner::value::Value;
use crate::ui::session::Session;
use leptos::prelude::*;

const KINDS: &[(&str, &str, Attention)] = &[
    ("kind:gqa", "Another model: GQA", Attention::Gqa),
    ("kind:mla", "Another model: MLA", Attention::Mla),
    ("kind:hybridMla", "Another model: hybrid MLA", Attention::HybridMla),
];

/// The value that stands for a model in the list: a catalogue name, a kind, or the model as given.
fn choice(model: &ModelName) -> String {
    let plain = |model: &Model, kind: Attention| {
        let heads = model.kv_heads.filter(|_| kind == Attention::Gqa);
        *model == described(kind, heads)
    };
    match model {
        ModelName::Named(name) => match crate::planner::catalog::find(name) {
            Some(row) => row.name.to_owned(),
            None => "as-given".to_owned(),
        },
        ModelName::Described(model) => KINDS
            .iter()
            .find(|(.., kind)| plain(model, *kind))
            .map_or_else(|| "as-given".to_owned(), |(value, ..)| (*value).to_owned()),
    }
}

fn described(kind: Attention, kv_heads: Option<u32>) -> Model {
    Model { attention: Some(kind), kv_heads, states: Some(Vec::new()), ..Model::default() }
}

/// Picks the model.
#[component]
pub fn ModelPicker(session: Session) -> impl IntoView {
    let current = Memo::new(move |_| session.plan.with(|plan| choice(&plan.model)));
    let given = Memo::new(move |_| session.plan.with(|plan| plan.model.label()));
    let take = move |value: String| {
        let kind = KINDS.iter().find(|(known, ..)| *known == value).map(|(.., kind)| *kind);
        let model = match kind {
            Some(kind) => ModelName::Described(described(kind, (kind == Attention::Gqa).then_some(8)).into()),
            None if value == "as-given" => return,
            None => ModelName::Named(value),
        };
        session.change(|plan| plan.model = model);
    };
    let kind_of = |model: &Model| {
        let heads = model.kv_heads.filter(|_| model.attention == Some(Attention::Gqa));
        let heads = heads.map_or_else(String::new, |heads| format!(", {heads} KV heads"));
        format!("{}{heads}", model.attention.map(Attention::label).unwrap_or_default())
    };
    let catalogue = MODELS.iter().map(|row| {
        let label = format!("{} · {}", row.name.rsplit('/').next().unwrap_or(row.name), kind_of(&row.facts));
        (row.name.to_owned(), label)
    });
    let kinds = KINDS.iter().map(|(value, label, _)| ((*value).to_owned(), (*label).to_owned()));
    let options = catalogue.chain(kinds).map(|(value, label)| {
        let own = value.clone();
        view! { <option value=value selected=move || current.get() == own>{label}</option> }
    });
    view! {
        <label class="pick" for="model">
            "Model "
            <select id="model" prop:value=move || current.get() on:change=move |event| take(event_target_value(&event))>
                {options.collect_view()}
                <Show when=move || current.get() == "as-given">
                    <option value="as-given" selected=true>{move || given.get()}</option>
                </Show>
            </select>
        </label>
    }
}

/// The facts that can be told of a model, in the order in which people know them.
const FACTS: &[&str] = &[
    "attention",
    "architecture",
    "layers",
    "kvLayers",
    "kvHeads",
    "headDim",
    "kvLoraRank",
    "qkRopeHeadDim",
    "swaLayers",
    "window",
    "states",
];

/// What is known of a model that is not of the catalogue.
#[component]
pub fn ModelCard(session: Session) -> impl IntoView {
    let is_described = Memo::new(move |_| session.plan.with(|plan| matches!(plan.model, ModelName::Described(_))));
    let is_unknown = move || session.plan.with(|plan| plan.model().is_none());
    let describe = move |_| session.change(|plan| plan.model = ModelName::Described(Box::default()));
    view! {
        <Show when=move || is_described.get() || is_unknown()>
            <section class="card" aria-labelledby="model-title">
                <h2 id="model-title">"Model"</h2>
                <Show when=move || is_described.get() fallback=move || view! {
                    <p class="derived">"The catalogue does not know this model."</p>
                    <button type="button" class="button" id="model-describe" on:click=describe>"Describe it"</button>
                }>
                    <p class="derived">"What is not told stays unknown; no states are \"none\". A pasted config.json tells it all."</p>
                    {FACTS.iter().filter_map(|name| fact(session, name)).collect_view()}
                </Show>
            </section>
        </Show>
    }
}

/// What is typed for a list that is known to be empty.
const NONE: &str = "none";

fn fact(session: Session, name: &str) -> Option<impl IntoView + use<>> {
    let field = Model::field(name)?;
    let id = format!("model-{name}");
    let path = format!("model.{name}");
    let value = Signal::derive(move || {
        session.plan.with(|plan| match plan.model().map(|model| (field.read)(model)) {
            Some(Value::List(words)) if words.is_empty() => NONE.to_owned(),
            value => value.map(text_of).unwrap_or_default(),
        })
    });
    let write = Callback::new(move |text: String| match text.trim() {
        NONE => session.edit(&path, &Value::List(Vec::new())).map_err(|problem| problem.message),
        text => write(session, &path, field.label, field.kind, text, Value::Absent),
    });
    let draft = Draft { value, write };
    Some(view! {
        <div class="field">
            <label for=id.clone() title=field.help.trim()>{field.label}</label>
            {input(id, draft, field.kind, field.name, "not known")}
        </div>
    })
}
