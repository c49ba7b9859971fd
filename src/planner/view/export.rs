//! The map and the report to take along: a preview, to copy and to download.

use super::escape;
use crate::planner::draw::{self, Theme, svg};
use crate::planner::plan::Plan;
use crate::planner::text::{Format, text};
use crate::planner::value::words;
use crate::planner::value_text::encode_but;

words! {
    /// A form to take along.
    Export {
        /// A drawing that stands alone; opened in the planner it is the plan again.
        Svg = "svg",
        /// Markdown: verdict, table, findings, map.
        Markdown = "markdown",
        /// Plain text.
        Unicode = "unicode",
        /// Plain text in ASCII.
        Ascii = "ascii",
        /// A Mermaid flowchart.
        Mermaid = "mermaid",
        /// The connections, a line each.
        Csv = "csv",
        /// The plan.
        Json = "json",
    }
}

struct Form {
    export: Export,
    label: &'static str,
    file: &'static str,
    kind: &'static str,
}

const FORMS: [Form; 7] = [
    Form { export: Export::Svg, label: "SVG drawing", file: "pd-map.svg", kind: "image/svg+xml" },
    Form { export: Export::Markdown, label: "Markdown", file: "pd-plan.md", kind: "text/markdown" },
    Form { export: Export::Unicode, label: "Text", file: "pd-plan.txt", kind: "text/plain" },
    Form { export: Export::Ascii, label: "ASCII text", file: "pd-plan.txt", kind: "text/plain" },
    Form { export: Export::Mermaid, label: "Mermaid", file: "pd-map.mmd", kind: "text/plain" },
    Form { export: Export::Csv, label: "Connections as CSV", file: "pd-connections.csv", kind: "text/csv" },
    Form { export: Export::Json, label: "Plan as JSON", file: "pd-plan.json", kind: "application/json" },
];

/// The longest text that is shown; a longer one is there to download.
const MOST_SHOWN: usize = 200_000;

pub fn view(plan: &Plan, export: Export, theme: Theme) -> String {
    let mut out = "<div class=\"choices\" role=\"group\" aria-label=\"Form\">".to_owned();
    for Form { export: one, label, .. } in &FORMS {
        let checked = if *one == export { " checked" } else { "" };
        out.push_str(&format!(
            "<label><input type=\"radio\" name=\"export\" id=\"export-{one}\" value=\"{one}\"{checked}> {label}</label>"
        ));
    }
    out.push_str("</div>");
    let made = made(plan, export, theme);
    let Some(form) = FORMS.iter().find(|form| form.export == export) else { return out };
    let address = format!("data:{};charset=utf-8,{}", form.kind, encode_but(&made, b"-_.~/:;=,()!*'"));
    out.push_str(&format!(
        "<p class=\"choices\"><a class=\"button\" download=\"{}\" href=\"{address}\">Download</a>",
        form.file
    ));
    if export == Export::Svg {
        drawing(&mut out, theme);
        out.push_str(&format!(
            "</p><p><img class=\"preview\" alt=\"The rank map as it is exported\" src=\"{address}\">"
        ));
    }
    out.push_str("</p>");
    if made.len() > MOST_SHOWN {
        out.push_str("<p>It is too long to show; download it.</p>");
        return out;
    }
    out.push_str(&format!(
        "<div class=\"command\"><h3>{}</h3><button type=\"button\" class=\"button\" data-copy>Copy</button>\
         <pre tabindex=\"0\"><code>{}</code></pre></div>",
        form.label,
        escape(&made)
    ));
    out
}

/// The colours of a drawing, and pictures of it at three scales, which `assets/boot.js` makes.
fn drawing(out: &mut String, theme: Theme) {
    for scale in 1..=3 {
        out.push_str(&format!(
            "<button type=\"button\" class=\"button\" data-scale=\"{scale}\">PNG × {scale}</button>"
        ));
    }
    out.push_str("<label for=\"export-theme\">Colours</label><select id=\"export-theme\" name=\"theme\">");
    for (one, label) in [(Theme::Auto, "as the reader's system"), (Theme::Light, "light"), (Theme::Dark, "dark")] {
        let selected = if one == theme { " selected" } else { "" };
        out.push_str(&format!("<option value=\"{one}\"{selected}>{label}</option>"));
    }
    out.push_str("</select>");
}

fn made(plan: &Plan, export: Export, theme: Theme) -> String {
    match export {
        Export::Svg => svg(plan, &draw::Options { theme }),
        Export::Markdown => text(plan, Format::Markdown),
        Export::Unicode => text(plan, Format::Unicode),
        Export::Ascii => text(plan, Format::Ascii),
        Export::Mermaid => text(plan, Format::Mermaid),
        Export::Csv => text(plan, Format::Csv),
        Export::Json => text(plan, Format::Json),
    }
}
