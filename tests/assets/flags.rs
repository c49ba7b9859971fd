//! The reference page of flags, `assets/flags.html`, from the tables of fields and of options.

use pd_planner::planner::Server;
use pd_planner::planner::command::options::{Kind as Takes, Meaning, Row, rows};
use pd_planner::planner::record::{Field, Record};
use pd_planner::planner::release::{NAMES, Range, Release};
use pd_planner::planner::value::{Kind, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn the_reference_of_flags_in_assets_is_the_tables() {
    crate::hold_text("flags.html", &page());
}

#[test]
fn every_flag_of_a_field_is_an_option_of_its_releases() {
    for (range, text) in Server::FIELDS.iter().flat_map(|field| field.flags) {
        for flag in text.split(' ').filter(|word| word.starts_with("--")) {
            for release in Release::ALL.iter().filter(|release| range.contains(**release)) {
                assert!(rows().iter().any(|row| row.string == flag && has(row, *release)), "{flag} in {release}");
            }
        }
    }
}

fn has(row: &Row, release: Release) -> bool {
    row.releases.iter().any(|range| range.contains(release))
}

fn page() -> String {
    let fields: String = Server::FIELDS.iter().map(field_row).collect();
    let judged = judged();
    let (judged, carried): (Vec<&Row>, Vec<&Row>) =
        rows().iter().filter(|row| !is_of_a_field(name_of(row))).partition(|row| judged.contains(name_of(row)));
    let options = |rows: &[&Row]| rows.iter().map(|row| option_row(row)).collect::<String>();
    let judged = options(&judged);
    let carried = options(&carried);
    let (oldest, newest) = (Release::ALL[0], Release::NEWEST);
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>SGLang's launch flags — PD planner</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }}
code {{ font-size: 13px; white-space: nowrap; }}
td:first-child {{ min-width: 13rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: 5px 12px 5px 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }}
td p {{ margin: 0; }}
.scroll {{ overflow-x: auto; }}
</style>
</head>
<body>
<p><a href="./">PD planner</a></p>
<h1>SGLang's launch flags</h1>
<p>Releases {oldest} to {newest}, as far as prefill/decode disaggregation and its parallelism reach. SGLang's command line takes
every unique beginning of a flag too (<code>--tp</code> for <code>--tp-size</code>), and refuses one that could mean several; which
ones, changes with each release. The source of every flag: <code>python/sglang/srt/server_args.py</code> of that release.</p>
<h2 id="fields">What the planner's form has</h2>
<div class="scroll"><table>
<thead><tr><th>Setting</th><th>Flag</th><th>Also written</th><th>Takes</th><th>Default</th></tr></thead>
<tbody>
{fields}</tbody>
</table></div>
<h2 id="judged">What the planner also judges</h2>
<p>They stand among “Other flags” in the form.</p>
{head}{judged}</tbody>
</table></div>
<h2 id="carried">What is carried through</h2>
<p>Pasted, these come back out of the printed commands as they were; whether a release has them is judged, nothing else. Those that
the planner writes itself (the mode, the model, addresses, ports, node ranks) come back as it writes them.</p>
{head}{carried}</tbody>
</table></div>
</body>
</html>
"##,
        head = "<div class=\"scroll\"><table>\n<thead><tr><th>Flag</th><th>Takes</th><th>Releases</th></tr></thead>\n<tbody>\n",
    )
}

fn field_row(field: &Field<Server>) -> String {
    let flags: Vec<String> =
        field.flags.iter().map(|(range, flag)| format!("<code>{flag}</code>{}", suffix(&[*range]))).collect();
    let own: Vec<&str> = field.flags.iter().flat_map(|(_, flags)| flags.split(' ')).collect();
    // The two flags of one field are not each other's spelling; neither are those of another field.
    let also = rows().iter().filter(|row| match row.meaning {
        Meaning::AliasOf(name) => own.contains(&name) && !is_of_a_field(row.string),
        Meaning::Itself(_) => false,
    });
    let also: Vec<String> = also.map(|row| format!("<code>{}</code>{}", row.string, suffix(&row.releases))).collect();
    let default = match (field.read)(&Server::default()) {
        Value::Absent => "not set".to_owned(),
        Value::Flag(on) => if on { "on" } else { "off" }.to_owned(),
        Value::Map(_) | Value::List(_) => "none".to_owned(),
        value => value.text(),
    };
    let (label, help) = (field.label, field.help.trim());
    let flags = if flags.is_empty() { "no flag".to_owned() } else { flags.join("<br>") };
    format!(
        "<tr id=\"{}\"><td><b>{label}</b><p>{help}</p></td><td>{flags}</td><td>{}</td><td>{}</td><td>{default}</td></tr>\n",
        field.name,
        also.join("<br>"),
        takes(field.kind),
    )
}

fn takes(kind: Kind) -> String {
    match kind {
        Kind::Number => "a number".to_owned(),
        Kind::Flag => "nothing".to_owned(),
        Kind::Text([]) => "a word".to_owned(),
        Kind::Text(words) if words == NAMES => "a release".to_owned(),
        Kind::Text(words) => words.join(", "),
        Kind::List => "words".to_owned(),
        Kind::Map => "names and values".to_owned(),
        Kind::Numbers => "numbers".to_owned(),
    }
}

fn option_row(row: &Row) -> String {
    let takes = match &row.meaning {
        Meaning::AliasOf(name) => format!("another spelling of <code>{name}</code>"),
        Meaning::Itself(argument) => match argument.kind {
            Takes::One => "a value",
            Takes::Switch => "nothing",
            Takes::Optional => "a value or none",
            Takes::Several => "one or more values",
            Takes::Any => "any number of values",
        }
        .to_owned(),
    };
    let releases = suffix(&row.releases);
    let releases = if releases.is_empty() { "all" } else { releases.trim_start_matches(", ") };
    format!("<tr><td><code>{}</code></td><td>{takes}</td><td>{releases}</td></tr>\n", row.string)
}

/// The releases of an option behind its name: nothing if all have it.
fn suffix(ranges: &[Range]) -> String {
    let mut text = Vec::new();
    let mut before = None;
    for release in Release::ALL {
        let is_in = ranges.iter().any(|range| range.contains(*release));
        match (before, is_in) {
            (None | Some((_, false)), true) if before.is_some() => text.push(format!("since {release}")),
            (Some((last, true)), false) => text.push(format!("until {last}")),
            _ => {}
        }
        before = Some((*release, is_in));
    }
    text.iter().map(|text| format!(", {text}")).collect()
}

fn name_of(row: &Row) -> &str {
    match row.meaning {
        Meaning::AliasOf(name) => name,
        Meaning::Itself(_) => row.string,
    }
}

fn is_of_a_field(option: &str) -> bool {
    let flags = || Server::FIELDS.iter().flat_map(|field| field.flags).flat_map(|(_, flags)| flags.split(' '));
    flags().any(|flag| flag == option)
}

/// The options that rules or start-up name.
fn judged() -> BTreeSet<String> {
    let planner = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/planner");
    ["rules", "startup"].iter().flat_map(|folder| options_in(&planner.join(folder))).collect()
}

fn options_in(folder: &Path) -> BTreeSet<String> {
    let mut options = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            options.extend(options_in(&path));
        } else {
            let code = fs::read_to_string(&path).unwrap();
            let quoted = code.split('"').skip(1).step_by(2).filter(|text| text.starts_with("--"));
            options.extend(quoted.map(str::to_owned));
        }
    }
    options
}
