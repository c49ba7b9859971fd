//! Field values: what a form, a link, an edit and a table of fields have in common.
//!
//! A [`Value`] is what stands in one field, whatever its type. [`FieldType`] turns the
//! types of a plan into values and back; a value that does not fit answers with a
//! sentence that can be shown beside the field.

pub use super::quantity::{Env, Size};

use super::json::ReadRecord;
use super::names::Names;
use serde::Serialize;

/// The largest size that a plan may name, and the most ranks that one side may have.
pub const LIMIT: u32 = 65_536;

/// What stands in one field of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: the field is left to its default or is unknown.
    Absent,
    /// A switch.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A word.
    Text(String),
    /// Words in order.
    List(Vec<String>),
    /// Names and words.
    Map(Names),
    /// Numbers in order.
    Numbers(Vec<i64>),
}

impl From<&str> for Value {
    fn from(word: &str) -> Value {
        Value::Text(word.to_owned())
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Flag(flag)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Number(i64::from(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(i64::from(number))
    }
}

/// How a form asks for a field, and how a link writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Number,
    /// A switch.
    Flag,
    /// A word, free or one of these.
    Text(&'static [&'static str]),
    /// Words in order.
    List,
    /// Names and words.
    Map,
    /// Numbers in order.
    Numbers,
}

/// A type that can stand in a field.
pub trait FieldType: Sized {
    /// How to ask for it.
    const KIND: Kind;
    /// How to read it from JSON, if it is a record of its own.
    const RECORD: Option<ReadRecord> = None;
    /// The value that stands for it.
    fn to_value(&self) -> Value;
    /// The value as this type, or a sentence on what would fit.
    fn from_value(value: &Value) -> Result<Self, String>;
}

impl FieldType for i32 {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(i64::from(*self))
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Number(number) => i32::try_from(*number).ok(),
            _ => None,
        }
        .ok_or_else(|| "must be a whole number of at most 31 bits".to_owned())
    }
}

impl FieldType for u32 {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(i64::from(*self))
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Number(number) => u32::try_from(*number).ok(),
            _ => None,
        }
        .ok_or_else(|| "must be a whole number, 0 or more".to_owned())
    }
}

impl FieldType for bool {
    const KIND: Kind = Kind::Flag;
    fn to_value(&self) -> Value {
        Value::Flag(*self)
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err("must be true or false".to_owned()),
        }
    }
}

impl FieldType for String {
    const KIND: Kind = Kind::Text(&[]);
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Text(text) if !text.is_empty() => Ok(text.clone()),
            _ => Err("must be a word".to_owned()),
        }
    }
}

impl FieldType for Vec<String> {
    const KIND: Kind = Kind::List;
    fn to_value(&self) -> Value {
        Value::List(self.clone())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::List(list) => Ok(list.clone()),
            _ => Err("must be a list of words".to_owned()),
        }
    }
}

impl FieldType for Vec<i64> {
    const KIND: Kind = Kind::Numbers;
    fn to_value(&self) -> Value {
        Value::Numbers(self.clone())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Numbers(list) => Ok(list.clone()),
            Value::List(list) if list.is_empty() => Ok(Vec::new()),
            _ => Err("must be a list of whole numbers".to_owned()),
        }
    }
}

impl<T: FieldType> FieldType for Option<T> {
    const KIND: Kind = T::KIND;
    const RECORD: Option<ReadRecord> = T::RECORD;
    fn to_value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::to_value)
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Absent => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// Declares an enum whose variants are words of the contract.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }
        impl $name {
            /// The words, in order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];
            /// The word that the contract uses.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
        impl $crate::planner::value::FieldType for $name {
            const KIND: $crate::planner::value::Kind = $crate::planner::value::Kind::Text($name::WORDS);
            fn to_value(&self) -> $crate::planner::value::Value {
                $crate::planner::value::Value::Text(self.word().to_owned())
            }
            fn from_value(value: &$crate::planner::value::Value) -> Result<Self, String> {
                match value {
                    $($crate::planner::value::Value::Text(word) if word == $word => Ok($name::$variant),)+
                    _ => Err(format!("must be one of {}", $name::WORDS.join(", "))),
                }
            }
        }
    };
}
pub(crate) use words;
