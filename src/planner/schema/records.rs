//! The records of a report, a table that a test holds against real reports.

use super::{Json, document, list, number, object, of_type, or_null, reference, text, words};
use crate::planner::report::{Evidence, Outcome, Place, Stage, Verdict};

/// The schema of a report.
pub fn report() -> Json {
    let definitions = RECORDS.iter().map(|(name, _, fields)| (*name, open(fields))).collect();
    document("A report", reference("report"), definitions)
}

/// What a field of a report holds.
pub enum Shape {
    /// A text.
    Text,
    /// A whole number, 0 or more.
    Whole,
    /// A number, 0 or more.
    Number,
    /// A switch.
    Flag,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A record of that name.
    Record(&'static str),
    /// A list.
    List(&'static Shape),
    /// That, or null.
    OrNull(&'static Shape),
    /// A plan field's value.
    Value,
}

/// A record's name in the schema, its name in `types.d.ts`, and its fields.
pub type Row = (&'static str, &'static str, &'static [(&'static str, Shape)]);

/// The records of a report.
pub static RECORDS: &[Row] = &[
    (
        "report",
        "Report",
        &[
            ("verdict", Shape::Words(Verdict::WORDS)),
            ("headline", Shape::Text),
            ("findings", Shape::List(&Shape::Record("finding"))),
            ("prefill", Shape::Record("widths")),
            ("decode", Shape::Record("widths")),
            ("resolved", Shape::List(&Shape::Record("edit"))),
            ("map", Shape::OrNull(&Shape::Record("map"))),
            ("payload", Shape::OrNull(&Shape::Record("payload"))),
            ("uncounted", Shape::OrNull(&Shape::Record("uncounted"))),
        ],
    ),
    (
        "finding",
        "Finding",
        &[
            ("rule", Shape::Text),
            ("stage", Shape::Words(Stage::WORDS)),
            ("side", Shape::Words(Place::WORDS)),
            ("outcome", Shape::Words(Outcome::WORDS)),
            ("error", Shape::OrNull(&Shape::Record("error"))),
            ("message", Shape::Text),
            ("why", Shape::Text),
            ("seen", Shape::Text),
            ("fields", Shape::List(&Shape::Text)),
            ("fixes", Shape::List(&Shape::Record("fix"))),
            ("evidence", Shape::Words(Evidence::WORDS)),
            ("sources", Shape::List(&Shape::Record("source"))),
        ],
    ),
    ("error", "SglangError", &[("type", Shape::Text), ("message", Shape::Text)]),
    ("fix", "Fix", &[("title", Shape::Text), ("edits", Shape::List(&Shape::Record("edit")))]),
    ("edit", "Edit", &[("field", Shape::Text), ("value", Shape::Value)]),
    (
        "source",
        "Source",
        &[
            ("repository", Shape::Text),
            ("tag", Shape::Text),
            ("path", Shape::Text),
            ("symbol", Shape::Text),
            ("url", Shape::Text),
        ],
    ),
    (
        "widths",
        "Widths",
        &[
            ("attentionTp", Shape::Whole),
            ("attentionCp", Shape::Whole),
            ("attentionDp", Shape::Whole),
            ("replicas", Shape::Whole),
            ("pp", Shape::Whole),
            ("dcp", Shape::Whole),
            ("worldSize", Shape::Whole),
            ("gpus", Shape::Whole),
            ("nodes", Shape::Whole),
            ("placement", Shape::Record("placement")),
        ],
    ),
    (
        "placement",
        "Placement",
        &[
            ("nodes", Shape::List(&Shape::Record("placedNode"))),
            ("missingRanks", Shape::Whole),
            ("missingGpus", Shape::Whole),
        ],
    ),
    (
        "placedNode",
        "PlacedNode",
        &[
            ("ppRanks", Shape::List(&Shape::Whole)),
            ("tpRanks", Shape::List(&Shape::Whole)),
            ("gpus", Shape::List(&Shape::Whole)),
        ],
    ),
    (
        "map",
        "RankMap",
        &[
            ("decodeRanks", Shape::List(&Shape::Record("decodeRank"))),
            ("connections", Shape::List(&Shape::Record("connection"))),
        ],
    ),
    (
        "decodeRank",
        "DecodeRank",
        &[
            ("ppRank", Shape::Whole),
            ("tpRank", Shape::Whole),
            ("targetTpRank", Shape::OrNull(&Shape::Whole)),
            ("targetTpRanks", Shape::List(&Shape::Whole)),
            ("targetCpRanks", Shape::List(&Shape::Whole)),
            ("targetPpRanks", Shape::List(&Shape::Whole)),
            ("requiredDstInfoNum", Shape::Whole),
            ("requiredPrefillResponseNum", Shape::Whole),
            ("peers", Shape::List(&Shape::Record("peer"))),
            ("missing", Shape::OrNull(&Shape::Text)),
        ],
    ),
    ("peer", "Peer", &[("cp", Shape::Whole), ("tp", Shape::Whole), ("pp", Shape::Whole), ("dummy", Shape::Flag)]),
    (
        "connection",
        "Connection",
        &[
            ("prefill", Shape::Record("prefillRank")),
            ("decode", Shape::Record("decodeAt")),
            ("dummy", Shape::Flag),
            ("payload", Shape::OrNull(&Shape::Record("share"))),
        ],
    ),
    ("prefillRank", "PrefillRank", &[("pp", Shape::Whole), ("cp", Shape::Whole), ("tp", Shape::Whole)]),
    ("decodeAt", "DecodeAt", &[("pp", Shape::Whole), ("tp", Shape::Whole)]),
    (
        "payload",
        "Payload",
        &[
            ("promptTokens", Shape::Whole),
            ("networkGbps", Shape::Whole),
            ("requestBytes", Shape::Whole),
            ("neededBytes", Shape::Whole),
            ("movedBytes", Shape::Whole),
            ("repeatedBytes", Shape::Whole),
            ("seconds", Shape::Number),
            ("senders", Shape::List(&Shape::Record("rankBytes"))),
            ("receivers", Shape::List(&Shape::Record("rankBytes"))),
            ("notes", Shape::List(&Shape::Text)),
        ],
    ),
    (
        "rankBytes",
        "RankBytes",
        &[("pp", Shape::Whole), ("cp", Shape::Whole), ("tp", Shape::Whole), ("bytes", Shape::Whole)],
    ),
    ("uncounted", "Uncounted", &[("reason", Shape::Text), ("fields", Shape::List(&Shape::Text))]),
    (
        "share",
        "Share",
        &[
            ("layers", Shape::List(&Shape::Whole)),
            ("kvLayers", Shape::Whole),
            ("kvHeads", Shape::OrNull(&Shape::Record("kvHeads"))),
            ("tokens", Shape::Record("tokens")),
            ("states", Shape::List(&Shape::Record("stateShare"))),
            ("bytes", Shape::Whole),
        ],
    ),
    ("stateShare", "StateShare", &[("kind", Shape::Text), ("bytes", Shape::Whole)]),
    ("kvHeads", "KvHeads", &[("source", Shape::Whole), ("count", Shape::Whole), ("destination", Shape::Whole)]),
    ("tokens", "Tokens", &[("count", Shape::Whole), ("every", Shape::Whole), ("offset", Shape::Whole)]),
];

/// An object with all of these properties, and perhaps others that a later version adds.
fn open(fields: &'static [(&'static str, Shape)]) -> Json {
    let names = fields.iter().map(|(name, _)| text(name)).collect();
    let properties = fields.iter().map(|(name, shape)| (*name, shaped(shape))).collect();
    object(vec![("type", text("object")), ("required", Json::List(names)), ("properties", object(properties))])
}

fn shaped(shape: &Shape) -> Json {
    match shape {
        Shape::Text => of_type("string"),
        Shape::Whole => object(vec![("type", text("integer")), ("minimum", number(0))]),
        Shape::Number => object(vec![("type", text("number")), ("minimum", number(0))]),
        Shape::Flag => of_type("boolean"),
        Shape::Words(list) => words(list),
        Shape::Record(name) => reference(name),
        Shape::List(items) => list(shaped(items)),
        Shape::OrNull(shape) => or_null(shaped(shape)),
        Shape::Value => object(vec![(
            "type",
            Json::List(["null", "boolean", "integer", "string", "array", "object"].map(text).into()),
        )]),
    }
}
