//! JSON Schemas of plans and reports.
//!
//! A plan's schema derives from the tables of fields: their names, documentation, defaults
//! and words, and their limits, which are asked of the fields themselves. A report's derives
//! from a table of its own. Both are written to `assets/`.

mod records;

pub use records::{RECORDS, Shape, report};

use super::catalog::{Linear, Model, ModelName};
use super::plan::{Server, Traffic};
use super::record::{Field, Record};
use super::release::{NAMES, Release};
use super::value::{FieldType, Kind, LIMIT, Value};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value whose objects keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// null, a boolean, a number, a text, a list of texts.
    Value(Value),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(&'static str, Json)>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Value(value) => value.serialize(serializer),
            Json::List(list) => list.serialize(serializer),
            Json::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (name, value) in entries {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// The schema of a plan.
pub fn plan() -> Json {
    let traffic = Json::Object(vec![(
        "promptTokens",
        with(whole(1, i32::MAX.into()), "The tokens of one request's prompt.", prompt_tokens()),
    )]);
    let model = Json::Object(vec![("anyOf", Json::List(vec![of_type("string"), reference("model")]))]);
    let properties = vec![
        ("release", with(words(NAMES), "The SGLang release that both sides run.", Release::NEWEST.to_value())),
        ("model", with(model, "A name of the catalogue, or a description.", model_name())),
        ("prefill", reference("server")),
        ("decode", reference("server")),
        ("traffic", closed("What to size a plan for.", traffic)),
    ];
    let definitions = vec![
        ("server", closed("One side as launched.", fields::<Server>())),
        ("model", closed("What is known of a model.", fields::<Model>())),
        ("linear", closed("Linear-attention layers and their state.", fields::<Linear>())),
    ];
    document("A plan", closed("A prefill and a decode server.", Json::Object(properties)), definitions)
}

fn document(title: &str, root: Json, definitions: Vec<(&'static str, Json)>) -> Json {
    let mut entries = vec![("$schema", text("https://json-schema.org/draft/2020-12/schema")), ("title", text(title))];
    match root {
        Json::Object(root) => entries.extend(root),
        root => entries.push(("allOf", Json::List(vec![root]))),
    }
    entries.push(("$defs", Json::Object(definitions)));
    Json::Object(entries)
}

/// An object with any of these properties and no others.
fn closed(description: &str, properties: Json) -> Json {
    Json::Object(vec![
        ("description", text(description)),
        ("type", text("object")),
        ("additionalProperties", Json::Value(Value::Flag(false))),
        ("properties", properties),
    ])
}

/// The properties of a record that is a table of fields.
fn fields<R: Record>() -> Json {
    let default = R::default();
    Json::Object(R::FIELDS.iter().map(|field| (field.name, property(field, &default))).collect())
}

fn property<R: Record>(field: &Field<R>, default: &R) -> Json {
    let takes = |value: Value| (field.write)(&mut R::default(), &value).is_ok();
    let schema = match field.kind {
        // The one record within a record, which its kind calls a map.
        Kind::Map if field.name == "linear" => reference("linear"),
        Kind::Number => limits(|number| takes(Value::Number(number))),
        Kind::Flag => of_type("boolean"),
        Kind::Text([]) => of_type("string"),
        Kind::Text(list) => words(list),
        Kind::List => list(of_type("string")),
        Kind::Numbers => list(of_type("integer")),
        Kind::Map => Json::Object(vec![("type", text("object")), ("additionalProperties", of_type("string"))]),
    };
    let schema = if takes(Value::Absent) { or_null(schema) } else { schema };
    with(schema, field.help.trim(), (field.read)(default))
}

/// A whole number between the limits that a field takes.
fn limits(takes: impl Fn(i64) -> bool) -> Json {
    let lowest = [i32::MIN.into(), 0, 1].into_iter().find(|number| takes(*number));
    let highest = [u32::MAX.into(), i32::MAX.into(), LIMIT.into()].into_iter().find(|number| takes(*number));
    whole(lowest.unwrap_or(0), highest.unwrap_or(0))
}

fn whole(lowest: i64, highest: i64) -> Json {
    Json::Object(vec![("type", text("integer")), ("minimum", number(lowest)), ("maximum", number(highest))])
}

fn model_name() -> Value {
    Value::Text(ModelName::default().label())
}

fn prompt_tokens() -> Value {
    Value::Number(Traffic::default().prompt_tokens.number().into())
}

/// A schema with its description and default.
fn with(schema: Json, description: &str, default: Value) -> Json {
    let mut entries = vec![("description", text(description))];
    if let Json::Object(schema) = schema {
        entries.extend(schema);
    }
    entries.push(("default", Json::Value(default)));
    Json::Object(entries)
}

fn or_null(schema: Json) -> Json {
    Json::Object(vec![("anyOf", Json::List(vec![schema, of_type("null")]))])
}

fn list(items: Json) -> Json {
    Json::Object(vec![("type", text("array")), ("items", items)])
}

fn words(list: &[&str]) -> Json {
    Json::Object(vec![("type", text("string")), ("enum", Json::List(list.iter().map(|word| text(word)).collect()))])
}

fn reference(name: &str) -> Json {
    Json::Object(vec![("$ref", Json::Value(Value::Text(format!("#/$defs/{name}"))))])
}

fn of_type(name: &str) -> Json {
    Json::Object(vec![("type", text(name))])
}

fn text(text: &str) -> Json {
    Json::Value(Value::Text(text.to_owned()))
}

fn number(number: i64) -> Json {
    Json::Value(Value::Number(number))
}
