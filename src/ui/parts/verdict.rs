//! The verdict: what, in SGLang's words, when it strikes and who sees it, why, and fixes.

use super::later::Later;
use crate::planner::report::{Finding, Outcome, Report, Verdict};
use crate::planner::words::title;
use crate::ui::session::Session;
use leptos::prelude::*;

/// The verdict and all findings.
#[component]
pub fn VerdictCard(session: Session) -> impl IntoView {
    let state = move || match session.problem.get() {
        Some(_) => "noPlan",
        None => session.report.with(|report| report.verdict.word()),
    };
    let body = move || match session.problem.get() {
        Some(problem) => view! {
            <span class="sign" aria-hidden="true">"?"</span>
            <h2>"This is no plan"</h2>
            <p>{problem.to_string()}</p>
        }
        .into_any(),
        None => {
            let release = session.plan.with(|plan| plan.release_of(crate::planner::Role::Decode).to_string());
            session.report.with(|report| judged(session, report, release)).into_any()
        }
    };
    view! { <section id="verdict" class="verdict" data-verdict=state aria-live="polite">{body}</section> }
}

fn judged(session: Session, report: &Report, release: String) -> impl IntoView + use<> {
    let main = main_finding(report);
    let sign = match report.verdict {
        Verdict::Accepted => "✓",
        Verdict::AcceptedWithWarnings => "△",
        Verdict::BreaksLater => "!",
        Verdict::Rejected => "✕",
        Verdict::Unknown => "?",
    };
    let is_accepted = matches!(report.verdict, Verdict::Accepted | Verdict::AcceptedWithWarnings);
    let others: Vec<Finding> = report
        .findings
        .iter()
        .filter(|finding| main.is_none_or(|main| !std::ptr::eq(main, *finding)))
        .cloned()
        .collect();
    let accepted = main.is_none().then(|| sentence(&report.headline));
    view! {
        <span class="sign" aria-hidden="true">{sign}</span>
        <h2>{title(report.verdict, main)}</h2>
        <Tag release finding=main.cloned()/>
        {accepted.map(|who| view! { <p>{who}</p> })}
        {main.cloned().map(|finding| view! { <Details session finding/> })}
        {is_accepted.then(|| view! { <p class="seen">{LIMITS}</p> })}
        <Others session findings=others/>
    }
}

/// What an acceptance does not cover; a reader must not take it for more than it is.
const LIMITS: &str = "Judged: start-up (before 0.5.15 in part), the handshake, the rank mapping, look-ups, time-outs, and \
                      whether heads, layers, tokens and states arrive. Not: memory, the network, HiCache, sizes \
                      of staging buffers, KV sharding and stages of DeepSeek-V4.";

/// A headline without the verdict before its colon.
fn sentence(headline: &str) -> String {
    let who = headline.split_once(": ").map_or(headline, |(_, who)| who);
    let mut letters = who.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The finding that decides the verdict: the first of the worst kind.
fn main_finding(report: &Report) -> Option<&Finding> {
    let decides = |outcome: Outcome| match report.verdict {
        Verdict::Accepted => false,
        Verdict::AcceptedWithWarnings => outcome == Outcome::Warns,
        Verdict::BreaksLater => matches!(outcome, Outcome::Fails | Outcome::Hangs | Outcome::Corrupts),
        Verdict::Rejected => outcome == Outcome::Rejects,
        Verdict::Unknown => outcome == Outcome::Needs,
    };
    report.findings.iter().find(|finding| decides(finding.outcome))
}

/// The release and the evidence.
#[component]
fn Tag(release: String, finding: Option<Finding>) -> impl IntoView {
    let evidence = finding.map_or("executed", |finding| finding.evidence.word());
    let what = match evidence {
        "executed" => "A test compares this with SGLang's own code.",
        "read" => "Found in SGLang's source, not run.",
        _ => "Confirmed by a public report.",
    };
    view! { <span class="tag" title=what>{format!("SGLang {release} · {evidence}")}</span> }
}

/// One finding, whole.
#[component]
fn Details(session: Session, finding: Finding) -> impl IntoView {
    let breaks = matches!(finding.outcome, Outcome::Fails | Outcome::Hangs | Outcome::Corrupts);
    let is_silent = breaks && finding.error.is_none();
    let error = finding.error.map(|error| {
        let (kind, message) = (error.kind, error.message);
        let colon = if message.is_empty() { "" } else { ": " };
        view! { <code class="sglang-error">{kind}{colon}<span class="sglang-message">{message}</span></code> }
    });
    let fixes = finding.fixes.into_iter().map(move |fix| {
        let (what, cost) = match fix.title.split_once(" · ") {
            Some((what, cost)) => (what.to_owned(), format!(" · {cost}")),
            None => (fix.title.clone(), String::new()),
        };
        view! { <button type="button" class="fix" on:click=move |_| session.apply(&fix)><b>{what}</b>{cost}</button> }
    });
    view! {
        <p class="message">{finding.message}</p>
        {error}
        {is_silent.then(|| view! { <p class="silent">"SGLang has no check for this, so these are not its words."</p> })}
        <p class="seen">{finding.seen}</p>
        <div class="fixes">{fixes.collect_view()}</div>
        <Later session part="why" title="Why" class="why" rule=finding.rule/>
    }
}

/// The findings that do not decide the verdict, folded.
#[component]
fn Others(session: Session, findings: Vec<Finding>) -> impl IntoView {
    let count = findings.len();
    let item = move |finding: Finding| {
        let head = format!("{} · {}", finding.stage, finding.outcome);
        view! {
            <li class="other">
                <h3>{head}</h3>
                <Details session finding/>
            </li>
        }
    };
    (count > 0).then(|| {
        view! {
            <details class="others">
                <summary>{format!("{count} more {}", if count == 1 { "finding" } else { "findings" })}</summary>
                <ul>{findings.into_iter().map(item).collect_view()}</ul>
            </details>
        }
    })
}
