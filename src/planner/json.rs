//! JSON as a tree, and plans read from it.
//!
//! Whatever a plan arrives in (a program's objects, a file) becomes a [`Json`] first, and one
//! reader makes the plan of it: by the records' tables of fields, without code of its own for
//! each field. What does not fit is answered with its place.

use super::plan::Problem;
use super::record::Record;
use super::value::{FieldType, Kind, Value};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt;

/// A JSON value whose objects keep their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// null, a boolean, a whole number, a text, a list of texts.
    Value(Value),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
    /// What no field holds, such as a fraction or a function; in words.
    Other(String),
}

/// What can be read from JSON.
pub trait FromJson: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// When it does not fit: the place, which begins with `place`, and a sentence.
    fn from_json(json: &Json, place: &str) -> Result<Self, Problem>;
}

impl<T: FieldType> FromJson for T {
    fn from_json(json: &Json, place: &str) -> Result<Self, Problem> {
        let value = json.value(T::KIND, T::RECORD, place)?;
        T::from_value(&value).map_err(|message| json.misfit(place, message))
    }
}

/// Reads a record by its table: absent fields keep their defaults, other names are errors.
pub fn record<R: Record>(json: &Json, place: &str) -> Result<R, Problem> {
    let mut record = R::default();
    for (name, json) in json.entries(place)? {
        let place = inside(place, name);
        let field = R::field(name).ok_or_else(|| no_such_field(&place, R::FIELDS.iter().map(|field| field.name)))?;
        let value = json.value(field.kind, field.record, &place)?;
        (field.write)(&mut record, &value).map_err(|message| json.misfit(&place, message))?;
    }
    Ok(record)
}

/// Reads a struct from an object: absent fields keep their defaults, other names are errors.
macro_rules! from_object {
    ($record:ident { $($name:literal => $field:ident),+ $(,)? }) => {
        impl $crate::planner::json::FromJson for $record {
            fn from_json(
                json: &$crate::planner::json::Json,
                place: &str,
            ) -> Result<Self, $crate::planner::plan::Problem> {
                let mut record = $record::default();
                for (name, json) in json.entries(place)? {
                    let place = $crate::planner::json::inside(place, name);
                    match name.as_str() {
                        $($name => record.$field = $crate::planner::json::FromJson::from_json(json, &place)?,)+
                        _ => return Err($crate::planner::json::no_such_field(&place, [$($name),+].into_iter())),
                    }
                }
                Ok(record)
            }
        }
    };
}
pub(crate) use from_object;

/// The place of a field.
pub(crate) fn inside(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

/// What to say of a field that is none.
pub(crate) fn no_such_field(place: &str, fields: impl Iterator<Item = &'static str>) -> Problem {
    let fields: Vec<&str> = fields.collect();
    problem(place, format!("there is no such field; there are {}", fields.join(", ")))
}

fn problem(place: &str, message: String) -> Problem {
    Problem { field: place.to_owned(), message }
}

impl Json {
    /// The entries of an object.
    pub(crate) fn entries(&self, place: &str) -> Result<&[(String, Json)], Problem> {
        match self {
            Json::Object(entries) => Ok(entries),
            Json::Value(_) | Json::List(_) | Json::Other(_) => {
                Err(self.misfit(place, "must be a plain object".to_owned()))
            }
        }
    }

    /// What stands in a field of that kind. A list or object that its kind does not ask for
    /// becomes a value that does not fit.
    fn value(&self, kind: Kind, record: Option<ReadRecord>, place: &str) -> Result<Value, Problem> {
        match (kind, self) {
            (_, Json::Value(value)) => Ok(value.clone()),
            (Kind::Map, Json::Object(_)) if record.is_some() => {
                record.map_or(Ok(Value::Absent), |read| read(self, place))
            }
            (Kind::Map, Json::Object(entries)) => {
                let mut map = super::names::Names::new();
                for (name, json) in entries {
                    map.insert(name.clone(), json.word(&inside(place, name))?);
                }
                Ok(Value::Map(map))
            }
            (Kind::List, Json::List(items)) => {
                let place = |index| format!("{place}[{index}]");
                let words = items.iter().enumerate().map(|(index, json)| json.word(&place(index)));
                words.collect::<Result<_, _>>().map(Value::List)
            }
            (Kind::Numbers, Json::List(items)) => {
                let numbers = items.iter().enumerate().map(|(index, json)| match json {
                    Json::Value(Value::Number(number)) => Ok(*number),
                    other => Err(other.misfit(&format!("{place}[{index}]"), "must be a whole number".to_owned())),
                });
                numbers.collect::<Result<_, _>>().map(Value::Numbers)
            }
            (Kind::Map, Json::List(_) | Json::Other(_)) => Ok(Value::List(Vec::new())),
            (_, Json::List(_) | Json::Object(_) | Json::Other(_)) => Ok(Value::Map(Default::default())),
        }
    }

    fn word(&self, place: &str) -> Result<String, Problem> {
        match self {
            Json::Value(Value::Text(text)) => Ok(text.clone()),
            other => Err(other.misfit(place, "must be a text".to_owned())),
        }
    }

    /// What does not fit, with what came instead where the sentence is a demand.
    pub(crate) fn misfit(&self, place: &str, message: String) -> Problem {
        let got = match self {
            _ if !message.starts_with("must") => return problem(place, message),
            Json::Value(Value::Absent) => "null".to_owned(),
            Json::Value(Value::Flag(on)) => if *on { "true" } else { "false" }.to_owned(),
            Json::Value(Value::Text(text)) => format!("\"{text}\""),
            Json::Value(value) => value.text(),
            Json::List(_) => "a list".to_owned(),
            Json::Object(_) => "an object".to_owned(),
            Json::Other(words) => words.clone(),
        };
        problem(place, format!("{message}, got {got}"))
    }
}

/// Reads a field that is a record of its own, as the value that stands for it.
pub type ReadRecord = fn(&Json, &str) -> Result<Value, Problem>;

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
            Json::Other(_) => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visit)
    }
}

struct Visit;

impl<'de> Visitor<'de> for Visit {
    type Value = Json;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Value(Value::Absent))
    }
    fn visit_bool<E: Error>(self, on: bool) -> Result<Json, E> {
        Ok(Json::Value(Value::Flag(on)))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Value(Value::Number(number)))
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(i64::try_from(number).map_or_else(|_| Json::Other(number.to_string()), |n| Json::Value(Value::Number(n))))
    }
    fn visit_f64<E: Error>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Other(number.to_string()))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Value(Value::Text(text.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Json::Object(entries))
    }
}
