//! The rank map as a Mermaid flowchart.

use super::geometry::{Column, name, scene};
use super::svg::no_map;
use crate::planner::pair::Pair;
use crate::planner::report::Report;

/// The rank map as a Mermaid flowchart.
pub fn mermaid(pair: &Pair<'_>, report: &Report) -> String {
    let scene = scene(pair, report.map.as_ref(), None);
    let mut out = "flowchart LR\n".to_owned();
    for (column, letter) in [(&scene.prefill, 'p'), (&scene.decode, 'd')] {
        group(&mut out, column, letter);
    }
    for edge in &scene.edges {
        let arrow = if edge.dummy { "-. dummy .->" } else { "-->" };
        out.push_str(&format!("  p{} {arrow} d{}\n", edge.prefill, edge.decode));
    }
    if report.map.is_none() {
        let (what, why) = no_map(report);
        out.push_str(&format!("  stop[\"{what}: {}\"]\n", why.replace('"', "#quot;").replace(['<', '>', '\n'], " ")));
    }
    out
}

fn group(out: &mut String, column: &Column, letter: char) {
    out.push_str(&format!("  subgraph {}\n", name(column.role)));
    for (index, node) in column.nodes.iter().enumerate() {
        out.push_str(&format!("    {letter}{index}[\"{}\"]\n", node.label));
    }
    out.push_str("  end\n");
}
