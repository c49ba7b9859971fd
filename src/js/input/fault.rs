//! What is wrong with what a program passed in, as a sentence.

use serde::de::{Error, Expected, Unexpected, Visitor};
use std::fmt::{self, Display};

/// What is wrong. Where, the reader knows.
#[derive(Debug)]
pub struct Fault(String);

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: Display>(message: T) -> Fault {
        Fault(message.to_string())
    }

    fn invalid_type(got: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault(format!("must be {}, got {}", wanted(expected), given(got)))
    }

    fn invalid_value(got: Unexpected<'_>, expected: &dyn Expected) -> Fault {
        Fault::invalid_type(got, expected)
    }

    fn unknown_variant(word: &str, words: &'static [&'static str]) -> Fault {
        Fault::invalid_type(Unexpected::Str(word), &OneOf(words))
    }

    fn unknown_field(_: &str, names: &'static [&'static str]) -> Fault {
        Fault(format!("there is no such field; there are {}", names.join(", ")))
    }
}

/// What Rust's own types expect, for people who do not know them.
fn wanted(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "i64" => "a whole number".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        words => words.to_owned(),
    }
}

/// A value that did not fit.
fn given(got: Unexpected<'_>) -> String {
    match got {
        Unexpected::Unit => "null".to_owned(),
        Unexpected::Bool(on) => on.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Seq => "an array".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        other => other.to_string(),
    }
}

/// Expects one of these words, and takes any.
pub struct OneOf(pub &'static [&'static str]);

impl Visitor<'_> for OneOf {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of {}", self.0.join(", "))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<String, E> {
        Ok(word.to_owned())
    }
}
