//! What a request moves: the sums, a bar for each rank, what limits it.

use super::escape;
use crate::planner::check::{WithMap, judge};
use crate::planner::pair::Pair;
use crate::planner::payload::{Payload, RankBytes, count, words};
use crate::planner::plan::{Plan, Traffic};
use crate::planner::quantity::Bytes;
use crate::planner::record::Record;

/// Lines of bars that a side shows.
const MOST_BARS: usize = 64;

pub fn view(plan: &Plan) -> String {
    let pair = Pair::of(plan);
    let mut out = controls(plan);
    match count(&pair, &judge(&pair, WithMap::Yes)) {
        Ok(counted) => sums(&mut out, &counted.payload),
        Err(why) => out.push_str(&format!("<p>{}</p>", escape(&words::uncounted(&why)))),
    }
    out
}

/// The traffic, to change.
fn controls(plan: &Plan) -> String {
    let mut out = "<p class=\"choices\">".to_owned();
    for field in Traffic::FIELDS {
        let (name, label, value) = (field.name, escape(field.label), (field.read)(&plan.traffic).text());
        out.push_str(&format!(
            "<label for=\"traffic-{name}\">{label}</label> <input id=\"traffic-{name}\" class=\"word\" type=\"number\" \
             min=\"1\" step=\"1\" data-field=\"traffic.{name}\" value=\"{value}\">"
        ));
    }
    out.push_str("</p>");
    out
}

fn sums(out: &mut String, payload: &Payload) {
    out.push_str(&format!("<p>{}</p>", escape(&words::summary(payload))));
    let rows = [
        ("KV and states of the request, once", payload.request_bytes),
        ("What decode's ranks must hold of it", payload.needed_bytes),
        ("What is moved", payload.moved_bytes),
        ("Of that, what a rank gets more than once", payload.repeated_bytes),
    ];
    out.push_str("<table id=\"payload-sums\"><tbody>");
    for (label, bytes) in rows {
        let times = words::ratio(bytes, payload.request_bytes);
        out.push_str(&format!(
            "<tr><th scope=\"row\">{label}</th><td>{}</td><td>{times} × the request</td></tr>",
            words::bytes(bytes)
        ));
    }
    out.push_str("</tbody></table>");
    let most = payload.senders.iter().chain(&payload.receivers).map(|rank| rank.bytes).max().unwrap_or_default();
    bars(out, "Sent by prefill", "p", &payload.senders, most);
    bars(out, "Received by decode", "d", &payload.receivers, most);
    if !payload.notes.is_empty() {
        out.push_str("<h3>Counted with</h3><ul>");
        for note in &payload.notes {
            out.push_str(&format!("<li>{}</li>", escape(note)));
        }
        out.push_str("</ul>");
    }
}

/// A bar for ranks that follow each other with as many bytes.
fn bars(out: &mut String, title: &str, side: &str, ranks: &[RankBytes], most: Bytes) {
    let runs = words::runs(ranks);
    out.push_str(&format!("<h3>{title}</h3><table class=\"bars {side}\"><tbody>"));
    for (name, count, bytes) in runs.iter().take(MOST_BARS) {
        let permille =
            u128::from(bytes.number()).saturating_mul(1000).checked_div(most.number().into()).unwrap_or_default();
        let each = if *count > 1 { " each" } else { "" };
        let limit = if *bytes == most && most > Bytes::NONE { " <small>sets the limit</small>" } else { "" };
        out.push_str(&format!(
            "<tr><th scope=\"row\">{name}</th><td><svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" \
             aria-hidden=\"true\"><rect width=\"{permille}\" height=\"10\"/></svg></td><td>{}{each}{limit}</td></tr>",
            words::bytes(*bytes)
        ));
    }
    out.push_str("</tbody></table>");
    if let Some(more) = runs.len().checked_sub(MOST_BARS).filter(|more| *more > 0) {
        out.push_str(&format!("<p>and {more} more</p>"));
    }
}
