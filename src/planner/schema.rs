//! JSON Schemas of plans and reports.
//!
//! A plan's schema derives from the tables of fields: their names, documentation, defaults
//! and words, and their limits, which are asked of the fields themselves. A report's derives
//! from a table of its own. Both are written to `assets/`.

mod records;

pub use records::{RECORDS, Shape, report};

use super::catalog::{Linear, Model, ModelName};
use super::json::Json;
use super::plan::{Server, Traffic};
use super::record::{Field, Record};
use super::release::{NAMES, Release};
use super::value::{FieldType, Kind, LIMIT, Value};

/// The schema of a plan.
pub fn plan() -> Json {
    let model = object(vec![("anyOf", Json::List(vec![of_type("string"), reference("model")]))]);
    let properties = vec![
        ("release", with(words(NAMES), "The SGLang release that both sides run.", Release::NEWEST.to_value())),
        ("model", with(model, "A name of the catalogue, or a description.", model_name())),
        ("prefill", reference("server")),
        ("decode", reference("server")),
        ("traffic", closed("What to size a plan for.", fields::<Traffic>())),
    ];
    let definitions = vec![
        ("server", closed("One side as launched.", fields::<Server>())),
        ("model", closed("What is known of a model.", fields::<Model>())),
        ("linear", closed("Linear-attention layers and their state.", fields::<Linear>())),
    ];
    document("A plan", closed("A prefill and a decode server.", object(properties)), definitions)
}

fn object(entries: Vec<(&str, Json)>) -> Json {
    Json::Object(entries.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
}

fn document(title: &str, root: Json, definitions: Vec<(&str, Json)>) -> Json {
    let head = object(vec![("$schema", text("https://json-schema.org/draft/2020-12/schema")), ("title", text(title))]);
    let root = match root {
        Json::Object(_) => root,
        root => object(vec![("allOf", Json::List(vec![root]))]),
    };
    joined([head, root, object(vec![("$defs", object(definitions))])])
}

/// The entries of all these objects as one.
fn joined<const N: usize>(objects: [Json; N]) -> Json {
    let entries = objects.into_iter().map(|one| match one {
        Json::Object(entries) => entries,
        Json::Value(_) | Json::List(_) | Json::Other(_) => Vec::new(),
    });
    Json::Object(entries.flatten().collect())
}

/// An object with any of these properties and no others.
fn closed(description: &str, properties: Json) -> Json {
    object(vec![
        ("description", text(description)),
        ("type", text("object")),
        ("additionalProperties", Json::Value(Value::Flag(false))),
        ("properties", properties),
    ])
}

/// The properties of a record that is a table of fields.
fn fields<R: Record>() -> Json {
    let default = R::default();
    object(R::FIELDS.iter().map(|field| (field.name, property(field, &default))).collect())
}

fn property<R: Record>(field: &Field<R>, default: &R) -> Json {
    let takes = |value: Value| (field.write)(&mut R::default(), &value).is_ok();
    let schema = match field.kind {
        // The one record within a record.
        Kind::Map if field.record.is_some() => reference("linear"),
        Kind::Number => limits(|number| takes(Value::Number(number))),
        Kind::Flag => of_type("boolean"),
        Kind::Text([]) => object(vec![("type", text("string")), ("minLength", number(1))]),
        Kind::Text(list) => words(list),
        Kind::List => list(of_type("string")),
        Kind::Numbers => list(of_type("integer")),
        Kind::Map => object(vec![("type", text("object")), ("additionalProperties", of_type("string"))]),
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
    object(vec![("type", text("integer")), ("minimum", number(lowest)), ("maximum", number(highest))])
}

fn model_name() -> Value {
    Value::Text(ModelName::default().label())
}

/// A schema with its description and default.
fn with(schema: Json, description: &str, default: Value) -> Json {
    let described = object(vec![("description", text(description))]);
    joined([described, schema, object(vec![("default", Json::Value(default))])])
}

fn or_null(schema: Json) -> Json {
    object(vec![("anyOf", Json::List(vec![schema, of_type("null")]))])
}

fn list(items: Json) -> Json {
    object(vec![("type", text("array")), ("items", items)])
}

fn words(list: &[&str]) -> Json {
    object(vec![("type", text("string")), ("enum", Json::List(list.iter().map(|word| text(word)).collect()))])
}

fn reference(name: &str) -> Json {
    object(vec![("$ref", Json::Value(Value::Text(format!("#/$defs/{name}"))))])
}

fn of_type(name: &str) -> Json {
    object(vec![("type", text(name))])
}

fn text(text: &str) -> Json {
    Json::Value(Value::Text(text.to_owned()))
}

fn number(number: i64) -> Json {
    Json::Value(Value::Number(number))
}
