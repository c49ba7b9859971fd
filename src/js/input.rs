//! Reading what a program passes in.
//!
//! A value of JavaScript can be anything. What does not fit a plan answers with an `Error`
//! whose message begins with the name of the field. A field that is `undefined` counts as left
//! out. An exception of the program's own getters stays its own.
//!
//! It is read here and not by serde-wasm-bindgen, which writes our answers: its reader's error
//! messages alone, with the printing of fractions, are a tenth of the package.

use super::error;
use crate::planner::json::{FromJson, Json};
use crate::planner::value::Value;
use js_sys::{Array, Function, Number, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// The nesting that a plan can have, and one more. Deeper values are not looked into.
const DEPTH: u8 = 5;

/// Reads an argument of the name `name`.
///
/// # Errors
/// An `Error` that names the field, or `name` when the whole argument is at fault.
pub fn read<T: FromJson>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    T::from_json(&json(value, DEPTH), "").map_err(|problem| {
        error(if problem.field.is_empty() { format!("{name}: {}", problem.message) } else { problem.to_string() })
    })
}

/// Reads an argument that may be left out.
///
/// # Errors
/// As [`read`]; a field is named with `name` before it.
pub fn read_options<T: FromJson + Default>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        Ok(T::default())
    } else {
        T::from_json(&json(value, DEPTH), name).map_err(error)
    }
}

/// Reads an argument that may be any text, also none of a field's words.
///
/// # Errors
/// An `Error` that names it when it is no text.
#[cfg(feature = "commands")]
pub fn read_text(value: &JsValue, name: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| error(format!("{name}: must be a text")))
}

fn json(value: &JsValue, depth: u8) -> Json {
    if value.is_null() {
        Json::Value(Value::Absent)
    } else if let Some(on) = value.as_bool() {
        Json::Value(Value::Flag(on))
    } else if let Some(text) = value.as_string() {
        Json::Value(Value::Text(text))
    } else if let Some(number) = value.as_f64() {
        whole(value, number)
    } else if depth == 0 {
        Json::Other("something nested too deeply".to_owned())
    } else if let Some(items) = value.dyn_ref::<Array>() {
        Json::List(items.iter().map(|item| json(&item, depth.saturating_sub(1))).collect())
    } else if value.is_object() && is_plain(value) {
        Json::Object(entries(value.unchecked_ref(), depth.saturating_sub(1)))
    } else {
        Json::Other(value.js_typeof().as_string().unwrap_or_default())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a safe integer has no fraction and fits")]
fn whole(value: &JsValue, number: f64) -> Json {
    if Number::is_safe_integer(value) {
        Json::Value(Value::Number(number as i64))
    } else {
        // Our own printing of fractions would be larger than all of this file.
        Json::Other(value.unchecked_ref::<Object>().to_js_string().into())
    }
}

/// The fields of an object, without those that are `undefined`.
fn entries(object: &Object, depth: u8) -> Vec<(String, Json)> {
    let entries = Object::entries(object);
    let entries = entries.iter().map(|entry| (Array::from(&entry).get(0), Array::from(&entry).get(1)));
    let defined = entries.filter(|(_, value)| !value.is_undefined());
    defined.map(|(name, value)| (name.as_string().unwrap_or_default(), json(&value, depth))).collect()
}

/// Whether a value is an object and nothing more special, such as a list, a map or a date.
fn is_plain(value: &JsValue) -> bool {
    let to_string = Reflect::get(&Object::get_prototype_of(&Object::new()), &JsValue::from_str("toString"));
    let tag = to_string.and_then(|to_string| Function::from(to_string).call0(value));
    tag.is_ok_and(|tag| tag == "[object Object]")
}
