//! Reading what a program passes in.
//!
//! A value of JavaScript can be anything: a class instance, a proxy, an object whose getter
//! throws. `tape.js` writes down what is plain data (objects, arrays, strings, numbers,
//! booleans, null; `undefined` counts as left out) and notes what is not. This file reads
//! that, and where it does not fit answers with an `Error` whose message begins with the
//! name of the field. What fits is decided by the types that are read.

mod fault;

use super::error;
use super::tape::{FALSE, LIST, MAP, NULL, NUMBER, ODD, TEXT, TRUE, UNREADABLE, WHOLE};
use fault::{Fault, OneOf};
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess};
use serde::de::{Unexpected, Visitor};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/js/tape.js")]
extern "C" {
    fn flatten(given: &JsValue) -> Vec<u32>;
}

/// Reads an argument of the name `name`.
///
/// # Errors
/// An `Error` that names the field, or `name` when the whole argument is at fault.
pub fn read<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    read_inside(value, name, Vec::new())
}

/// Reads an argument that may be left out.
///
/// # Errors
/// As [`read`]; a field is named with `name` before it.
pub fn read_options<T: DeserializeOwned + Default>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    read_inside(value, name, vec![name.to_owned()])
}

fn read_inside<T: DeserializeOwned>(value: &JsValue, name: &str, path: Vec<String>) -> Result<T, JsValue> {
    let words = flatten(value);
    let mut tape = Tape { words: words.iter(), path };
    T::deserialize(&mut tape).map_err(|fault| {
        let place = if tape.path.is_empty() { name.to_owned() } else { tape.path.join(".") };
        error(format!("{place}: {fault}"))
    })
}

/// A written value that is being read.
struct Tape<'a> {
    words: std::slice::Iter<'a, u32>,
    /// The names on the way to where it is read.
    path: Vec<String>,
}

impl Tape<'_> {
    fn next(&mut self) -> u32 {
        self.words.next().copied().unwrap_or(NULL)
    }

    fn characters(&mut self) -> String {
        let length = self.next();
        let units = (0..length).map_while(|_| self.words.next()).map(|unit| u16::try_from(*unit).unwrap_or_default());
        char::decode_utf16(units).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }

    fn number(&mut self) -> f64 {
        let (low, high) = (self.next(), self.next());
        f64::from_bits(u64::from(high) << 32 | u64::from(low))
    }
}

impl<'de> Deserializer<'de> for &mut Tape<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.next() {
            NULL => visitor.visit_unit(),
            TRUE => visitor.visit_bool(true),
            FALSE => visitor.visit_bool(false),
            NUMBER => match self.number() {
                number if is_whole(number) => visitor.visit_i64(whole(number)),
                number => visitor.visit_f64(number),
            },
            TEXT => visitor.visit_string(self.characters()),
            LIST => {
                let left = self.next();
                visitor.visit_seq(Items { tape: self, at: 0, left })
            }
            MAP => {
                let left = self.next();
                visitor.visit_map(Entries { tape: self, left, inside: false })
            }
            ODD => Err(Fault::invalid_type(Unexpected::Other(&self.characters()), &visitor)),
            UNREADABLE => Err(Fault::custom(format!("could not be read{}", self.characters()))),
            word => visitor.visit_i64(word.saturating_sub(WHOLE).into()),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.words.as_slice().first() == Some(&NULL) {
            self.words.next();
            return visitor.visit_none();
        }
        visitor.visit_some(self)
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
        let word: StringDeserializer<Fault> = self.deserialize_any(OneOf(words))?.into_deserializer();
        visitor.visit_enum(word)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Whether a number is one of those whole ones that a floating-point number holds exactly.
fn is_whole(number: f64) -> bool {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    number.trunc() == number && number.abs() <= LARGEST
}

#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "it is whole and fits")]
fn whole(number: f64) -> i64 {
    number as i64
}

/// The items of a list.
struct Items<'a, 'b> {
    tape: &'a mut Tape<'b>,
    at: u32,
    left: u32,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.tape.path.push(self.at.to_string());
        self.at = self.at.saturating_add(1);
        let item = seed.deserialize(&mut *self.tape)?;
        self.tape.path.pop();
        Ok(Some(item))
    }
}

/// The entries of a map. The path ends in the name of the one that was read last.
struct Entries<'a, 'b> {
    tape: &'a mut Tape<'b>,
    left: u32,
    inside: bool,
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if self.inside {
            self.tape.path.pop();
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        self.inside = true;
        let name = self.tape.characters();
        self.tape.path.push(name.clone());
        let name: StringDeserializer<Fault> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(&mut *self.tape)
    }
}
