//! The catalogue: models people serve with PD. A row without a source is no row.
//!
//! `models.txt` has a line for each: name, other names, facts under their names in JSON. Where the
//! facts are from is in `sources.txt`, in the same order.

use super::model::{Linear, Model};
use crate::planner::record::Record;
use crate::planner::texts::outside_verdict;
use crate::planner::value::Value;
use std::sync::LazyLock;

/// One model of the catalogue.
pub struct Row {
    /// Its name at Hugging Face.
    pub name: &'static str,
    /// Other names that people write.
    pub aliases: Vec<&'static str>,
    /// What is known of it.
    pub facts: Model,
    /// Where its facts are from. The verdict's WebAssembly does without.
    pub source: &'static str,
}

/// All rows.
pub static MODELS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut sources = outside_verdict(include_str!("sources.txt")).lines();
    let rows = include_str!("models.txt").lines().filter_map(|line| {
        let source = sources.next().and_then(|line| line.split_once('|')).map_or("", |(_, source)| source);
        read(line, source)
    });
    rows.collect()
});

/// Reads a line; one that does not fit is none, which a test excludes.
fn read(line: &'static str, source: &'static str) -> Option<Row> {
    let mut parts = line.split('|');
    let (name, aliases, told) = (parts.next()?, parts.next()?, parts.next()?);
    let mut facts = Model::default();
    let mut linear = None;
    for fact in told.split(';') {
        let (name, text) = fact.split_once('=')?;
        match name.strip_prefix("linear.") {
            Some(name) => write(linear.get_or_insert_with(Linear::default), name, text)?,
            None => write(&mut facts, name, text)?,
        }
    }
    facts.linear = linear;
    Some(Row { name, aliases: aliases.split(',').filter(|alias| !alias.is_empty()).collect(), facts, source })
}

fn write<T: Record>(record: &mut T, name: &str, text: &str) -> Option<()> {
    let field = T::field(name)?;
    let value = Value::parse(field.kind, text).ok()?;
    (field.write)(record, &value).ok()
}

/// Endings of names that tell how a checkpoint is stored, and not which model it is.
const STORED: &[&str] =
    &["-FP8", "-FP4", "-NVFP4", "-MXFP4", "-BF16", "-AWQ", "-INT4", "-INT8", "-W4A8", "-W4AFP8", "-GPTQ"];

/// The row of that name or alias, whatever the case; also of a path that ends in it, of a folder of
/// the hub's cache, and of a checkpoint stored otherwise.
pub fn find(name: &str) -> Option<&'static Row> {
    let cached = name.split('/').find_map(|part| part.strip_prefix("models--"));
    let last = match cached {
        Some(cached) => cached.rsplit("--").next().unwrap_or(cached),
        None => name.trim_end_matches('/').rsplit('/').next().unwrap_or(name),
    };
    by_name(name).or_else(|| by_name(last)).or_else(|| {
        let stored = |name| STORED.iter().find_map(|ending| without(name, ending));
        // A version behind how it is stored is one of the storing.
        let mut rest =
            ["-v2", "-v3"].iter().find_map(|ending| without(last, ending).and_then(stored)).or(stored(last))?;
        while let Some(shorter) = stored(rest) {
            rest = shorter;
        }
        by_name(rest)
    })
}

fn without<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let (start, end) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    end.eq_ignore_ascii_case(ending).then_some(start)
}

fn by_name(name: &str) -> Option<&'static Row> {
    MODELS.iter().find(|row| {
        let last = row.name.rsplit('/').next().unwrap_or(row.name);
        [row.name, last].iter().chain(&row.aliases).any(|known| known.eq_ignore_ascii_case(name))
    })
}
