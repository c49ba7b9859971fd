//! One rank in words.

use crate::planner::ranks::describe;
use crate::ui::session::Session;
use leptos::prelude::*;

/// What the chosen rank connects to.
#[component]
pub fn RankPanel(session: Session, active: Memo<Option<String>>) -> impl IntoView {
    let text = move || match (active.get(), session.report.with(|report| report.map.is_some())) {
        (Some(id), true) => session.report.with(|report| describe(report, report.map.as_ref()?, &id)),
        (Some(_), false) => Some("There is no map: nothing connects.".to_owned()),
        (None, _) => None,
    };
    view! { <p id="rank-panel" class="rank-panel" role="status">{text}</p> }
}
