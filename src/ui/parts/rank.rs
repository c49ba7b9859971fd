//! One rank in words, and all decode ranks as a table.

use crate::planner::map::{DecodeRank, Map};
use crate::planner::mapping::Peer;
use crate::planner::placement::NEVER_STARTS;
use crate::planner::report::Report;
use crate::planner::widths::{Coordinates, Widths};
use crate::ui::session::Session;
use leptos::prelude::*;

/// Rows that the table shows.
const MOST_ROWS: usize = 256;

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

/// A rank's counts: by its name in the drawing.
fn describe(report: &Report, map: &Map, id: &str) -> Option<String> {
    let (side, numbers) = id.split_at_checked(1)?;
    let numbers: Vec<u32> = numbers.split('.').filter_map(|number| number.parse().ok()).collect();
    match (side, numbers.as_slice()) {
        ("d", [pp, tp]) => {
            let found = map.decode_ranks.iter().find(|rank| rank.pp_rank == *pp && rank.tp_rank == *tp);
            found.map(|rank| decode_rank(report, rank))
        }
        ("p", [pp, cp, tp]) => {
            let own =
                || map.connections.iter().filter(|c| c.prefill.pp == *pp && c.prefill.cp == *cp && c.prefill.tp == *tp);
            let (all, dummies) = (own().count(), own().filter(|connection| connection.dummy).count());
            let needs = map.decode_ranks.first().map_or(0, |rank| rank.required_dst_info_num);
            let at = format!("Prefill {} · {}", place(*pp, *cp, *tp), spot(&report.prefill, *pp, *cp, *tp));
            Some(match all {
                0 => format!("{at} · no decode rank contacts it."),
                _ => format!(
                    "{at} · {} connected, {dummies} of them as dummies; it sends after {}.",
                    count(all, "decode rank"),
                    count(needs, "registration")
                ),
            })
        }
        _ => None,
    }
}

/// The node and the GPU of a rank of DP group 0.
fn spot(widths: &Widths, pp: u32, attention_cp: u32, attention_tp: u32) -> String {
    let at = Coordinates { pp, attention_dp: 0, attention_cp, attention_tp };
    widths.spot(at).map_or_else(|| NEVER_STARTS.to_owned(), |spot| spot.to_string())
}

fn place(pp: u32, cp: u32, tp: u32) -> String {
    format!("PP {pp}, CP {cp}, TP {tp}")
}

/// A number of things.
fn count(number: impl std::fmt::Display, thing: &str) -> String {
    let text = number.to_string();
    let plural = if text == "1" { "" } else { "s" };
    format!("{text} {thing}{plural}")
}

fn decode_rank(report: &Report, rank: &DecodeRank) -> String {
    let spot = spot(&report.decode, rank.pp_rank, 0, rank.tp_rank);
    let at = format!("Decode PP {}, TP {} · {spot}", rank.pp_rank, rank.tp_rank);
    if let Some(missing) = &rank.missing {
        return format!("{at} · {missing}");
    }
    let real = rank.peers.iter().filter(|peer| !peer.dummy).count();
    format!(
        "{at} · pulls from {}, keeps {}, waits for {}: {}.",
        count(real, "prefill rank"),
        count(rank.peers.len().abs_diff(real), "dummy connection"),
        count(rank.required_prefill_response_num, "report"),
        list(&rank.peers)
    )
}

/// Peers in SGLang's order, dummies in parentheses.
fn list(peers: &[Peer]) -> String {
    let one = |peer: &Peer| {
        let at = place(peer.pp, peer.cp, peer.tp);
        if peer.dummy { format!("({at})") } else { at }
    };
    let shown: Vec<String> = peers.iter().take(16).map(one).collect();
    let more = peers.len().saturating_sub(shown.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", shown.join("; "))
}

/// All decode ranks as a table, built when it is opened.
#[component]
pub fn RankTable(session: Session) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let rows = move || {
        session.report.with(|report| report.map.as_ref().map(|map| (map.decode_ranks.len(), rows(report, map))))
    };
    view! {
        <details class="table" on:toggle=move |event| is_open.set(super::is_open(&event))>
            <summary>"The same as a table"</summary>
            <Show when=move || is_open.get()>
                {move || match rows() {
                    None => view! { <p>"There is no map: nothing connects."</p> }.into_any(),
                    Some((count, rows)) => view! { <Table count rows/> }.into_any(),
                }}
            </Show>
        </details>
    }
}

fn rows(report: &Report, map: &Map) -> Vec<[String; 5]> {
    let row = |rank: &DecodeRank| {
        let from = rank.missing.clone().unwrap_or_else(|| list(&rank.peers));
        let counts = [rank.required_prefill_response_num, rank.required_dst_info_num].map(|number| number.to_string());
        let [responses, registrations] = counts;
        let spot = spot(&report.decode, rank.pp_rank, 0, rank.tp_rank);
        [format!("PP {}, TP {}", rank.pp_rank, rank.tp_rank), spot, from, responses, registrations]
    };
    map.decode_ranks.iter().take(MOST_ROWS).map(row).collect()
}

#[component]
fn Table(count: usize, rows: Vec<[String; 5]>) -> impl IntoView {
    let more = count.saturating_sub(rows.len());
    let heads = [
        "Decode rank",
        "Runs on",
        "Prefill ranks (dummies in parentheses)",
        "Waits for reports",
        "Registrations a prefill rank waits for",
    ];
    let row = |[rank, spot, from, responses, registrations]: [String; 5]| {
        view! { <tr><th scope="row">{rank}</th><td>{spot}</td><td>{from}</td><td>{responses}</td><td>{registrations}</td></tr> }
    };
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Rank table">
            <table>
                <thead><tr>{heads.map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr></thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </div>
        {(more > 0).then(|| view! { <p>{format!("and {more} more ranks")}</p> })}
    }
}
