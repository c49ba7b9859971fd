//! Plans: one prefill and one decode server, a model, a release, the traffic.
//!
//! These are the types of the contract's JSON; a server's own are in `server.rs`. They hold what was asked for, not what
//! SGLang makes of it: that is in `layout/` and `rules/`. A plan can name topologies that
//! no SGLang accepts; that is what the planner is for. What no plan may be is in
//! [`Plan::problem`].

pub use super::server::{AllocationPolicy, Server, TransferBackend};

use super::catalog::{Model, ModelName};
use super::json::{FromJson, Json, from_object, record};
use super::record::{self, Record};
use super::release::Release;
use super::value::{FieldType, Kind, LIMIT, Size, Value, words};
use serde::{Deserialize, Deserializer, Serialize, de::Error};

/// A prefill and a decode server, a model, a release, and the traffic to size for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The SGLang release that both sides run.
    pub release: Release,
    /// The model, by its catalogue name or described.
    pub model: ModelName,
    /// The server that reads prompts and builds the KV cache.
    pub prefill: Server,
    /// The server that pulls the KV cache and writes answers.
    pub decode: Server,
    /// What to size for.
    pub traffic: Traffic,
}

record::record! {
    /// What to size a plan for.
    Traffic {
        /// The tokens of one request's prompt.
        prompt_tokens: Tokens = Tokens(4096), "promptTokens" "tokens" "Prompt tokens" [];
        /// The speed of each GPU's network, in gigabits a second.
        network_gbps: Size = Size::new(400).unwrap_or(Size::ONE), "networkGbps" "gbps" "Network, Gb/s a GPU" [];
    }
}

from_object!(Plan { "release" => release, "model" => model, "prefill" => prefill, "decode" => decode, "traffic" => traffic });

impl FromJson for Server {
    fn from_json(json: &Json, place: &str) -> Result<Self, Problem> {
        record(json, place)
    }
}

impl FromJson for Traffic {
    fn from_json(json: &Json, place: &str) -> Result<Self, Problem> {
        record(json, place)
    }
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Plan::from_json(&Json::deserialize(deserializer)?, "").map_err(D::Error::custom)
    }
}

/// A number of tokens, from 1 to 2³¹ − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tokens(u32);

impl Tokens {
    /// The number, if it is one from 1 to 2³¹ − 1.
    pub fn new(number: u32) -> Option<Tokens> {
        (1..=i32::MAX.unsigned_abs()).contains(&number).then_some(Tokens(number))
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl FieldType for Tokens {
    const KIND: Kind = Kind::Number;
    fn to_value(&self) -> Value {
        Value::Number(self.0.into())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        u32::from_value(value)
            .ok()
            .and_then(Tokens::new)
            .ok_or_else(|| format!("must be a whole number from 1 to {}", i32::MAX))
    }
}

impl FieldType for Release {
    const KIND: Kind = Kind::Text(super::release::NAMES);
    fn to_value(&self) -> Value {
        Value::Text(self.name().to_owned())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Text(name) => Release::named(name).ok_or_else(|| super::release::unknown(name)),
            _ => Err("must name a release".to_owned()),
        }
    }
}

impl Default for Release {
    fn default() -> Self {
        Release::NEWEST
    }
}

words! {
    /// One of the two servers.
    Role {
        /// Reads the prompt, builds the KV cache.
        Prefill = "prefill",
        /// Pulls the KV cache, writes the answer.
        Decode = "decode",
    }
}

/// Why something is no plan at all: the field and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, such as `prefill.tp`.
    pub field: String,
    /// What is wrong with it, and what would fit.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl Plan {
    /// The server of a role.
    pub fn server(&self, role: Role) -> &Server {
        match role {
            Role::Prefill => &self.prefill,
            Role::Decode => &self.decode,
        }
    }

    /// The server of a role, to change.
    pub fn server_mut(&mut self, role: Role) -> &mut Server {
        match role {
            Role::Prefill => &mut self.prefill,
            Role::Decode => &mut self.decode,
        }
    }

    /// The release that a side runs.
    pub fn release_of(&self, role: Role) -> Release {
        self.server(role).release.unwrap_or(self.release)
    }

    /// The model's facts, if the catalogue has it or the plan describes it.
    pub fn model(&self) -> Option<&Model> {
        self.model.facts()
    }

    /// Why this is no plan: one side has more ranks than the planner looks at.
    pub fn problem(&self) -> Option<Problem> {
        [Role::Prefill, Role::Decode].into_iter().find_map(|role| {
            let server = self.server(role);
            let ranks = server.ranks();
            (ranks > u64::from(LIMIT)).then(|| Problem {
                field: format!("{role}.tp"),
                message: format!(
                    "TP {} × PP {} × replicas {} is {ranks} ranks; the limit is {LIMIT} ranks a side",
                    server.tp, server.pp, server.replicas
                ),
            })
        })
    }

    /// Writes a value into the field that `path` names, such as `prefill.attentionCp`.
    ///
    /// # Errors
    /// When there is no such field, or the value does not fit it.
    pub fn write(&mut self, path: &str, value: &Value) -> Result<(), Problem> {
        let problem = |message: String| Problem { field: path.to_owned(), message };
        let no_field = || problem("there is no such field".to_owned());
        let fits = match path.split_once('.') {
            Some(("prefill", name)) => {
                let field = Server::field(name).ok_or_else(no_field)?;
                (field.write)(&mut self.prefill, value)
            }
            Some(("decode", name)) => {
                let field = Server::field(name).ok_or_else(no_field)?;
                (field.write)(&mut self.decode, value)
            }
            Some(("traffic", name)) => {
                let field = Traffic::field(name).ok_or_else(no_field)?;
                (field.write)(&mut self.traffic, value)
            }
            Some(("model", name)) => {
                let field = Model::field(name).ok_or_else(no_field)?;
                let mut facts = self.model().cloned().unwrap_or_default();
                let written = (field.write)(&mut facts, value);
                self.model = ModelName::Described(facts.into());
                written
            }
            _ => match (path, value) {
                ("release", value) => Release::from_value(value).map(|release| self.release = release),
                ("model", Value::Text(name)) => {
                    self.model = ModelName::Named(name.clone());
                    Ok(())
                }
                _ => return Err(no_field()),
            },
        };
        fits.map_err(problem)
    }
}
