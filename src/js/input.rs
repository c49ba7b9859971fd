//! Reading what a program passes in.
//!
//! A value of JavaScript can be anything. What does not fit a plan answers with an `Error`
//! whose message begins with the name of the field. A field that is `undefined` counts as left
//! out. An exception of the program's own getters stays its own.

use super::error;
use js_sys::{Array, Function, Object, Reflect};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

/// The nesting that a plan can have, and one more. Deeper values are not looked into.
const DEPTH: u8 = 5;

/// Reads an argument of the name `name`.
///
/// # Errors
/// An `Error` that names the field, or `name` when the whole argument is at fault.
pub fn read<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    read_inside(value, name, "")
}

/// Reads an argument that may be left out.
///
/// # Errors
/// As [`read`]; a field is named with `name` before it.
pub fn read_options<T: DeserializeOwned + Default>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        Ok(T::default())
    } else {
        read_inside(value, name, &format!("{name}."))
    }
}

fn read_inside<T: DeserializeOwned>(value: &JsValue, name: &str, before: &str) -> Result<T, JsValue> {
    if value.is_object() && !is_plain(value) {
        return Err(error(format!("{name}: must be a plain object")));
    }
    // Few programs write `undefined`: only when reading fails is it worth a copy without.
    attempt(value.clone()).or_else(|_| attempt(without_undefined(value, DEPTH))).map_err(|fault| {
        let path = fault.path().to_string();
        let message = js_sys::Error::from(JsValue::from(fault.into_inner())).message();
        error(if path == "." { format!("{name}: {message}") } else { format!("{before}{path}: {message}") })
    })
}

fn attempt<T: DeserializeOwned>(value: JsValue) -> Result<T, serde_path_to_error::Error<serde_wasm_bindgen::Error>> {
    serde_path_to_error::deserialize(serde_wasm_bindgen::Deserializer::from(value))
}

/// A copy of an object without the fields that are `undefined`; other values as they are.
fn without_undefined(value: &JsValue, depth: u8) -> JsValue {
    let Some(object) = value.dyn_ref::<Object>().filter(|_| depth > 0 && is_plain(value)) else { return value.clone() };
    let defined = Array::new();
    for entry in Object::entries(object).iter() {
        let (name, own) = (Array::from(&entry).get(0), Array::from(&entry).get(1));
        if !own.is_undefined() {
            defined.push(&Array::of2(&name, &without_undefined(&own, depth.saturating_sub(1))));
        }
    }
    Object::from_entries(&defined).map_or_else(|_| value.clone(), JsValue::from)
}

/// Whether a value is an object and nothing more special, such as a list, a map or a date.
fn is_plain(value: &JsValue) -> bool {
    let to_string = Reflect::get(&Object::get_prototype_of(&Object::new()), &JsValue::from_str("toString"));
    let tag = to_string.and_then(|to_string| Function::from(to_string).call0(value));
    tag.is_ok_and(|tag| tag == "[object Object]")
}
