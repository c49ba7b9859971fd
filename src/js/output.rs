//! Writing answers.
use serde::Serialize;
use wasm_bindgen::JsValue;

pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    Ok(value.serialize(&serializer)?)
}
