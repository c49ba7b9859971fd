//! What the planner answers: a report of findings, a verdict, and the rank map.

use super::map::Map;
use super::plan::{Plan, Role};
use super::release::{Range, Release};
use super::value::{Value, words};
use super::widths::Widths;
use serde::Serialize;

/// The answer to a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The plan's worst outcome.
    pub verdict: Verdict,
    /// The verdict in one sentence.
    pub headline: String,
    /// What the rules say, in the order in which a person would meet it.
    pub findings: Vec<Finding>,
    /// What follows from the prefill server's sizes.
    pub prefill: Widths,
    /// What follows from the decode server's sizes.
    pub decode: Widths,
    /// What start-up makes of settings, where that is not what the plan says; known from 0.5.15 on.
    pub resolved: Vec<Edit>,
    /// The rank map, unless the handshake stops before there is one.
    pub map: Option<Map>,
}

words! {
    /// A plan's worst outcome.
    Verdict {
        /// Nothing known speaks against it.
        Accepted = "accepted",
        /// It works, and SGLang or the planner has a warning.
        AcceptedWithWarnings = "acceptedWithWarnings",
        /// SGLang accepts the pair; then a request fails, hangs or is answered from wrong data.
        BreaksLater = "breaksLater",
        /// A server refuses to start, or the handshake raises.
        Rejected = "rejected",
        /// A fact is missing that could change the answer.
        Unknown = "unknown",
    }
}

words! {
    /// When something strikes.
    Stage {
        /// A server starts.
        Launch = "launch",
        /// Prefill ranks register at the bootstrap server.
        Registration = "registration",
        /// Decode compares what prefill published with itself.
        Handshake = "handshake",
        /// Decode works out which ranks to connect to.
        Mapping = "mapping",
        /// Decode ranks look prefill ranks up and register with them.
        Connection = "connection",
        /// KV moves.
        Transfer = "transfer",
        /// A request is sent to a DP rank.
        Routing = "routing",
    }
}

words! {
    /// What a finding means for the plan.
    Outcome {
        /// A server refuses to start, or the handshake raises.
        Rejects = "rejects",
        /// Requests fail.
        Fails = "fails",
        /// Requests hang until a time-out.
        Hangs = "hangs",
        /// Answers are computed from wrong data.
        Corrupts = "corrupts",
        /// It works, with a warning.
        Warns = "warns",
        /// Good to know.
        Notes = "notes",
        /// A fact is missing.
        Needs = "needs",
    }
}

words! {
    /// How a rule is known to be true.
    Evidence {
        /// A test compares it with SGLang's own code.
        Executed = "executed",
        /// Found in the source at a named place.
        Read = "read",
        /// A public report confirms it.
        Reported = "reported",
    }
}

/// One rule's word on a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// When it strikes.
    pub stage: Stage,
    /// Where it strikes.
    pub side: Place,
    /// What it means for the plan.
    pub outcome: Outcome,
    /// SGLang's own error, to the letter.
    pub error: Option<SglangError>,
    /// What is wrong, in our words.
    pub message: String,
    /// Why SGLang behaves so.
    pub why: &'static str,
    /// Who sees what, and when.
    pub seen: &'static str,
    /// The fields at fault, such as `decode.dcp`.
    pub fields: Vec<String>,
    /// Edits that make the rule hold.
    pub fixes: Vec<Fix>,
    /// How the rule is known to be true.
    pub evidence: Evidence,
    /// Where SGLang says so.
    pub sources: Vec<LinkedSource>,
}

words! {
    /// Where a finding strikes.
    Place {
        /// The prefill server.
        Prefill = "prefill",
        /// The decode server.
        Decode = "decode",
        /// Both.
        Both = "both",
    }
}

impl From<Role> for Place {
    fn from(role: Role) -> Place {
        match role {
            Role::Prefill => Place::Prefill,
            Role::Decode => Place::Decode,
        }
    }
}

/// An error that SGLang itself raises or logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SglangError {
    /// The Python exception.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its text, without the tuple or the traceback around it.
    pub message: String,
}

/// Edits that make a rule hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fix {
    /// What it does and what it costs.
    pub title: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// A new value for a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edit {
    /// The field, such as `prefill.attentionCp`.
    pub field: String,
    /// Its new value.
    pub value: Value,
}

impl Fix {
    /// The plan after the edits.
    ///
    /// # Errors
    /// When an edit names no field or does not fit it, which the rules' tests exclude.
    pub fn apply(&self, plan: &Plan) -> Result<Plan, super::plan::Problem> {
        let mut plan = plan.clone();
        for edit in &self.edits {
            plan.write(&edit.field, &edit.value)?;
        }
        Ok(plan)
    }
}

/// A place in SGLang's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The file, in the repository.
    pub path: &'static str,
    /// The function or class.
    pub symbol: &'static str,
    /// The releases that have it there.
    pub releases: Range,
}

/// A place in SGLang's source, at the release that a report is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkedSource {
    /// The repository.
    pub repository: &'static str,
    /// The release's tag.
    pub tag: String,
    /// The file.
    pub path: &'static str,
    /// The function or class.
    pub symbol: &'static str,
    /// Where to read it.
    pub url: String,
}

impl Source {
    /// The place in a release.
    pub fn at(self, release: Release) -> LinkedSource {
        let repository = "sgl-project/sglang";
        let tag = format!("v{release}");
        let url = format!("https://github.com/{repository}/blob/{tag}/{}", self.path);
        LinkedSource { repository, tag, path: self.path, symbol: self.symbol, url }
    }
}
