//! What another release changes for the plan.

use crate::planner::plan::Role;
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::report::{Finding, Verdict};
use crate::planner::upgrade::{Upgrade, upgrade};
use crate::planner::{Plan, Server};
use crate::ui::session::Session;
use leptos::prelude::*;

/// Folded; compared when it is opened.
#[component]
pub fn OtherRelease(session: Session) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let chosen = RwSignal::new(Release::NEWEST);
    let compared = move || {
        let to = chosen.get();
        session.plan.with(|plan| outcome(session, plan, to))
    };
    let options = Release::ALL.iter().rev().map(|release| {
        let release = *release;
        view! { <option value=release.name() selected=move || chosen.get() == release>{release.name()}</option> }
    });
    let choose = move |event| {
        if let Some(release) = Release::named(&event_target_value(&event)) {
            chosen.set(release);
        }
    };
    view! {
        <details id="upgrade" class="commands" on:toggle=move |event| is_open.set(super::is_open(&event))>
            <summary>"What another release changes"</summary>
            <label class="pick">"Both sides on SGLang " <select id="upgrade-to" on:change=choose>{options.collect_view()}</select></label>
            <Show when=move || is_open.get()>{compared}</Show>
        </details>
    }
}

fn outcome(session: Session, plan: &Plan, to: Release) -> impl IntoView + use<> {
    let Upgrade { plan: then, before, after, gone, new, options, settings } = upgrade(plan, to);
    let from = plan.release_of(Role::Decode);
    let is_same = gone.is_empty() && new.is_empty() && options.is_empty() && settings.is_empty();
    let options = options.into_iter().map(|option| {
        let none = || "no such option".to_owned();
        (format!("{}", option.side), option.before.unwrap_or_else(none), option.after.unwrap_or_else(none))
    });
    let settings = settings.into_iter().map(|setting| {
        let label = Server::field(setting.field).map_or(setting.field, |field| field.label);
        let value = |value: crate::planner::value::Value| match value.text() {
            text if text.is_empty() => "not known".to_owned(),
            text => text,
        };
        (format!("{} {label}", setting.side), value(setting.before), value(setting.after))
    });
    view! {
        <p id="upgrade-verdict">{format!("{from}: ")}<b>{verdict(before)}</b>{format!(" → {to}: ")}<b>{verdict(after)}</b></p>
        {is_same.then(|| view! { <p>"Nothing changes that the planner judges."</p> })}
        {findings("Gone", gone)}
        {findings("New", new)}
        {table("Options", from, to, options.collect())}
        {table("What start-up makes of settings", from, to, settings.collect())}
        <button type="button" class="button" id="upgrade-take" on:click=move |_| session.change(|plan| *plan = then.clone())>
            {format!("Take the plan to {to}")}
        </button>
    }
}

fn findings(title: &'static str, findings: Vec<Finding>) -> impl IntoView {
    let item = |finding: Finding| {
        let error =
            finding.error.map(|error| view! { <code class="sglang-error">{error.kind}": "{error.message}</code> });
        view! { <li>{format!("{} · {}: {}", finding.stage, finding.outcome, finding.message)} {error}</li> }
    };
    (!findings.is_empty()).then(|| view! { <h3>{title}</h3> <ul>{findings.into_iter().map(item).collect_view()}</ul> })
}

fn table(title: &'static str, from: Release, to: Release, rows: Vec<(String, String, String)>) -> impl IntoView {
    let row = |(of, before, after)| view! { <tr><th scope="row">{of}</th><td>{before}</td><td>{after}</td></tr> };
    (!rows.is_empty()).then(|| {
        view! {
            <h3>{title}</h3>
            <div class="scroll">
                <table>
                    <thead><tr><th></th><th>{from.name()}</th><th>{to.name()}</th></tr></thead>
                    <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                </table>
            </div>
        }
    })
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::AcceptedWithWarnings => "accepted, with a warning",
        Verdict::BreaksLater => "accepted, then breaks",
        Verdict::Rejected => "rejected",
        Verdict::Unknown => "unknown",
    }
}
