//! One rank in words: what it waits for, and what it sends or gets.

use crate::planner::draw::escape;
use crate::planner::ranks::describe;
use crate::ui::reader;
use crate::ui::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// What the chosen rank connects to, at once; the slices that it sends or gets as soon as they are
/// counted, which a choice, and no mere pointing, fetches.
#[component]
pub fn RankPanel(session: Session, active: Memo<Option<String>>) -> impl IntoView {
    let text = RwSignal::new(String::new());
    Effect::new(move |_| {
        let (plan, rank) = (session.plan.get(), active.get());
        text.set(session.report.with(|report| match (&rank, &report.map) {
            (Some(rank), Some(map)) => escape(&describe(report, map, rank).unwrap_or_default()),
            (Some(_), None) => "There is no map: nothing connects.".to_owned(),
            (None, _) => String::new(),
        }));
        let Some(rank) = rank.filter(|_| session.chosen.get().is_some() || reader::is_here()) else { return };
        spawn_local(async move {
            let asked = [("rank".to_owned(), rank.clone())];
            let Ok(slices) = reader::view(&plan, "rank", &asked, None).await else { return };
            // Another rank or plan has its own answer on the way.
            if active.get_untracked() == Some(rank) && session.plan.with_untracked(|now| *now == plan) {
                text.set(slices);
            }
        });
    });
    view! { <div id="rank-panel" class="rank-panel" role="status" inner_html=text></div> }
}
