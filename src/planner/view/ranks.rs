//! The rank map as a table: sorted, narrowed down, with the chosen rank marked.

use super::escape;
use crate::planner::check::{WithMap, judge};
use crate::planner::pair::Pair;
use crate::planner::payload::{count, words};
use crate::planner::plan::Plan;
use crate::planner::ranks;

/// Rows that the table shows.
const MOST_ROWS: usize = 256;

const HEADS: [&str; 6] = [
    "Decode rank",
    "Runs on",
    "Prefill ranks (dummies in parentheses)",
    "Waits for reports",
    "Registrations a prefill rank waits for",
    "Receives",
];

/// What a reader asks of the table.
pub struct Asked<'a> {
    /// A text that rows must have.
    pub filter: &'a str,
    /// The column to sort by, from 1; 0: SGLang's order.
    pub sort: u32,
    /// The chosen rank.
    pub chosen: &'a str,
}

struct Row {
    id: String,
    cells: Vec<String>,
}

pub fn view(plan: &Plan, asked: &Asked<'_>) -> String {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    let Some(map) = &report.map else { return "<p>There is no map: nothing connects.</p>".to_owned() };
    let counted = count(&pair, &report).ok();
    let received = |pp: u32, tp: u32| {
        let ranks = counted.as_ref().map(|counted| counted.payload.receivers.as_slice()).unwrap_or_default();
        let rank = ranks.iter().find(|rank| (rank.pp, rank.tp) == (pp, tp));
        rank.map_or_else(String::new, |rank| words::bytes(rank.bytes))
    };
    let cells = ranks::rows(&report, map, usize::MAX).into_iter();
    let mut rows: Vec<Row> = cells
        .zip(&map.decode_ranks)
        .map(|(mut cells, rank)| {
            cells.push(received(rank.pp_rank, rank.tp_rank));
            Row { id: format!("d{}.{}", rank.pp_rank, rank.tp_rank), cells }
        })
        .collect();
    let all = rows.len();
    let wanted = asked.filter.trim().to_lowercase();
    rows.retain(|row| row.cells.iter().any(|cell| cell.to_lowercase().contains(&wanted)));
    if let Some(column) = asked.sort.checked_sub(1) {
        let key = |row: &Row| natural(row.cells.get(column as usize).map(String::as_str).unwrap_or_default());
        rows.sort_by_cached_key(key);
    }
    let mut out = controls(asked);
    out.push_str(&format!("<p class=\"seen\" role=\"status\">{} of {all} decode ranks</p>", rows.len()));
    table(&mut out, rows.iter().take(MOST_ROWS), asked.chosen);
    let more = rows.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        out.push_str(&format!("<p>and {more} more; narrow them down, or take all along as CSV under Export</p>"));
    }
    out
}

fn controls(asked: &Asked<'_>) -> String {
    let mut out = format!(
        "<p class=\"choices\"><label for=\"table-filter\">Only rows with</label><input type=\"search\" \
         id=\"table-filter\" name=\"filter\" class=\"word\" value=\"{}\"><label for=\"table-sort\">Sort by</label>\
         <select id=\"table-sort\" name=\"sort\"><option value=\"0\">SGLang's order</option>",
        escape(asked.filter)
    );
    for (column, head) in (1..).zip(HEADS) {
        let selected = if column == asked.sort { " selected" } else { "" };
        out.push_str(&format!("<option value=\"{column}\"{selected}>{head}</option>"));
    }
    out.push_str("</select></p>");
    out
}

fn table<'a>(out: &mut String, rows: impl Iterator<Item = &'a Row>, chosen: &str) {
    out.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table><thead><tr>");
    for head in HEADS {
        out.push_str(&format!("<th scope=\"col\">{head}</th>"));
    }
    out.push_str("</tr></thead><tbody>");
    for Row { id, cells } in rows {
        let on = if id == chosen { " class=\"on\"" } else { "" };
        out.push_str(&format!("<tr{on}>"));
        for (at, cell) in cells.iter().enumerate() {
            let cell = escape(cell);
            out.push_str(&match at {
                0 => format!("<th scope=\"row\"><button type=\"button\" data-rank=\"{id}\">{cell}</button></th>"),
                _ => format!("<td>{cell}</td>"),
            });
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
}

/// A text as a key under which 10 comes after 9.
fn natural(text: &str) -> Vec<(u64, String)> {
    let mut key: Vec<(u64, String)> = Vec::new();
    let mut digits = String::new();
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if let Ok(number) = digits.parse() {
            key.push((number, String::new()));
        }
        digits.clear();
        match key.last_mut() {
            Some((_, word)) => word.push(c),
            None => key.push((0, c.to_string())),
        }
    }
    key.extend(digits.parse().ok().map(|number| (number, String::new())));
    key
}
