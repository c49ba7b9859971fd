//! The launch commands, and how they differ from pasted ones.

use super::{Show, escape, table};
use crate::planner::command::{Change, Reading, Why, commands, containers, diff, print};
use crate::planner::plan::Plan;

const VIEWS: [(Show, &str); 3] = [
    (Show::Shell, "Shell"),
    (Show::Kubernetes, "Kubernetes containers"),
    (Show::Changes, "Differences from the paste"),
];

pub fn view(plan: &Plan, show: Show, pasted: Option<&Reading>) -> String {
    // Without a paste there is nothing to differ from.
    let show = if pasted.is_none() && show == Show::Changes { Show::Shell } else { show };
    let mut out = "<div class=\"choices\" role=\"group\" aria-label=\"Show\">".to_owned();
    for (choice, label) in VIEWS.iter().filter(|(choice, _)| pasted.is_some() || *choice != Show::Changes) {
        let checked = if *choice == show { " checked" } else { "" };
        out.push_str(&format!(
            "<label><input type=\"radio\" name=\"show\" id=\"show-{choice}\" value=\"{choice}\"{checked}> {label}</label>"
        ));
    }
    out.push_str("</div>");
    match (show, pasted) {
        (Show::Changes, Some(reading)) => differences(&mut out, diff(reading, plan)),
        (Show::Kubernetes, _) => blocks(&mut out, plan, containers(plan)),
        (Show::Shell | Show::Changes, _) => blocks(&mut out, plan, commands(plan)),
    }
    out
}

fn blocks(out: &mut String, plan: &Plan, commands: crate::planner::command::Commands) {
    out.push_str("<p class=\"seen\">Names in capitals are placeholders. Flags that have their defaults are left out.");
    if print::is_cut(&plan.prefill) || print::is_cut(&plan.decode) {
        out.push_str(" Commands of later nodes differ in --node-rank alone.");
    }
    out.push_str("</p>");
    let sides = [("Prefill", commands.prefill), ("Decode", commands.decode), ("Router", vec![commands.router])];
    for (side, texts) in sides {
        let is_one = texts.len() == 1;
        for (node, text) in texts.iter().enumerate() {
            let title = if is_one { side.to_owned() } else { format!("{side}, node {node}") };
            out.push_str(&format!(
                "<div class=\"command\"><h3>{title}</h3><button type=\"button\" class=\"button\" data-copy>Copy</button>\
                 <pre tabindex=\"0\"><code>{}</code></pre></div>",
                escape(text)
            ));
        }
    }
}

fn differences(out: &mut String, changes: Vec<Change>) {
    if changes.is_empty() {
        out.push_str("<p>The printed commands have the options that were pasted, and no others.</p>");
        return;
    }
    let row = |change: Change| {
        let text = |text: Option<String>| text.unwrap_or_else(|| "—".to_owned());
        vec![change.side.to_string(), text(change.pasted), text(change.printed), why(change.why).to_owned()]
    };
    let rows: Vec<Vec<String>> = changes.into_iter().map(row).collect();
    out.push_str(&table(" id=\"differences\"", &["Side", "Pasted", "Printed", "Why"], &rows));
}

/// Why an option is printed otherwise than it was pasted.
fn why(why: Why) -> &'static str {
    match why {
        Why::Default => "SGLang's own value needs no option",
        Why::Placeholder => "a placeholder, or each node has its own",
        Why::Spelling => "the same, spelled in full",
        Why::Understood => "understood as what other options print",
        Why::Overruled => "a later one overrules it",
        Why::Edited => "the plan was changed",
        Why::NotKept => "not kept: a secret, or no plan has such a value",
    }
}
