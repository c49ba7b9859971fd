//! A plan as an address, and back.
//!
//! `#/plan?v=1&sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8` holds a whole
//! plan: what is not written has its default. A side is fields joined by `.`, a number
//! follows its key, a word follows `:`, a switch stands alone. A described model is written
//! the same way in `m`. Reading never fails: it returns a plan and what it has to say.

use super::catalog::{Model, ModelName};
use super::plan::{Plan, Role, Server, Traffic};
use super::record::Record;
use super::release::{self, Release};
use super::value::{Kind, Value};
use super::value_text::{decode, encode_but};
use serde::Serialize;

/// The version of the format that this planner writes.
pub const VERSION: u32 = 1;

/// Something to say about a text that was read as a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Where: the part of the text that it is about.
    pub place: String,
    /// The line of the text, from 1, where it is known.
    pub line: Option<usize>,
    /// What is wrong, and what happened because of it.
    pub message: String,
}

impl Diagnostic {
    /// What there is to say about a part of the text.
    pub fn of(place: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic { place: place.to_owned(), line: None, message: message.into() }
    }

    /// What there is to say about a line of the text.
    pub fn at(line: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic { place: format!("line {line}"), line: Some(line), message: message.into() }
    }
}

/// The address of a plan, from the `#` on.
pub fn link(plan: &Plan) -> String {
    let mut out = format!("#/plan?v={VERSION}&sgl={}", plan.release);
    match &plan.model {
        ModelName::Named(name) => out.push_str(&format!("&model={}", encode_but(name, b"-_/.:@"))),
        ModelName::Described(model) => out.push_str(&format!("&m={}", fields(model.as_ref(), &[]))),
    }
    out.push_str(&format!("&p={}&d={}", fields(&plan.prefill, &["tp"]), fields(&plan.decode, &["tp"])));
    let usual = Traffic::default();
    for field in Traffic::FIELDS {
        let value = (field.read)(&plan.traffic);
        if value != (field.read)(&usual) {
            out.push_str(&format!("&{}={}", field.key, value.text()));
        }
    }
    out
}

/// Writes the fields that differ from their defaults, and those that are `always` written.
fn fields<R: Record>(record: &R, always: &[&str]) -> String {
    let default = R::default();
    let written = R::FIELDS.iter().filter_map(|field| {
        let value = (field.read)(record);
        let is_default = value == (field.read)(&default) && !always.contains(&field.name);
        (!is_default).then(|| match &value {
            Value::Number(0..) => format!("{}{}", field.key, value.text()),
            Value::Flag(true) => field.key.to_owned(),
            _ => format!("{}:{}", field.key, value.text()),
        })
    });
    written.collect::<Vec<_>>().join(".")
}

/// The plan of an address: a whole URL, the part from `#` on, or the part after `?`.
pub fn open(address: &str) -> (Plan, Vec<Diagnostic>) {
    let mut plan = Plan::default();
    let mut said = Vec::new();
    let fragment = address.trim().split_once('#').map_or(address.trim(), |(_, fragment)| fragment);
    let query = match fragment.split_once('?') {
        Some(("" | "/" | "plan" | "/plan", query)) => query,
        Some((route, query)) => {
            say(&mut said, route, "this page is not known; its values were read as a plan");
            query
        }
        None => fragment.strip_prefix("/plan").or(fragment.strip_prefix('/')).unwrap_or(fragment),
    };
    let pairs: Vec<(&str, &str)> = query
        .split('&')
        .filter(|part| !part.is_empty())
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .collect();
    let version = pairs.iter().find(|(name, _)| *name == "v").map(|(_, value)| *value);
    if version.is_some_and(|version| version != VERSION.to_string()) {
        let text = format!(
            "this link is of format {}, which this planner does not know (it knows {VERSION}); nothing was read",
            version.unwrap_or_default()
        );
        say(&mut said, "v", text);
        return (plan, said);
    }
    for (name, value) in pairs {
        read(&mut plan, &mut said, name, value);
    }
    if let Some(problem) = plan.problem() {
        say(&mut said, &problem.field, &problem.message);
    }
    (plan, said)
}

fn read(plan: &mut Plan, said: &mut Vec<Diagnostic>, name: &str, value: &str) {
    match name {
        // A view's own: the rank that is chosen.
        "v" | "rank" => {}
        "sgl" => match decode(value).map(|name| Release::named(&name).ok_or_else(|| release::unknown(&name))) {
            Ok(Ok(release)) => plan.release = release,
            Ok(Err(message)) | Err(message) => say(said, name, format!("{message}; {} is used", plan.release)),
        },
        "model" => match decode(value) {
            Ok(model) => plan.model = ModelName::Named(model),
            Err(message) => say(said, name, message),
        },
        "m" => {
            let mut model = Model::default();
            read_fields(&mut model, said, name, value);
            plan.model = ModelName::Described(model.into());
        }
        "p" => read_fields::<Server>(plan.server_mut(Role::Prefill), said, name, value),
        "d" => read_fields::<Server>(plan.server_mut(Role::Decode), said, name, value),
        _ => match Traffic::FIELDS.iter().find(|field| field.key == name) {
            Some(field) => {
                let written =
                    Value::parse(field.kind, value).and_then(|value| (field.write)(&mut plan.traffic, &value));
                if let Err(message) = written {
                    let used = (field.read)(&plan.traffic).text();
                    say(said, name, format!("{} {message}; {used} is used", field.label));
                }
            }
            None => say(said, name, "this part of the link is not known; it was left out"),
        },
    }
}

fn read_fields<R: Record>(record: &mut R, said: &mut Vec<Diagnostic>, side: &str, text: &str) {
    for part in text.split('.').filter(|part| !part.is_empty()) {
        let (key, value) = match part.split_once(':') {
            Some((key, value)) => (key, value),
            None => {
                let digits = part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                part.split_at(digits)
            }
        };
        let place = format!("{side}={part}");
        match R::FIELDS.iter().find(|field| field.key == key) {
            None => say(said, &place, "this field is not known; it was left out"),
            Some(field) if value.is_empty() && field.kind != Kind::Flag && !part.contains(':') => {
                say(said, &place, "this field has no value; its default is used");
            }
            Some(field) => {
                let written = Value::parse(field.kind, value).and_then(|value| (field.write)(record, &value));
                if let Err(message) = written {
                    say(said, &place, format!("{} {message}; its default is used", field.label));
                }
            }
        }
    }
}

fn say(said: &mut Vec<Diagnostic>, place: &str, message: impl Into<String>) {
    said.push(Diagnostic::of(place, message));
}
