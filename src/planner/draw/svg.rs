//! The rank map as SVG.

use super::geometry::{Column as Nodes, Edge, Node, Scene, name, scene};
use super::ink::{Px, escape, wrap};
use crate::planner::check;
use crate::planner::link::link;
use crate::planner::pair::Pair;
use crate::planner::payload::{self, Counted, words};
use crate::planner::plan::{Plan, Role};
use crate::planner::quantity::Bytes;
use crate::planner::report::{Outcome, Report, Stage};
use crate::planner::value::words;
use std::fmt::Write;

words! {
    /// The colours of a drawing.
    Theme {
        /// As the reader's system says.
        Auto = "auto",
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
    }
}

/// How to draw a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Its colours.
    pub theme: Theme,
}

words! {
    /// How much room a page has.
    Room {
        /// A window of ordinary width.
        Wide = "wide",
        /// A phone.
        Narrow = "narrow",
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { theme: Theme::Auto }
    }
}

crate::planner::json::from_object!(Options { "theme" => theme });

/// The palette and the map's looks, shared with the page.
const STYLE: &str = include_str!("../../../assets/map.css");

/// Where the columns stand across a drawing.
struct Frame {
    width: f32,
    prefill: Column,
    decode: Column,
    /// Whether a node has room for what it waits for, beside its coordinates.
    has_detail: bool,
    /// Characters that a line between the columns holds.
    line: usize,
}

struct Column {
    x: f32,
    width: f32,
}

/// For a page of ordinary width, and for documents.
const WIDE: Frame = Frame {
    width: 1020.0,
    prefill: Column { x: 24.0, width: 226.0 },
    decode: Column { x: 740.0, width: 256.0 },
    has_detail: true,
    line: 62,
};

/// For a phone.
const NARROW: Frame = Frame {
    width: 400.0,
    prefill: Column { x: 16.0, width: 116.0 },
    decode: Column { x: 268.0, width: 116.0 },
    has_detail: false,
    line: 24,
};

/// The rank map of a plan as a document that stands alone.
pub fn svg(plan: &Plan, options: &Options) -> String {
    let report = check(plan);
    let pair = Pair::of(plan);
    let theme = match options.theme {
        Theme::Auto => String::new(),
        theme => format!(" data-theme=\"{theme}\""),
    };
    let counted = payload::count(&pair, &report).ok();
    // The plan lies in it, so that the drawing can be opened as the plan again.
    let head = format!("<metadata>{}</metadata><style>{}</style>", escape(&link(plan)), escape(STYLE));
    document(&pair, &report, &WIDE, counted.as_ref(), &theme, &head)
}

/// The rank map of a plan for the page, which brings its own styles. Edges are as wide as what travels
/// over them, where that is counted.
pub fn inline(pair: &Pair<'_>, report: &Report, room: Room, counted: Option<&Counted>) -> String {
    let frame = match room {
        Room::Wide => &WIDE,
        Room::Narrow => &NARROW,
    };
    document(pair, report, frame, counted, "", "")
}

fn document(
    pair: &Pair<'_>,
    report: &Report,
    frame: &Frame,
    counted: Option<&Counted>,
    attributes: &str,
    style: &str,
) -> String {
    let scene = scene(pair, report.map.as_ref(), counted);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pd-map\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"group\" aria-label=\"Rank map. {}\"{attributes}>{style}\
         <rect class=\"back\" width=\"{width}\" height=\"{height}\"/>",
        escape(&report.headline),
        width = Px(frame.width),
        height = Px(scene.height),
    );
    title(&mut out, pair, &scene.prefill, frame);
    title(&mut out, pair, &scene.decode, frame);
    if let Some(Counted { payload, .. }) = counted {
        let x = Px((frame.prefill.x + frame.prefill.width + frame.decode.x) / 2.0);
        let (tokens, bytes) = (payload.prompt_tokens, words::bytes(payload.moved_bytes));
        let _ = write!(
            out,
            "<text class=\"small\" x=\"{x}\" y=\"22\" text-anchor=\"middle\">{tokens} tokens: {bytes}</text>"
        );
    }
    for edge in &scene.edges {
        line(&mut out, &scene, frame, *edge);
    }
    column(&mut out, &scene.prefill, &frame.prefill, frame.has_detail);
    column(&mut out, &scene.decode, &frame.decode, frame.has_detail);
    if report.map.is_none() {
        stop(&mut out, report, &scene, frame);
    }
    out.push_str("</svg>");
    out
}

/// Writing to a String cannot fail, so results of `write!` are dropped here and below.
fn title(out: &mut String, pair: &Pair<'_>, column: &Nodes, frame: &Frame) {
    let widths = pair.side(column.role).widths;
    let groups = match widths.dp_groups() {
        1 => String::new(),
        groups => format!(" · DP group 0 of {groups}"),
    };
    // A title that is wider than decode's narrow column grows inwards.
    let (x, end) = match column.role {
        Role::Prefill => (frame.prefill.x, ""),
        Role::Decode if frame.has_detail => (frame.decode.x, ""),
        Role::Decode => (frame.decode.x + frame.decode.width, " text-anchor=\"end\""),
    };
    let _ = write!(
        out,
        "<text class=\"title {}\" x=\"{x}\" y=\"22\"{end}>{}{groups}</text>",
        class(column.role),
        name(column.role),
        x = Px(x),
    );
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Prefill => "p",
        Role::Decode => "d",
    }
}

fn line(out: &mut String, scene: &Scene, frame: &Frame, edge: Edge) {
    let y = |column: &Nodes, at: usize| column.nodes.get(at).map(|node| node.y).unwrap_or_default();
    let (from, to) = (y(&scene.prefill, edge.prefill), y(&scene.decode, edge.decode));
    let (x1, x2) = (frame.prefill.x + frame.prefill.width, frame.decode.x);
    let bend = (x2 - x1) * 0.4;
    let (first, second) = (Px(x1 + bend), Px(x2 - bend));
    let [x1, x2, from, to] = [x1, x2, from, to].map(Px);
    let _ = write!(
        out,
        "<path class=\"edge{}\" data-edge=\"\" data-p=\"{}\" data-d=\"{}\" d=\"M{x1},{from}C{first},{from} {second},{to} {x2},{to}\"/>",
        if edge.dummy { " dummy" } else { weight(edge.bytes, scene.heaviest) },
        edge.prefill,
        edge.decode,
    );
}

/// The class of an edge by its part of the heaviest one's bytes; none where nothing is counted.
pub fn weight(bytes: Bytes, heaviest: Bytes) -> &'static str {
    match bytes.number().saturating_mul(4).checked_div(heaviest.number()) {
        None => "",
        Some(0) if bytes == Bytes::NONE => " w0",
        Some(0) => " w1",
        Some(1 | 2) => " w2",
        Some(3) => " w3",
        Some(_) => " w4",
    }
}

fn column(out: &mut String, column: &Nodes, at: &Column, has_detail: bool) {
    for (index, node) in column.nodes.iter().enumerate() {
        rank(out, column, node, index, at);
        if has_detail {
            detail(out, node, at);
        }
        out.push_str("</g>");
    }
    for machine in &column.machines {
        machine.draw(out, column.role, at.x, at.width);
    }
}

fn rank(out: &mut String, column: &Nodes, node: &Node, index: usize, at: &Column) {
    let side = class(column.role);
    let height = column.node_height;
    let _ = write!(
        out,
        "<g class=\"node {side}{lost}\" data-rank=\"{id}\" data-index=\"{index}\" tabindex=\"{tab}\" role=\"button\" aria-label=\"{spoken}\">\
         <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
         <text x=\"{left}\" y=\"{base}\">{label}</text>",
        lost = if node.lost { " lost" } else { "" },
        id = node.id,
        tab = if index == 0 { 0 } else { -1 },
        spoken = escape(&node.spoken),
        x = Px(at.x),
        y = Px(node.y - height / 2.0),
        width = Px(at.width),
        height = Px(height),
        left = Px(at.x + 12.0),
        base = Px(node.y + 4.0),
        label = escape(&node.label),
    );
}

fn detail(out: &mut String, node: &Node, at: &Column) {
    let (right, base) = (Px(at.x + at.width - 12.0), Px(node.y + 4.0));
    let detail = escape(&node.detail);
    let _ = write!(out, " <text class=\"small\" x=\"{right}\" y=\"{base}\" text-anchor=\"end\">{detail}</text>");
}

/// Where the map would be: why there is none.
fn stop(out: &mut String, report: &Report, scene: &Scene, frame: &Frame) {
    let (what, why) = no_map(report);
    let (whats, whys) = (wrap(what, frame.line.saturating_mul(2) / 3), wrap(&why, frame.line));
    let x = (frame.prefill.x + frame.prefill.width + frame.decode.x) / 2.0;
    let lines = u16::try_from(whats.len().saturating_add(whys.len())).unwrap_or(u16::MAX);
    let mut y = (scene.height - LINE * f32::from(lines)) / 2.0;
    out.push_str("<g data-no-map=\"\">");
    for (class, text) in whats.iter().map(|text| ("stop", text)).chain(whys.iter().map(|text| ("small", text))) {
        y += LINE;
        let text = escape(text);
        let (x, y) = (Px(x), Px(y));
        let _ = write!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text} </text>");
    }
    out.push_str("</g>");
}

/// Height of a line of text between the columns.
const LINE: f32 = 16.0;

/// Why a report has no map, in a few words and a sentence.
pub(super) fn no_map(report: &Report) -> (&'static str, String) {
    let stops = |stage: Stage| {
        report.findings.iter().find(move |f| f.stage == stage && matches!(f.outcome, Outcome::Rejects | Outcome::Fails))
    };
    let too_large = report.findings.iter().find(|finding| finding.rule == "map-is-too-large-to-list");
    match (stops(Stage::Handshake), too_large, stops(Stage::Launch)) {
        (Some(finding), ..) => ("no map: the handshake stops here", finding.message.clone()),
        (None, Some(finding), _) => ("too many connections to draw", finding.message.clone()),
        (None, None, Some(finding)) => ("no map: a server does not start", finding.message.clone()),
        (None, None, None) => ("no map yet: a fact is missing", report.headline.clone()),
    }
}
