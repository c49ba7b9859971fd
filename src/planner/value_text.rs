//! Values as text and back: what a link and a form field hold.
//!
//! Atoms are percent-encoded wherever a character could be taken for a separator, so any
//! word survives. Lists join atoms with `,`, maps join `name=atom` with `,`.

use super::names::Names;
use super::value::{Kind, Value};
use std::fmt::Write;

impl Value {
    /// The value as one word: a number's digits, `on` or `off`, an encoded word, a list, a map.
    pub fn text(&self) -> String {
        match self {
            Value::Absent => String::new(),
            Value::Flag(on) => if *on { "on" } else { "off" }.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => encode(text),
            Value::List(list) => join(list.iter().map(|item| encode(item))),
            Value::Numbers(list) => join(list.iter().map(i64::to_string)),
            Value::Map(map) => join(map.iter().map(|(name, text)| format!("{}={}", encode(name), encode(text)))),
        }
    }

    /// The value of that kind which `text` writes, or a sentence on what would fit.
    pub fn parse(kind: Kind, text: &str) -> Result<Value, String> {
        match kind {
            Kind::Number => number(text).map(Value::Number),
            Kind::Flag => match text {
                "" | "on" | "true" | "1" => Ok(Value::Flag(true)),
                "off" | "false" | "0" => Ok(Value::Flag(false)),
                _ => Err(format!("must be on or off, got \"{text}\"")),
            },
            Kind::Text(_) => decode(text).map(Value::Text),
            Kind::List => items(text).map(decode).collect::<Result<_, _>>().map(Value::List),
            Kind::Numbers => items(text).map(number).collect::<Result<_, _>>().map(Value::Numbers),
            Kind::Map => {
                let mut map = Names::new();
                for item in items(text) {
                    let (name, value) = entry(item)?;
                    map.insert(name, value);
                }
                Ok(Value::Map(map))
            }
        }
    }
}

fn number(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("must be a whole number, got \"{text}\""))
}

fn entry(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("must be name=value, got \"{text}\""))?;
    Ok((decode(name)?, decode(value)?))
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(move |_| !text.is_empty())
}

/// Joins atoms. A list of one empty word would read back as an empty list, so the empty
/// word is written as `%`.
fn join(atoms: impl Iterator<Item = String>) -> String {
    let atoms: Vec<String> = atoms.map(|atom| if atom.is_empty() { "%".to_owned() } else { atom }).collect();
    atoms.join(",")
}

/// Percent-encodes everything but letters, digits, `-`, `_` and `/`.
pub fn encode(text: &str) -> String {
    encode_but(text, b"-_/")
}

/// Percent-encodes everything but letters, digits and the bytes that are `kept`.
pub fn encode_but(text: &str, kept: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Undoes [`encode`]; other characters stand for themselves.
pub fn decode(text: &str) -> Result<String, String> {
    if text == "%" {
        return Ok(String::new());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next(), rest.next()].map(|digit| digit.and_then(|d| char::from(d).to_digit(16)));
        match digits {
            [Some(high), Some(low)] => bytes.push(u8::try_from(high << 4 | low).unwrap_or_default()),
            _ => return Err(format!("\"{text}\" has a % without two hexadecimal digits after it")),
        }
    }
    String::from_utf8(bytes).map_err(|_| format!("\"{text}\" does not decode to text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = (Kind, Value)> {
        let words = || prop::collection::vec(any::<String>(), 0..4);
        prop_oneof![
            any::<i64>().prop_map(|n| (Kind::Number, Value::Number(n))),
            any::<bool>().prop_map(|on| (Kind::Flag, Value::Flag(on))),
            any::<String>().prop_map(|text| (Kind::Text(&[]), Value::Text(text))),
            words().prop_map(|list| (Kind::List, Value::List(list))),
            prop::collection::vec(any::<i64>(), 0..4).prop_map(|list| (Kind::Numbers, Value::Numbers(list))),
            prop::collection::btree_map(any::<String>(), any::<String>(), 0..4)
                .prop_map(|map| (Kind::Map, Value::Map(map.into_iter().collect()))),
        ]
    }

    proptest! {
        #[test]
        fn a_value_survives_its_text((kind, value) in values()) {
            prop_assert_eq!(Value::parse(kind, &value.text()), Ok(value));
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in any::<String>()) {
            for kind in [Kind::Number, Kind::Flag, Kind::Text(&[]), Kind::List, Kind::Numbers, Kind::Map] {
                let _ = Value::parse(kind, &text);
            }
        }
    }
}
