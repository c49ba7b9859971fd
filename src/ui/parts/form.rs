//! One server's card: what follows from its sizes, its fields.

use super::field::ServerField;
use crate::planner::draw::geometry::name;
use crate::planner::pair::ALL_CP_RANKS_ENV;
use crate::planner::plan::{Role, Server};
use crate::planner::record::Record;
use crate::planner::widths::Widths;
use crate::ui::session::Session;
use leptos::prelude::*;

/// The fields that are always in view; the table's others fold away.
const SIZES: &[&str] = &["tp", "attentionDp", "replicas", "attentionCp", "pp", "dcp"];

/// A field with a control of its own.
const ELSEWHERE: &[&str] = &["env"];

/// One server's card.
#[component]
pub fn Side(session: Session, role: Role) -> impl IntoView {
    let widths = Memo::new(move |_| {
        session.report.with(|report| match role {
            Role::Prefill => report.prefill,
            Role::Decode => report.decode,
        })
    });
    let fields = |in_view: bool| {
        Server::FIELDS
            .iter()
            .filter(move |field| SIZES.contains(&field.name) == in_view && !ELSEWHERE.contains(&field.name))
            .map(move |field| view! { <ServerField session role field/> })
            .collect_view()
    };
    view! {
        <section class=format!("card {role}") aria-labelledby=format!("{role}-title")>
            <h2 id=format!("{role}-title")>{name(role)}</h2>
            <p class="derived">{move || derived(&widths.get())}</p>
            {fields(true)}
            <details>
                <summary>"experts, nodes, page size, KV dtype, transfer …"</summary>
                {fields(false)}
                <AllCpRanks session role/>
            </details>
        </section>
    }
}

/// The GPUs and how they come about.
fn derived(widths: &Widths) -> impl IntoView + use<> {
    let plural = if widths.gpus == 1 { "GPU" } else { "GPUs" };
    let parts =
        [("replicas", widths.replicas), ("PP", widths.pp), ("DP", widths.attention_dp), ("CP", widths.attention_cp)];
    let parts: String =
        parts.iter().filter(|(_, width)| *width > 1).map(|(name, width)| format!("{name} {width} × ")).collect();
    let nodes = if widths.nodes > 1 { format!(", on {} nodes", widths.nodes) } else { String::new() };
    view! {
        <b>{format!("{} {plural}", widths.gpus)}</b>
        {format!(" = {parts}attention TP {}{nodes}", widths.attention_tp)}
    }
}

/// The environment variable that PD reads on both sides.
#[component]
fn AllCpRanks(session: Session, role: Role) -> impl IntoView {
    let is_on = Memo::new(move |_| session.plan.with(|plan| plan.server(role).env_is_on(ALL_CP_RANKS_ENV)));
    let set = move |on: bool| {
        session.change(|plan| {
            let env = &mut plan.server_mut(role).env;
            if on {
                env.insert(ALL_CP_RANKS_ENV.to_owned(), "1".to_owned());
            } else {
                env.remove(ALL_CP_RANKS_ENV);
            }
        });
    };
    let id = format!("{role}-allCpRanks");
    view! {
        <div class="field">
            <label for=id.clone()>"All CP ranks send" <small class="env">{ALL_CP_RANKS_ENV}</small></label>
            <input id=id type="checkbox" prop:checked=is_on on:change=move |event| set(event_target_checked(&event))/>
        </div>
    }
}
