//! Records whose fields are a table.
//!
//! `record!` writes a struct, its JSON and a table of its fields in one go, so that the
//! form, links, edits and the schema all derive from one list. Nothing else in the crate
//! repeats a field's name.

use super::release::{Range, Release};
use super::value::{Kind, Value};

/// One field of a record `T`.
pub struct Field<T: 'static> {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its name in a link.
    pub key: &'static str,
    /// Its name in a form.
    pub label: &'static str,
    /// What it is: its documentation.
    pub help: &'static str,
    /// The SGLang flag that sets it, by release. Empty: no flag does.
    pub flags: &'static [(Range, &'static str)],
    /// How to ask for it.
    pub kind: Kind,
    /// Reads it.
    pub read: fn(&T) -> Value,
    /// Writes it, or says what would fit.
    pub write: fn(&mut T, &Value) -> Result<(), String>,
}

impl<T> Field<T> {
    /// The flag that sets this field in `release`; `None` if that release has none.
    pub fn flag(&self, release: Release) -> Option<&'static str> {
        self.flags.iter().find(|(range, _)| range.contains(release)).map(|(_, flag)| *flag)
    }
}

/// A record whose fields are known as a table.
pub trait Record: Default + PartialEq + 'static {
    /// The fields, in the order in which people meet them.
    const FIELDS: &'static [Field<Self>];

    /// The field of that JSON name.
    fn field(name: &str) -> Option<&'static Field<Self>> {
        Self::FIELDS.iter().find(|field| field.name == name)
    }
}

/// Refuses the value of a field that a record does not have. As the value refuses, what
/// tells the place of an error tells the field's own name.
pub struct NoSuchField<'a>(pub &'a str, pub &'static [&'static str]);

impl<'de> serde::de::DeserializeSeed<'de> for NoSuchField<'_> {
    type Value = ();
    fn deserialize<D: serde::Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Err(serde::de::Error::custom(format_args!(
            "there is no such field as {}; there are {}",
            self.0,
            self.1.join(", ")
        )))
    }
}

/// Reads a struct from an object alone: absent fields keep their defaults, other names are
/// errors. (The derived reading also takes lists, and some sources hide unknown names from it.)
macro_rules! from_object {
    ($record:ident { $($name:literal => $field:ident),+ $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $record {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Visit;
                impl<'de> serde::de::Visitor<'de> for Visit {
                    type Value = $record;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object with any of the fields ")?;
                        f.write_str([$($name),+].join(", ").as_str())
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$record, A::Error> {
                        let mut record = $record::default();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $($name => record.$field = map.next_value()?,)+
                                _ => map.next_value_seed($crate::planner::record::NoSuchField(&name, &[$($name),+]))?,
                            }
                        }
                        Ok(record)
                    }
                }
                // Not `deserialize_map`, with which some sources read a list as a map.
                deserializer.deserialize_any(Visit)
            }
        }
    };
}
pub(crate) use from_object;

macro_rules! record {
    ($(#[$doc:meta])* $record:ident {
        $($(#[doc = $help:literal])+ $field:ident: $type:ty = $default:expr,
            $name:literal $key:literal $label:literal [$($range:expr => $flag:literal),* $(,)?];)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        pub struct $record { $($(#[doc = $help])+ #[serde(rename = $name)] pub $field: $type,)+ }
        impl Default for $record {
            fn default() -> Self { $record { $($field: $default,)+ } }
        }
        $crate::planner::record::from_object!($record { $($name => $field),+ });
        impl $crate::planner::record::Record for $record {
            const FIELDS: &'static [$crate::planner::record::Field<$record>] = &[$(
                $crate::planner::record::Field {
                    name: $name,
                    key: $key,
                    label: $label,
                    help: concat!($($help),+),
                    flags: &[$(($range, $flag)),*],
                    kind: <$type as $crate::planner::value::FieldType>::KIND,
                    read: |record| $crate::planner::value::FieldType::to_value(&record.$field),
                    write: |record, value| {
                        record.$field = $crate::planner::value::FieldType::from_value(value)?;
                        Ok(())
                    },
                },
            )+];
        }
    };
}
pub(crate) use record;
