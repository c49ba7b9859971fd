//! A plan's report as text: plain for a terminal, Markdown for an issue, Mermaid for a document, its
//! connections as CSV; and the plan itself as JSON.

mod csv;
mod json;

use super::check;
use super::draw;
use super::link::link;
use super::pair::Pair;
use super::payload;
use super::plan::{Plan, Server};
use super::record::Record;
use super::report::{Finding, Report};
use super::value::{Value, words};

words! {
    /// A form of text.
    Format {
        /// Markdown: verdict, table, findings, map.
        Markdown = "markdown",
        /// The map as a Mermaid flowchart.
        Mermaid = "mermaid",
        /// Plain text in ASCII.
        Ascii = "ascii",
        /// Plain text.
        Unicode = "unicode",
        /// The connections, comma-separated.
        Csv = "csv",
        /// The plan as JSON.
        Json = "json",
    }
}

/// A plan's report in a form of text.
pub fn text(plan: &Plan, format: Format) -> String {
    let report = check(plan);
    let pair = Pair::of(plan);
    match format {
        Format::Mermaid => draw::mermaid(&pair, &report),
        Format::Markdown => markdown(plan, &pair, &report),
        Format::Ascii => to_ascii(&plain(plan, &pair, &report)),
        Format::Unicode => plain(plan, &pair, &report),
        Format::Csv => csv::csv(&pair, &report),
        Format::Json => json::json(plan),
    }
}

fn plain(plan: &Plan, pair: &Pair<'_>, report: &Report) -> String {
    let mut out = format!("{}\n\nSGLang {}, {}\n", report.headline, releases(pair), plan.model.label());
    for (name, side) in [("prefill", &pair.prefill), ("decode", &pair.decode)] {
        out.push_str(&format!("{name}: {} ({})\n", settings(pair.plan.server(side.role)), widths(&side.widths)));
    }
    for finding in &report.findings {
        out.push_str(&format!("\n[{}, {}] {}\n", finding.stage, finding.outcome, finding.message));
        if let Some(error) = error(finding) {
            out.push_str(&format!("  {error}\n"));
        }
        out.push_str(&format!("  {}\n", finding.seen));
        for fix in &finding.fixes {
            out.push_str(&format!("  fix: {}\n", fix.title));
        }
    }
    out.push_str(&format!("\n{}\n\n", moves(pair, report)));
    out.push_str(&draw::plain(report));
    out
}

/// What a request moves, in a sentence.
fn moves(pair: &Pair<'_>, report: &Report) -> String {
    match payload::count(pair, report) {
        Ok(counted) => payload::words::summary(&counted.payload),
        Err(why) => payload::words::uncounted(&why),
    }
}

fn markdown(plan: &Plan, pair: &Pair<'_>, report: &Report) -> String {
    let mut out = format!("**{}**\n\n", escape(&report.headline));
    out.push_str(&format!("| | SGLang {} · {} |\n|---|---|\n", releases(pair), escape(&plan.model.label())));
    for (name, side) in [("Prefill", &pair.prefill), ("Decode", &pair.decode)] {
        out.push_str(&format!(
            "| {name} | {} · {} |\n",
            escape(&settings(pair.plan.server(side.role))),
            widths(&side.widths)
        ));
    }
    for finding in &report.findings {
        out.push_str(&format!(
            "\n### {} ({}, {})\n\n{}\n",
            finding.rule,
            finding.stage,
            finding.outcome,
            escape(&finding.message)
        ));
        if let Some(error) = error(finding) {
            out.push_str(&format!("\n```\n{}\n```\n", error.replace("```", "'''")));
        }
        out.push_str(&format!("\n{}\n", escape(finding.seen)));
        for fix in &finding.fixes {
            out.push_str(&format!("- {}\n", escape(&fix.title)));
        }
    }
    out.push_str(&format!("\n{}\n", escape(&moves(pair, report))));
    out.push_str(&format!("\n```\n{}```\n\nPlan: `{}`\n", draw::plain(report), link(plan)));
    out
}

fn releases(pair: &Pair<'_>) -> String {
    let (there, here) = (pair.prefill.release, pair.decode.release);
    if there == here { here.to_string() } else { format!("{there} (prefill) and {here} (decode)") }
}

/// SGLang's error as a log shows it.
fn error(finding: &Finding) -> Option<String> {
    finding.error.as_ref().map(|error| {
        if error.message.is_empty() { error.kind.to_owned() } else { format!("{}: {}", error.kind, error.message) }
    })
}

/// What differs from the defaults.
fn settings(server: &Server) -> String {
    let default = Server::default();
    let set =
        Server::FIELDS.iter().filter(|field| field.name == "tp" || (field.read)(server) != (field.read)(&default));
    let words = set.map(|field| match (field.read)(server) {
        Value::Flag(on) => format!("{} {}", field.label, if on { "on" } else { "off" }),
        Value::Text(text) => format!("{} {text}", field.label),
        Value::List(list) => format!("{} {}", field.label, list.join(" ")),
        value => format!("{} {}", field.label, value.text()),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn widths(widths: &super::widths::Widths) -> String {
    let plural = if widths.gpus == 1 { "" } else { "s" };
    format!("attention TP {}, {} GPU{plural}", widths.attention_tp, widths.gpus)
}

/// Text as it may stand in Markdown without becoming markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '|' | '#') {
            out.push('\\');
        }
        out.push(if c == '\n' || c == '\r' { ' ' } else { c });
    }
    out
}

/// The few characters of our own sentences that ASCII lacks, spelled in it; others as `?`.
fn to_ascii(text: &str) -> String {
    let spelled = |c: char| match c {
        '×' => "x",
        '·' => "-",
        '–' | '—' => "-",
        '…' => "...",
        'µ' => "u",
        '⌊' | '⌋' => "|",
        '“' | '”' => "\"",
        '’' => "'",
        _ => "?",
    };
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if c.is_ascii() {
            out.push(c)
        } else {
            out.push_str(spelled(c))
        }
        out
    })
}
