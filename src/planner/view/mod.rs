//! Parts of a page as HTML: what the page fetches when it is opened, and any other page can show.
//!
//! A fragment brings its own controls. Whoever shows it asks again with the changed control's
//! name and value, copies the `<pre>` beside a `data-copy`, opens the link in a `data-plan`.

mod commands;
mod export;
mod map;
mod matrix;
mod payload;
mod ranks;
mod upgrade;
mod why;

use super::command::read_variant;
pub use export::Export;

use super::draw::{Room, Theme, escape};
use super::json::from_object;
use super::plan::Plan;
use super::release::Release;
use super::value::words;

words! {
    /// A part.
    Part {
        /// The launch commands, and how they differ from pasted ones.
        Commands = "commands",
        /// What another release changes.
        Upgrade = "upgrade",
        /// The rank map as a table.
        Ranks = "ranks",
        /// The rank map, with the bytes of its connections.
        Map = "map",
        /// One rank of the map: what it sends or gets, and of whom.
        Rank = "rank",
        /// What a request moves.
        Payload = "payload",
        /// The rank map as a matrix.
        Matrix = "matrix",
        /// The map and the report to take along.
        Export = "export",
        /// Why a rule's finding is so, and where SGLang says so.
        Why = "why",
    }
}

words! {
    /// What is shown of the launch commands.
    Show {
        /// For a shell.
        Shell = "shell",
        /// As containers of a Kubernetes manifest.
        Kubernetes = "kubernetes",
        /// How they differ from those that were pasted.
        Changes = "changes",
    }
}

/// What a part's controls say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What is shown of the launch commands.
    pub show: Show,
    /// The release to compare with; the newest, if none is named.
    pub release: Release,
    /// The rule whose reasons are asked for.
    pub rule: String,
    /// The rank that is asked for, by its name in the drawing.
    pub rank: String,
    /// A text that the table's rows must have.
    pub filter: String,
    /// The number of the column that the table is sorted by, from 1; else SGLang's order.
    pub sort: String,
    /// The room that the drawing has.
    pub room: Room,
    /// The form to take along.
    pub export: Export,
    /// The colours of a drawing to take along.
    pub theme: Theme,
    /// The text that the plan was read from, to compare its commands with.
    pub paste: Option<String>,
    /// The release that it was read for.
    pub paste_release: Release,
    /// Which of its variants.
    pub variant: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            show: Show::Shell,
            release: Release::NEWEST,
            rule: String::new(),
            rank: String::new(),
            filter: String::new(),
            sort: String::new(),
            room: Room::Wide,
            export: Export::Svg,
            theme: Theme::Auto,
            paste: None,
            paste_release: Release::NEWEST,
            variant: 0,
        }
    }
}

from_object!(Options {
    "show" => show, "release" => release, "rule" => rule, "rank" => rank, "room" => room, "filter" => filter, "sort" => sort, "export" => export, "theme" => theme,
    "paste" => paste, "pasteRelease" => paste_release, "variant" => variant,
});

/// A part of a plan's page as HTML.
pub fn view(plan: &Plan, part: Part, options: &Options) -> String {
    match part {
        Part::Commands => {
            let read = |text: &String| read_variant(text, options.paste_release, options.variant as usize);
            commands::view(plan, options.show, options.paste.as_ref().map(read).as_ref())
        }
        Part::Upgrade => upgrade::view(plan, options.release),
        Part::Ranks => {
            let asked = ranks::Asked {
                filter: &options.filter,
                sort: options.sort.parse().unwrap_or_default(),
                chosen: &options.rank,
            };
            ranks::view(plan, &asked)
        }
        Part::Matrix => matrix::view(plan, &options.rank),
        Part::Map => map::map(plan, options.room),
        Part::Rank => map::rank(plan, &options.rank),
        Part::Export => export::view(plan, options.export, options.theme),
        Part::Payload => payload::view(plan),
        Part::Why => why::view(plan, &options.rule),
    }
}

/// A table with these heads; the first cell of a row is its head.
fn table(attributes: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table{attributes}><thead><tr>"
    );
    for head in heads {
        out.push_str(&format!("<th scope=\"col\">{}</th>", escape(head)));
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
            out.extend([open, &escape(cell), close]);
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
    out
}
