//! Records whose fields are a table.
//!
//! `record!` writes a struct, its JSON and a table of its fields in one go, so that the
//! form, links, edits and the schema all derive from one list. Nothing else in the crate
//! repeats a field's name.

use super::json::ReadRecord;
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
    /// What it is: its documentation. Left out of the npm package's WebAssembly.
    pub help: &'static str,
    /// The SGLang flag that sets it, by release. Empty: no flag does.
    pub flags: &'static [(Range, &'static str)],
    /// How to ask for it.
    pub kind: Kind,
    /// How to read it from JSON where it is a record of its own.
    pub record: Option<ReadRecord>,
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
        impl $crate::planner::record::Record for $record {
            const FIELDS: &'static [$crate::planner::record::Field<$record>] = &[$(
                $crate::planner::record::Field {
                    name: $name,
                    key: $key,
                    label: $label,
                    help: $crate::planner::texts::outside_package(concat!($($help),+)),
                    flags: &[$(($range, $flag)),*],
                    kind: <$type as $crate::planner::value::FieldType>::KIND,
                    record: <$type as $crate::planner::value::FieldType>::RECORD,
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
