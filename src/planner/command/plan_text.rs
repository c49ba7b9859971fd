//! A plan of the contract as a tree (JSON or YAML) → the plan.

use super::node::{Node, Shape};
use crate::planner::link::Diagnostic;
use crate::planner::plan::{Plan, Server};
use crate::planner::record::Record;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::rc::Rc;

/// The fields of a plan.
const FIELDS: &[&str] = &["release", "model", "prefill", "decode", "traffic"];

/// Whether a document is a plan: it names a plan's fields and nothing else, and so do its servers.
pub fn is_plan(node: &Node) -> bool {
    let is_server = |(name, node): &(String, Rc<Node>)| {
        !matches!(name.as_str(), "prefill" | "decode")
            || node.entries().iter().all(|(name, _)| Server::field(name).is_some())
    };
    let has_server = || node.at(&["prefill"]).or(node.at(&["decode"])).is_some_and(|node| node.text().is_none());
    let names = node.entries();
    has_server() && names.iter().all(|(name, _)| FIELDS.contains(&name.as_str())) && names.iter().all(is_server)
}

/// The plan of a document; the default where it is none, with the reason.
pub fn plan(node: &Node) -> (Plan, Vec<Diagnostic>) {
    match Plan::deserialize(Value(node)) {
        Ok(plan) => (plan, Vec::new()),
        Err(Mistake { line, message }) => {
            let line = line.unwrap_or(node.line);
            (Plan::default(), vec![Diagnostic { place: "text".to_owned(), line: Some(line), message }])
        }
    }
}

#[derive(Debug)]
struct Mistake {
    line: Option<usize>,
    message: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

impl de::Error for Mistake {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Mistake { line: None, message: message.to_string() }
    }
}

impl Mistake {
    /// The innermost field that a mistake is under names it.
    fn under(self, name: &str, line: usize) -> Mistake {
        match self.line {
            Some(_) => self,
            None => Mistake { line: Some(line), message: format!("{name}: {}", self.message) },
        }
    }
}

struct Value<'a>(&'a Node);

impl<'de> Deserializer<'de> for Value<'_> {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        match &self.0.shape {
            Shape::List(items) => visitor.visit_seq(Items(items)),
            Shape::Map(entries) => visitor.visit_map(Entries(entries, None)),
            Shape::Scalar(..) if self.0.is_null() => visitor.visit_unit(),
            Shape::Scalar(text, _) => {
                match (self.0.truth(), self.0.plain().and_then(|text| text.parse::<i64>().ok())) {
                    (Some(truth), _) => visitor.visit_bool(truth),
                    (None, Some(number)) => visitor.visit_i64(number),
                    // A release such as 0.5.18 or a quoted word.
                    (None, None) => visitor.visit_str(text),
                }
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mistake> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Mistake> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mistake> {
        visitor.visit_enum(de::value::StrDeserializer::<Mistake>::new(self.0.text().unwrap_or_default()))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a>(&'a [Rc<Node>]);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Mistake;
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Mistake> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(None) };
        self.0 = rest;
        seed.deserialize(Value(first)).map(Some)
    }
}

struct Entries<'a>(&'a [(String, Rc<Node>)], Option<&'a (String, Rc<Node>)>);

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Mistake;
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Mistake> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(None) };
        (self.0, self.1) = (rest, Some(first));
        seed.deserialize(de::value::StrDeserializer::new(&first.0)).map(Some)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Mistake> {
        let Some((name, node)) = self.1 else { return Err(de::Error::custom("a name without a value")) };
        seed.deserialize(Value(node)).map_err(|mistake| mistake.under(name, node.line))
    }
}
