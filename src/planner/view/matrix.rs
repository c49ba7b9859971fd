//! The rank map as a matrix: decode's ranks are rows, prefill's are columns, a cell is a connection.

use super::escape;
use crate::planner::check::{WithMap, judge};
use crate::planner::draw::geometry::{Edge, scene};
use crate::planner::draw::weight;
use crate::planner::pair::Pair;
use crate::planner::payload::{count, words};
use crate::planner::plan::Plan;
use crate::planner::quantity::Bytes;
use std::collections::BTreeMap;

pub fn view(plan: &Plan, chosen: &str) -> String {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    if report.map.is_none() {
        return "<p>There is no map: nothing connects.</p>".to_owned();
    }
    let counted = count(&pair, &report).ok();
    let scene = scene(&pair, report.map.as_ref(), counted.as_ref());
    let cells: BTreeMap<(usize, usize), &Edge> =
        scene.edges.iter().map(|edge| ((edge.decode, edge.prefill), edge)).collect();
    let on = |id: &str| if id == chosen { " class=\"on\"" } else { "" };
    let mut out = "<p class=\"seen\">Rows receive, columns send; the darker a cell, the more bytes; D is a dummy \
                   connection.</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Matrix\">\
                   <table class=\"matrix\"><thead><tr><td></td>"
        .to_owned();
    for node in &scene.prefill.nodes {
        out.push_str(&format!("<th scope=\"col\"{}>{}</th>", on(&node.id), pick(&node.id, &node.label)));
    }
    out.push_str("</tr></thead><tbody>");
    for (row, decode) in scene.decode.nodes.iter().enumerate() {
        out.push_str(&format!("<tr{}><th scope=\"row\">{}</th>", on(&decode.id), pick(&decode.id, &decode.label)));
        for (column, prefill) in scene.prefill.nodes.iter().enumerate() {
            let is_on = if prefill.id == chosen { " on" } else { "" };
            out.push_str(&match cells.get(&(row, column)) {
                None => format!("<td class=\"none{is_on}\"></td>"),
                Some(edge) if edge.dummy => format!("<td class=\"dummy{is_on}\" title=\"a dummy\">D</td>"),
                Some(edge) => cell(edge, scene.heaviest, is_on),
            });
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    out
}

/// A head that chooses its rank.
fn pick(id: &str, label: &str) -> String {
    format!("<button type=\"button\" data-rank=\"{id}\">{}</button>", escape(label))
}

fn cell(edge: &Edge, heaviest: Bytes, is_on: &str) -> String {
    let shade = weight(edge.bytes, heaviest);
    let shade = if shade.is_empty() { " w4" } else { shade };
    let bytes = if heaviest == Bytes::NONE { "KV".to_owned() } else { words::bytes(edge.bytes) };
    format!("<td class=\"data{shade}{is_on}\" title=\"{bytes}\"><span class=\"unseen\">{bytes}</span></td>")
}
