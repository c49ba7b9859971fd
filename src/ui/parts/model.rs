//! Picking a model: one of the catalogue, or a kind with its KV heads.

use super::field::{Draft, NumberInput};
use crate::planner::catalog::{Attention, MODELS, Model, ModelName};
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
    let is_gqa = move || current.get() == "kind:gqa";
    let heads = Draft {
        value: Signal::derive(move || {
            let heads = session.plan.with(|plan| plan.model().and_then(|model| model.kv_heads));
            heads.map_or_else(String::new, |heads| heads.to_string())
        }),
        write: Callback::new(move |text: String| {
            let value = Value::parse(crate::planner::value::Kind::Number, &text)
                .map_err(|message| format!("KV heads {message}"))?;
            session.edit("model.kvHeads", &value).map_err(|problem| problem.message)
        }),
    };
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
        <Show when=is_gqa>
            <label class="pick" for="model-kvHeads">
                "KV heads " <NumberInput id="model-kvHeads".to_owned() draft=heads/>
            </label>
        </Show>
    }
}
