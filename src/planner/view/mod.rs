//! Parts of a page as HTML: what the page fetches when it is opened, and any other page can show.
//!
//! A fragment brings its own controls. Whoever shows it asks again with the changed control's
//! name and value, copies the `<pre>` beside a `data-copy`, opens the link in a `data-plan`.

mod commands;
mod upgrade;

use super::command::Reading;
use super::draw::escape;
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

/// A part of a plan's page as HTML: `show` of the commands, and how they differ from pasted ones;
/// what `release` changes.
pub fn view(plan: &Plan, part: Part, show: Show, release: Release, pasted: Option<&Reading>) -> String {
    match part {
        Part::Commands => commands::view(plan, show, pasted),
        Part::Upgrade => upgrade::view(plan, release),
    }
}

/// A table with these heads; the first cell of a row is its head.
fn table(attributes: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("<div class=\"scroll\"><table{attributes}><thead><tr>");
    for head in heads {
        out.push_str(&format!("<th>{}</th>", escape(head)));
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
