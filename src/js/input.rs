//! Reading what a program passes in.
//!
//! A value of JavaScript can be anything: a class instance, a proxy, an object whose getter
//! throws. What is read here is plain data alone (objects, arrays, strings, numbers,
//! booleans, null; `undefined` counts as left out), property by property as the type asks
//! for it, so nothing that was not asked for is walked. Everything else is an `Error` whose
//! message begins with the name of the field. What a number or a word may be is not decided
//! here, but by the types of the plan.

use js_sys::{Array, Error, Number};
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess};
use serde::de::{Unexpected, Visitor};
use std::fmt::{self, Display};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// Reads an argument of the name `name`.
///
/// # Errors
/// An `Error` that names the field, or `name` when the whole argument is at fault.
pub fn read<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    T::deserialize(At(value.clone())).map_err(|fault| fault.error(name))
}

/// Reads an argument that may be left out.
///
/// # Errors
/// As [`read`]; a field is named with `name` before it.
pub fn read_options<T: DeserializeOwned + Default>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    T::deserialize(At(value.clone())).map_err(|fault| fault.inside(name).error(name))
}

/// Reads an argument that must be text.
///
/// # Errors
/// An `Error` that begins with `name`.
pub fn read_text(value: &JsValue, name: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| error(format!("{name}: must be a string, got {}", What(value))))
}

/// An `Error` with that message.
pub fn error(message: impl Display) -> JsValue {
    Error::new(&message.to_string()).into()
}

#[wasm_bindgen]
extern "C" {
    // Those of js-sys do not catch what a proxy or a getter throws.
    #[wasm_bindgen(catch, js_namespace = Object, js_name = keys)]
    fn keys(object: &JsValue) -> Result<Array, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Object, js_name = getPrototypeOf)]
    fn prototype(object: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Reflect, js_name = get)]
    fn property(object: &JsValue, name: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_namespace = Array, js_name = isArray)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;
}

/// What is wrong, and where: the names on the way to it, innermost first.
#[derive(Debug)]
struct Fault {
    path: Vec<String>,
    message: String,
}

impl Fault {
    fn inside(mut self, name: &str) -> Fault {
        self.path.push(name.to_owned());
        self
    }

    fn error(self, argument: &str) -> JsValue {
        let path: Vec<&str> = self.path.iter().rev().map(String::as_str).collect();
        let place = if path.is_empty() { argument.to_owned() } else { path.join(".") };
        error(format!("{place}: {}", self.message))
    }
}

/// Something thrown by the caller's own object.
fn thrown(by: &JsValue) -> Fault {
    let text = by.dyn_ref::<Error>().and_then(|error| property(error, &"message".into()).ok()?.as_string());
    let reason = text.or_else(|| by.as_string()).map_or(String::new(), |text| format!(": {text}"));
    serde::de::Error::custom(format!("could not be read{reason}"))
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl serde::de::Error for Fault {
    fn custom<T: Display>(message: T) -> Fault {
        Fault { path: Vec::new(), message: message.to_string() }
    }

    fn invalid_type(got: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault::custom(format!("must be {}, got {got}", in_words(expected)))
    }

    fn invalid_value(got: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault::invalid_type(got, expected)
    }

    fn unknown_variant(word: &str, words: &'static [&'static str]) -> Fault {
        Fault::custom(format!("must be one of {}, got {word:?}", words.join(", ")))
    }

    fn unknown_field(name: &str, names: &'static [&'static str]) -> Fault {
        Fault::custom(format!("there is no such field; there are {}", names.join(", "))).inside(name)
    }
}

/// What Rust's own types expect, for people who do not know them.
fn in_words(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "i64" => "a whole number".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        words => words.to_owned(),
    }
}

/// What a value is, for messages.
struct What<'a>(&'a JsValue);

impl Display for What<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.0.js_typeof().as_string().unwrap_or_default();
        match kind.as_str() {
            "object" if self.0.is_null() => f.write_str("null"),
            "object" if is_array(self.0).unwrap_or(false) => f.write_str("an array"),
            "object" => f.write_str("an object that is not plain data"),
            "undefined" => f.write_str("undefined"),
            kind => write!(f, "a {kind}"),
        }
    }
}

/// A value of JavaScript, to be read.
struct At(JsValue);

impl<'de> Deserializer<'de> for At {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let value = self.0;
        if value.is_null() {
            return Err(serde::de::Error::invalid_type(Unexpected::Other("null"), &visitor));
        }
        if let Some(on) = value.as_bool() {
            return visitor.visit_bool(on);
        }
        if let Some(number) = value.as_f64() {
            return match whole(&value, number) {
                Some(whole) => visitor.visit_i64(whole),
                None => visitor.visit_f64(number),
            };
        }
        if let Some(text) = value.as_string() {
            return visitor.visit_string(text);
        }
        if is_array(&value).map_err(|by| thrown(&by))? {
            return visitor.visit_seq(Items { list: value.unchecked_into(), at: 0 });
        }
        if is_plain(&value)? {
            let names = keys(&value).map_err(|by| thrown(&by))?;
            return visitor.visit_map(Properties { object: value, names, at: 0, value: JsValue::UNDEFINED });
        }
        Err(serde::de::Error::invalid_type(Unexpected::Other(&What(&value).to_string()), &visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.as_string() {
            Some(word) => {
                let word: StringDeserializer<Fault> = word.into_deserializer();
                visitor.visit_enum(word)
            }
            None => Err(Fault {
                path: Vec::new(),
                message: format!("must be one of {}, got {}", words.join(", "), What(&self.0)),
            }),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A number as a whole one, if it is one that JavaScript holds exactly.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "a safe integer fits")]
fn whole(value: &JsValue, number: f64) -> Option<i64> {
    Number::is_safe_integer(value).then_some(number as i64)
}

/// Whether an object is a literal, or as good as one: of a realm's `Object`, or without a prototype.
fn is_plain(value: &JsValue) -> Result<bool, Fault> {
    if !value.is_object() || value.is_function() {
        return Ok(false);
    }
    let above = |object: &JsValue| prototype(object).map_err(|by| thrown(&by));
    let first = above(value)?;
    Ok(first.is_null() || above(&first)?.is_null())
}

/// The items of an array. Its length is the caller's word: nothing is reserved for it.
struct Items {
    list: Array,
    at: u32,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let at = self.at;
        if at >= self.list.length() {
            return Ok(None);
        }
        self.at = at.saturating_add(1);
        let inside = |fault: Fault| fault.inside(&at.to_string());
        let item = property(&self.list, &at.into()).map_err(|by| inside(thrown(&by)))?;
        seed.deserialize(At(item)).map(Some).map_err(inside)
    }
}

/// The properties of an object that are not `undefined`.
struct Properties {
    object: JsValue,
    names: Array,
    at: u32,
    value: JsValue,
}

impl Properties {
    /// The name of the property that was read last.
    fn name(&self) -> String {
        self.names.get(self.at.saturating_sub(1)).as_string().unwrap_or_default()
    }
}

impl<'de> MapAccess<'de> for Properties {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        while self.at < self.names.length() {
            let name = self.names.get(self.at);
            self.at = self.at.saturating_add(1);
            self.value = property(&self.object, &name).map_err(|by| thrown(&by).inside(&self.name()))?;
            if !self.value.is_undefined() {
                return seed.deserialize(At(name)).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let value = std::mem::replace(&mut self.value, JsValue::UNDEFINED);
        seed.deserialize(At(value)).map_err(|fault| fault.inside(&self.name()))
    }
}
