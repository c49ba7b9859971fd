//! A plan as JSON: the contract's, without what has its default.

use crate::planner::catalog::ModelName;
use crate::planner::plan::Plan;
use crate::planner::record::Record;
use crate::planner::value::Value;

/// A plan as JSON that reads as the same plan.
pub fn json(plan: &Plan) -> String {
    let mut entries = vec![("release", text(plan.release.name()))];
    entries.push(match &plan.model {
        ModelName::Named(name) => ("model", text(name)),
        ModelName::Described(model) => ("model", object(&fields(model.as_ref()), 1)),
    });
    for (name, server) in [("prefill", &plan.prefill), ("decode", &plan.decode)] {
        entries.push((name, object(&fields(server), 1)));
    }
    entries.push(("traffic", object(&fields(&plan.traffic), 1)));
    object(&entries, 0) + "\n"
}

/// The fields that differ from their defaults.
fn fields<R: Record>(record: &R) -> Vec<(&'static str, String)> {
    let default = R::default();
    let differing = R::FIELDS.iter().filter(|field| (field.read)(record) != (field.read)(&default));
    differing.map(|field| (field.name, value(&(field.read)(record), field.record.is_some()))).collect()
}

fn object(entries: &[(&str, String)], depth: usize) -> String {
    if entries.is_empty() {
        return "{}".to_owned();
    }
    let indent = "  ".repeat(depth);
    let lines: Vec<String> = entries.iter().map(|(name, value)| format!("{indent}  {}: {value}", text(name))).collect();
    format!("{{\n{}\n{indent}}}", lines.join(",\n"))
}

/// A value; of a record of its own, what looks like a number or a switch is one.
fn value(value: &Value, is_record: bool) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    match value {
        Value::Absent => "null".to_owned(),
        Value::Flag(on) => on.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(word) => text(word),
        Value::List(words) => list(words.iter().map(|word| text(word)).collect()),
        Value::Numbers(numbers) => list(numbers.iter().map(i64::to_string).collect()),
        Value::Map(names) => {
            let is_plain = |word: &str| is_record && word.parse::<u32>().is_ok();
            let entry = |(name, word): (&String, &String)| {
                format!("{}: {}", text(name), if is_plain(word) { word.clone() } else { text(word) })
            };
            format!("{{ {} }}", names.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text in quotation marks.
fn text(word: &str) -> String {
    let mut out = "\"".to_owned();
    for c in word.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 0x20 || c == '\u{7f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
