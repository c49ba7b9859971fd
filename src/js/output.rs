//! Writing answers as plain data.
//!
//! Absent values become null, maps become objects, words stand for enums. The names of a
//! record's fields are written once, with the first record of its type.

mod serializer;

use super::error;
use super::tape::{FIRST_RECORD, NUMBER, RECORD};
use serde::Serialize;
use std::fmt;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/src/js/tape.js")]
extern "C" {
    fn build(words: &[u32], text: &str) -> JsValue;
}

/// A value as plain data of JavaScript.
///
/// # Errors
/// When its type refuses to be written. None of the planner's does.
pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<JsValue, JsValue> {
    let mut tape = Tape::default();
    value.serialize(&mut tape).map_err(error)?;
    Ok(build(&tape.words, &tape.text))
}

/// An answer on its way.
#[derive(Default)]
struct Tape {
    words: Vec<u32>,
    text: String,
    /// The names and lengths of the records' types, which tell them apart.
    records: Vec<(&'static str, usize)>,
}

type Written = Result<(), fmt::Error>;

impl Tape {
    fn put(&mut self, word: u32) -> Written {
        self.words.push(word);
        Ok(())
    }

    fn count(&mut self, count: usize) -> Written {
        self.put(u32::try_from(count).map_err(|_| fmt::Error)?)
    }

    fn characters(&mut self, text: &str) -> Written {
        self.text.push_str(text);
        self.count(text.encode_utf16().count())
    }

    fn number(&mut self, number: f64) -> Written {
        let bits = number.to_bits();
        let halves = [bits & u64::from(u32::MAX), bits >> 32];
        self.put(NUMBER)?;
        halves.into_iter().try_for_each(|half| self.put(u32::try_from(half).map_err(|_| fmt::Error)?))
    }

    /// Begins a list or map, whose length is filled in at its end.
    fn begin(&mut self, code: u32) -> Result<Counted<'_>, fmt::Error> {
        self.put(code)?;
        let place = self.words.len();
        self.put(0)?;
        Ok(Counted { tape: self, place, count: 0 })
    }

    fn record(&mut self, name: &'static str, length: usize) -> Result<Fields<'_>, fmt::Error> {
        let known = self.records.iter().position(|record| *record == (name, length));
        match known {
            Some(place) => {
                self.put(RECORD)?;
                self.count(place)?;
            }
            None => {
                self.records.push((name, length));
                self.put(FIRST_RECORD)?;
                self.count(length)?;
            }
        }
        Ok(Fields { tape: self, named: known.is_none() })
    }
}

/// A list or map that is being written.
struct Counted<'a> {
    tape: &'a mut Tape,
    place: usize,
    count: u32,
}

impl Counted<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, item: &T) -> Written {
        self.count = self.count.saturating_add(1);
        item.serialize(&mut *self.tape)
    }

    fn end(self) -> Written {
        let count = self.tape.words.get_mut(self.place).ok_or(fmt::Error)?;
        *count = self.count;
        Ok(())
    }
}

/// A record that is being written.
struct Fields<'a> {
    tape: &'a mut Tape,
    named: bool,
}
