//! Maps that are not listed.

use crate::planner::map::Map;
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};

rule! {
    /// A map of more than 262,144 connections is judged, but not listed one by one.
    ///
    /// This is the planner's limit, not SGLang's: a list of that size helps nobody and fills
    /// the browser's memory. The verdict does not depend on it.
    "map-is-too-large-to-list", Mapping Notes in Range::ALL, None,
    seen: "Only here: the report has no map.",
    evidence: Read, sources: [(CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp1024.page64.shard&d=tp1024.page64",
    holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp1024.page64&d=tp1024.page64",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    match pair.mapping.map(|mapping| mapping.connections()) {
        Some(connections) if connections > Map::MOST_CONNECTIONS => Judgement::Breaks(Break {
            side: Place::Both,
            message: format!("{connections} connections are more than the {} that the planner lists.", Map::MOST_CONNECTIONS),
            error: None,
            fields: vec![prefill("tp"), decode("tp")],
            fixes: Vec::new(),
        }),
        _ => Judgement::Holds,
    }
}
