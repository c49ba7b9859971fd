//! What serde asks of a tape. Only what plans and reports are made of can be written.

use super::{Counted, Fields, Tape, Written};
use crate::js::tape::{FALSE, LIST, MAP, NULL, TEXT, TRUE, WHOLE};
use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};
use std::fmt;

/// Numbers up to 32 bits are written as they are, if they are not negative.
macro_rules! numbers {
    ($($method:ident $type:ty),+) => {
        $(fn $method(self, number: $type) -> Written {
            match u32::try_from(number).ok().and_then(|number| number.checked_add(WHOLE)) {
                Some(word) => self.put(word),
                None => self.number(lossy(number.into())),
            }
        })+
    };
}

/// A number of JavaScript. It is exact up to 2⁵³.
#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "JavaScript has no other numbers")]
fn lossy(number: i128) -> f64 {
    number as f64
}

impl<'a> Serializer for &'a mut Tape {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Counted<'a>;
    type SerializeTuple = Counted<'a>;
    type SerializeTupleStruct = Impossible<(), fmt::Error>;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeMap = Counted<'a>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Impossible<(), fmt::Error>;

    numbers!(serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64);
    numbers!(serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64);

    fn serialize_bool(self, on: bool) -> Written {
        self.put(if on { TRUE } else { FALSE })
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.number(number.into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        self.number(number)
    }

    fn serialize_char(self, character: char) -> Written {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Written {
        self.put(TEXT)?;
        self.characters(text)
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        Err(fmt::Error)
    }

    fn serialize_none(self) -> Written {
        self.put(NULL)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.put(NULL)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.put(NULL)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, word: &'static str) -> Written {
        self.serialize_str(word)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(fmt::Error)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Counted<'a>, fmt::Error> {
        self.begin(LIST)
    }

    fn serialize_tuple(self, _: usize) -> Result<Counted<'a>, fmt::Error> {
        self.begin(LIST)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Counted<'a>, fmt::Error> {
        self.begin(MAP)
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Fields<'a>, fmt::Error> {
        self.record(name, length)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, fmt::Error> {
        Err(fmt::Error)
    }
}

impl SerializeSeq for Counted<'_> {
    type Ok = ();
    type Error = fmt::Error;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Written {
        self.item(item)
    }
    fn end(self) -> Written {
        Counted::end(self)
    }
}

impl SerializeTuple for Counted<'_> {
    type Ok = ();
    type Error = fmt::Error;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, item: &T) -> Written {
        self.item(item)
    }
    fn end(self) -> Written {
        Counted::end(self)
    }
}

impl SerializeMap for Counted<'_> {
    type Ok = ();
    type Error = fmt::Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Written {
        name.serialize(&mut *self.tape)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.item(value)
    }
    fn end(self) -> Written {
        Counted::end(self)
    }
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = fmt::Error;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Written {
        if self.named {
            self.tape.characters(name)?;
        }
        value.serialize(&mut *self.tape)
    }
    fn end(self) -> Written {
        Ok(())
    }
}
