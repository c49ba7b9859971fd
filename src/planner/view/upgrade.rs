//! What another release changes for a plan.

use super::{escape, table};
use crate::planner::link::link;
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::report::{Finding, Verdict};
use crate::planner::upgrade::{Upgrade, upgrade};
use crate::planner::value::Value;

pub fn view(plan: &Plan, to: Release) -> String {
    let mut out = "<label class=\"pick\">Both sides on SGLang <select id=\"upgrade-to\" name=\"release\">".to_owned();
    for release in Release::ALL.iter().rev() {
        let selected = if *release == to { " selected" } else { "" };
        out.push_str(&format!("<option value=\"{release}\"{selected}>{release}</option>"));
    }
    out.push_str("</select></label>");
    let Upgrade { plan: then, before, after, gone, new, options, settings } = upgrade(plan, to);
    let from = plan.release_of(Role::Decode);
    out.push_str(&format!(
        "<p id=\"upgrade-verdict\">{from}: <b>{}</b> → {to}: <b>{}</b></p>",
        verdict(before),
        verdict(after)
    ));
    if gone.is_empty() && new.is_empty() && options.is_empty() && settings.is_empty() {
        out.push_str("<p>Nothing changes that the planner judges.</p>");
    }
    findings(&mut out, "Gone", &gone);
    findings(&mut out, "New", &new);
    let heads = ["", from.name(), to.name()];
    let none = || "no such option".to_owned();
    let options = options.into_iter();
    let options =
        options.map(|one| vec![one.side.to_string(), one.before.unwrap_or_else(none), one.after.unwrap_or_else(none)]);
    section(&mut out, "Options", &heads, options.collect());
    let settings = settings.into_iter().map(|setting| {
        let label = Server::field(setting.field).map_or(setting.field, |field| field.label);
        vec![format!("{} {label}", setting.side), known(&setting.before), known(&setting.after)]
    });
    section(&mut out, "What start-up makes of settings", &heads, settings.collect());
    out.push_str(&format!(
        "<button type=\"button\" class=\"button\" id=\"upgrade-take\" data-plan=\"{}\">Take the plan to {to}</button>",
        escape(&link(&then))
    ));
    out
}

fn known(value: &Value) -> String {
    match value.text() {
        text if text.is_empty() => "not known".to_owned(),
        text => text,
    }
}

fn findings(out: &mut String, title: &str, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    out.push_str(&format!("<h3>{title}</h3><ul>"));
    for finding in findings {
        out.push_str(&format!("<li>{} · {}: {}", finding.stage, finding.outcome, escape(&finding.message)));
        if let Some(error) = &finding.error {
            let text = escape(&error.message);
            out.push_str(&format!(" <code class=\"sglang-error\">{}: {text}</code>", error.kind));
        }
        out.push_str("</li>");
    }
    out.push_str("</ul>");
}

fn section(out: &mut String, title: &str, heads: &[&str], rows: Vec<Vec<String>>) {
    if !rows.is_empty() {
        out.push_str(&format!("<h3>{title}</h3>{}", table("", heads, &rows)));
    }
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
