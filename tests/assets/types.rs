//! The names in `src/js/types.d.ts` are those of the tables.

use pd_planner::planner::catalog::{Attention, Linear, Model};
use pd_planner::planner::command;
use pd_planner::planner::draw::{Room, Theme};
use pd_planner::planner::plan::{AllocationPolicy, Server, TransferBackend};
use pd_planner::planner::record::Record;
use pd_planner::planner::report::{Evidence, Outcome, Place, Stage, Verdict};
use pd_planner::planner::rules::table;
use pd_planner::planner::schema::{RECORDS, Shape};
use pd_planner::planner::text::Format;
use pd_planner::planner::view;
use serde_json::Value;

const TYPES: &str = include_str!("../../src/js/types.d.ts");

/// The members of an interface: name and type.
fn members(interface: &str) -> Vec<(&'static str, &'static str)> {
    let (_, rest) = TYPES.split_once(&format!("interface {interface} {{\n")).unwrap_or_else(|| panic!("{interface}"));
    let (body, _) = rest.split_once("\n}").unwrap();
    let lines = body.lines().map(str::trim).filter(|line| !line.starts_with('/'));
    lines.map(|line| line.trim_end_matches(';').split_once(": ").unwrap()).collect()
}

fn names(interface: &str) -> Vec<&'static str> {
    members(interface).into_iter().map(|(name, _)| name.trim_end_matches('?')).collect()
}

fn union(name: &str) -> Vec<&'static str> {
    let (_, rest) = TYPES.split_once(&format!("type {name} = ")).unwrap_or_else(|| panic!("{name}"));
    let (words, _) = rest.split_once(';').unwrap();
    words.split(" | ").map(|word| word.trim_matches('"')).collect()
}

fn holds<R: Record>(interface: &str) {
    let fields: Vec<&str> = R::FIELDS.iter().map(|field| field.name).collect();
    assert_eq!(names(interface), fields, "{interface} in src/js/types.d.ts");
    for ((name, kind), field) in members(interface).into_iter().zip(R::FIELDS) {
        assert!(name.ends_with('?'), "{interface}.{name} may be left out");
        let nullable = (field.write)(&mut R::default(), &pd_planner::planner::value::Value::Absent).is_ok();
        assert_eq!(kind.ends_with(" | null"), nullable, "{interface}.{name}");
    }
}

#[test]
fn the_types_of_a_plan_have_the_fields_of_the_tables() {
    holds::<Server>("Server");
    holds::<Model>("Model");
    holds::<Linear>("Linear");
    let plan = serde_json::to_value(pd_planner::planner::Plan::default()).unwrap();
    for (interface, value) in [("Plan", &plan), ("Traffic", &plan["traffic"])] {
        same_names(interface, value);
    }
}

#[test]
fn the_types_of_a_report_are_those_of_its_schema() {
    for (_, interface, fields) in RECORDS {
        let types: Vec<(&str, String)> = fields.iter().map(|(name, shape)| (*name, written(name, shape))).collect();
        let members: Vec<(&str, String)> =
            members(interface).into_iter().map(|(name, kind)| (name, kind.to_owned())).collect();
        assert_eq!(members, types, "{interface} in src/js/types.d.ts");
    }
}

/// A shape as TypeScript writes it.
fn written(name: &str, shape: &Shape) -> String {
    match shape {
        Shape::Text => "string".to_owned(),
        Shape::Whole | Shape::Number => "number".to_owned(),
        Shape::Flag => "boolean".to_owned(),
        Shape::Value => "Value".to_owned(),
        Shape::Words(_) if name == "side" => "Place".to_owned(),
        Shape::Words(_) => format!("{}{}", name[..1].to_uppercase(), &name[1..]),
        Shape::Record(record) => RECORDS.iter().find(|(name, ..)| name == record).unwrap().1.to_owned(),
        Shape::List(items) => format!("{}[]", written(name, items)),
        Shape::OrNull(shape) => format!("{} | null", written(name, shape)),
    }
}

#[test]
fn the_types_of_words_have_the_words_of_the_enums() {
    let words: [(&str, &[&str]); 16] = [
        ("Attention", Attention::WORDS),
        ("TransferBackend", TransferBackend::WORDS),
        ("AllocationPolicy", AllocationPolicy::WORDS),
        ("Verdict", Verdict::WORDS),
        ("Stage", Stage::WORDS),
        ("Outcome", Outcome::WORDS),
        ("Evidence", Evidence::WORDS),
        ("Place", Place::WORDS),
        ("Theme", Theme::WORDS),
        ("Format", Format::WORDS),
        ("TextFormat", command::Format::WORDS),
        ("ChangeWhy", command::Why::WORDS),
        ("Part", view::Part::WORDS),
        ("Room", Room::WORDS),
        ("Show", view::Show::WORDS),
        ("Export", view::Export::WORDS),
    ];
    for (name, words) in words {
        assert_eq!(union(name), words, "{name} in src/js/types.d.ts");
    }
}

#[test]
fn the_type_of_commands_has_their_fields() {
    let commands = pd_planner::planner::command::commands(&pd_planner::planner::Plan::default());
    same_names("Commands", &serde_json::to_value(commands).unwrap());
}

#[test]
fn the_type_of_a_rule_has_the_columns_of_the_table() {
    let row = serde_json::to_value(&table::rows()[0]).unwrap();
    same_names("Rule", &row);
    same_names("Releases", &row["releases"]);
}

fn same_names(interface: &str, value: &Value) {
    let mut types = names(interface);
    types.sort_unstable();
    let mut fields: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(types, fields, "{interface} in src/js/types.d.ts");
}
