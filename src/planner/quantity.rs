//! The quantities of a plan that can be wrong: sizes and environment variables.

use super::names::Names;
use super::value::{FieldType, Kind, LIMIT, Value};
use serde::{Serialize, Serializer};
use std::num::NonZero;

/// A size: a whole number from 1 to [`LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(NonZero<u32>);

impl Size {
    /// One.
    pub const ONE: Size = Size(NonZero::<u32>::MIN);

    /// The size, if it is one from 1 to [`LIMIT`].
    pub fn new(number: i64) -> Option<Size> {
        let number = u32::try_from(number).ok().filter(|n| *n <= LIMIT)?;
        NonZero::new(number).map(Size)
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0.get()
    }

    /// Eight times the size, for constants.
    pub(crate) const fn times_eight(self) -> Size {
        Size(self.0.saturating_mul(match NonZero::new(8) {
            Some(eight) => eight,
            None => NonZero::<u32>::MIN,
        }))
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.number())
    }
}

impl FieldType for Size {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(i64::from(self.number()))
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Number(number) => Size::new(*number),
            _ => None,
        }
        .ok_or_else(|| format!("must be a whole number from 1 to {LIMIT}"))
    }
}

/// Environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Env(Names);

impl std::ops::Deref for Env {
    type Target = Names;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl std::ops::DerefMut for Env {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl FieldType for Env {
    const KIND: Kind = Kind::Map;
    fn to_value(&self) -> Value {
        Value::Map(self.0.clone())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Map(map) => Ok(Env(map.clone())),
            _ => Err("must be names with words".to_owned()),
        }
    }
}

/// A number of bytes. Sums and products that do not fit are the largest number there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Bytes(u64);

impl Bytes {
    /// None.
    pub const NONE: Bytes = Bytes(0);

    /// So many.
    pub const fn new(number: u64) -> Bytes {
        Bytes(number)
    }

    /// How many.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// These and others.
    pub const fn and(self, others: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(others.0))
    }

    /// These without others.
    pub const fn without(self, others: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(others.0))
    }

    /// So many times these.
    pub fn times(self, number: impl Into<u64>) -> Bytes {
        Bytes(self.0.saturating_mul(number.into()))
    }

    /// One of so many equal parts.
    pub fn part_of(self, parts: impl Into<u64>) -> Bytes {
        Bytes(self.0.checked_div(parts.into()).unwrap_or_default())
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(all: I) -> Bytes {
        all.fold(Bytes::NONE, Bytes::and)
    }
}
