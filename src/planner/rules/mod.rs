//! The rules, a table: one file a rule, in a folder per stage.
//!
//! A rule is its documentation (what users read), its metadata and one function. Everything
//! else derives from [`RULES`]: judging, the rules page, `rules.json`, the tests that hold
//! the table's laws. The order of the table is the order in which a person would meet the
//! rules, and within the handshake SGLang's own.
//!
//! To add a rule: write its file, name it in its folder's `mod.rs`.

use super::pair::{Pair, Side};
use super::plan::Role;
use super::release::{Range, Release};
use super::report::{Edit, Evidence, Finding, Fix, LinkedSource, Outcome, Place, SglangError, Source, Stage};
use super::startup::Startup;
use super::value::{Size, Value};

mod all_cp;
mod connection;
mod dcp_backend;
mod docs;
mod dspark;
mod ep;
mod handshake;
mod launch;
mod mapping;
mod nodes;
mod routing;
mod sizes;
pub mod table;
mod tp;
mod transfer;

/// The folders' tables, in the order in which a person would meet them.
pub static RULES: &[&[&Rule]] =
    &[launch::RULES, handshake::RULES, mapping::RULES, connection::RULES, transfer::RULES, routing::RULES];

/// All rules, in order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|folder| folder.iter().copied())
}

/// The rule on look-ups that find nobody; other failures of a connection come before look-ups.
pub const LOOK_UP_FAILS: &str = "decode-rank-has-no-prefill-rank";

/// One rule.
pub struct Rule {
    /// Its name, kebab-case; the file's name.
    pub id: &'static str,
    /// Its documentation's first paragraph. The verdict's WebAssembly has those that it says.
    pub summary: &'static str,
    /// The rest of it: why SGLang behaves so. The verdict's WebAssembly does without.
    pub why: &'static str,
    /// When it strikes.
    pub stage: Stage,
    /// What it means for a plan that breaks it.
    pub outcome: Outcome,
    /// The releases that have it.
    pub releases: Range,
    /// The Python exception with which SGLang tells; `None` when it does not tell.
    pub raises: Option<&'static str>,
    /// Who sees what, and when.
    pub seen: &'static str,
    /// How it is known to be true.
    pub evidence: Evidence,
    /// Where SGLang says so.
    pub sources: &'static [Source],
    /// A plan that breaks it, as a link's query. Left out of WebAssembly.
    pub breaks: &'static str,
    /// A near neighbour that holds it. Left out of WebAssembly.
    pub holds: &'static str,
    /// The function that judges.
    pub check: Check,
}

/// How a rule judges.
pub enum Check {
    /// A step of a server's start-up, by that side's release, on what the earlier steps left.
    Start(fn(&Startup<'_>) -> Judgement),
    /// Once for the pair, by decode's release.
    Pair(fn(&Pair<'_>) -> Judgement),
    /// For each side, by that side's release.
    Side(fn(&Pair<'_>, &Side<'_>) -> Judgement),
    /// By what the transfer does that [`crate::planner::transfer`] follows, with these edits to try.
    Transfer(fn(&Pair<'_>) -> Vec<Fix>),
}

/// What a rule says of a plan.
pub enum Judgement {
    /// The plan holds it, or it does not concern the plan.
    Holds,
    /// It depends on a fact that is missing: the field that would tell.
    Needs(String),
    /// The plan breaks it.
    Breaks(Break),
    /// SGLang changes the server and goes on.
    Sets(Change),
}

/// Settings that a step of the start-up changes.
pub struct Change {
    /// What changes and what for, for those who asked for something else.
    pub message: String,
    /// Fields of the server and their new values.
    pub values: Vec<(&'static str, Value)>,
}

/// How a plan breaks a rule.
pub struct Break {
    /// Where it strikes.
    pub side: Place,
    /// What is wrong, in our words.
    pub message: String,
    /// SGLang's text, to the letter.
    pub error: Option<String>,
    /// The fields at fault.
    pub fields: Vec<String>,
    /// Edits that make the rule hold.
    pub fixes: Vec<Fix>,
}

impl Rule {
    /// The first paragraph of the documentation.
    pub fn summary(&self) -> &'static str {
        self.summary.trim()
    }

    /// The documentation after its first paragraph.
    pub fn why(&self) -> &'static str {
        self.why.trim()
    }

    /// What the rule says of a pair.
    pub fn judge(&'static self, pair: &Pair<'_>) -> Vec<Finding> {
        let judged: Vec<(Place, Judgement)> = match self.check {
            Check::Pair(check) if self.releases.contains(pair.decode.release) => vec![(Place::Both, check(pair))],
            Check::Transfer(fixes) => return transfer::findings(self, pair, fixes),
            Check::Pair(_) | Check::Start(_) => Vec::new(),
            Check::Side(check) => [Role::Prefill, Role::Decode]
                .into_iter()
                .map(|role| pair.side(role))
                .filter(|side| self.releases.contains(side.release))
                .map(|side| (side.role.into(), check(pair, side)))
                .collect(),
        };
        let release = |place: Place| match place {
            Place::Prefill => pair.prefill.release,
            Place::Decode | Place::Both => pair.decode.release,
        };
        let finding = |(place, judgement)| self.finding(release(strikes(&judgement, place)), place, judgement);
        judged.into_iter().filter_map(finding).collect()
    }

    /// What the rule says of a server that starts. A change is told to those who asked for
    /// something else.
    pub fn at_start(&'static self, startup: &Startup<'_>, judgement: Judgement) -> Option<Finding> {
        let side = startup.role.into();
        let judgement = match judgement {
            Judgement::Sets(change) => {
                let told = |(name, value): &&(&'static str, Value)| startup.overrules(name, value);
                let fields: Vec<String> =
                    change.values.iter().filter(told).map(|(name, _)| startup.field(name)).collect();
                if fields.is_empty() {
                    return None;
                }
                Judgement::Breaks(Break { side, message: change.message, error: None, fields, fixes: Vec::new() })
            }
            other => other,
        };
        self.finding(startup.release, side, judgement)
    }

    /// Where a release says so.
    pub fn sources_in(&self, release: Release) -> Vec<LinkedSource> {
        self.sources
            .iter()
            .filter(|source| source.releases.contains(release))
            .map(|source| source.at(release))
            .collect()
    }

    fn finding(&'static self, release: Release, place: Place, judgement: Judgement) -> Option<Finding> {
        let (outcome, found) = match judgement {
            Judgement::Holds | Judgement::Sets(_) => return None,
            Judgement::Needs(field) => (Outcome::Needs, needs(self, place, field)),
            Judgement::Breaks(found) => (self.outcome, found),
        };
        let seen = if outcome == Outcome::Needs { UNDECIDED } else { self.seen };
        Some(Finding {
            rule: self.id,
            stage: self.stage,
            side: found.side,
            outcome,
            error: self.raises.zip(found.error).map(|(kind, message)| SglangError { kind, message }),
            message: found.message,
            why: self.why(),
            seen,
            fields: found.fields,
            fixes: found.fixes,
            evidence: self.evidence,
            sources: self.sources_in(release),
        })
    }
}

/// Where a judgement strikes, if it says so.
fn strikes(judgement: &Judgement, place: Place) -> Place {
    match judgement {
        Judgement::Breaks(found) => found.side,
        Judgement::Holds | Judgement::Needs(_) | Judgement::Sets(_) => place,
    }
}

/// Who sees a rule that could not be decided: nobody yet.
const UNDECIDED: &str = "Only here: with that fact the planner decides it. SGLang has it from the running server.";

fn needs(rule: &Rule, side: Place, field: String) -> Break {
    let message = match rule.check {
        Check::Start(_) => format!("Tell me {field}: without it nobody can say what start-up makes of this."),
        _ => format!("Tell me {field}: without it nobody can say whether this holds: {}", rule.summary()),
    };
    Break { side, message, error: None, fields: vec![field], fixes: Vec::new() }
}

/// A field of the prefill server.
fn prefill(field: &str) -> String {
    format!("{}.{field}", Role::Prefill)
}

/// A field of the decode server.
fn decode(field: &str) -> String {
    format!("{}.{field}", Role::Decode)
}

/// One edit to a size.
fn set_size(title: impl Into<String>, field: String, number: u32) -> Option<Fix> {
    let size = Size::new(i64::from(number))?;
    Some(set(title, field, Value::Number(i64::from(size.number()))))
}

/// One edit.
fn set(title: impl Into<String>, field: String, value: Value) -> Fix {
    Fix { title: title.into(), edits: vec![Edit { field, value }] }
}

/// Writes a rule: `RULE`, from its documentation and metadata.
macro_rules! rule {
    ($(#[doc = $doc:literal])+
     $id:literal, $stage:ident $outcome:ident in $releases:expr, $raises:expr,
     seen: $seen:expr,
     evidence: $evidence:ident, sources: [$(($path:expr, $symbol:literal $(, $held:expr)?)),+ $(,)?],
     breaks: $breaks:literal, holds: $holds:literal,
     $kind:ident($check:expr)
    ) => {
        const DOCS: &str = concat!($($doc, "\n"),+);
        $(#[doc = $doc])+
        pub static RULE: $crate::planner::rules::Rule = {
            use $crate::planner::rules::docs;
            $crate::planner::rules::Rule {
                id: $id,
                summary: $crate::planner::texts::summary(
                    stringify!($kind),
                    docs::text(&const { docs::head::<{ docs::summary_end(DOCS) }>(DOCS) }),
                ),
                why: $crate::planner::texts::outside_verdict(docs::after_summary(DOCS)),
                stage: $crate::planner::report::Stage::$stage,
                outcome: $crate::planner::report::Outcome::$outcome,
                releases: $releases,
                raises: $raises,
                seen: $seen,
                evidence: $crate::planner::report::Evidence::$evidence,
                sources: $crate::planner::texts::outside_verdicts(&[$($crate::planner::report::Source {
                    path: $path,
                    symbol: $symbol,
                    releases: $crate::planner::rules::held!($($held)?),
                }),+]),
                breaks: $crate::planner::texts::outside_wasm($breaks),
                holds: $crate::planner::texts::outside_wasm($holds),
                check: $crate::planner::rules::Check::$kind($check),
            }
        };
    };
}
use rule;

/// The releases of a source: those named, or all that the rule has.
macro_rules! held {
    () => {
        $crate::planner::release::Range::ALL
    };
    ($releases:expr) => {
        $releases
    };
}
use held;

/// Declares a folder's rules and lists them in order.
macro_rules! rules {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+
        /// The folder's rules, in order.
        pub static RULES: &[&super::Rule] = &[$(&$name::RULE),+];
    };
}
use rules;

/// The file of the handshake.
const CONN: &str = "python/sglang/srt/disaggregation/common/conn.py";

/// What an exception in the handshake does, for every rule that raises there.
const DECODE_DIES: &str = "Strikes on the first request that names this prefill, not at start-up: the decode \
    server's scheduler logs the traceback and the whole decode server dies. The warm-up request does not trigger it.";
