//! Writing answers as plain data: absent values are null, maps are objects, words stand for enums.

use super::error;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

/// A value as plain data of JavaScript.
///
/// # Errors
/// When its type refuses to be written. None of the planner's does.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(error)
}

/// Gives an object a property.
///
/// # Errors
/// When it does not take it; those that are made here do.
pub fn put(object: &JsValue, name: &str, value: &JsValue) -> Result<(), JsValue> {
    js_sys::Reflect::set(object, &name.into(), value).map(|_| ())
}
