//! A server as it starts: what SGLang makes of what was asked for.
//!
//! SGLang resolves its settings in a fixed order: each step reads what the earlier ones left,
//! and may refuse the server or quietly change a setting. The rules of `rules/launch` are
//! those steps, in that order; here they are run, from what was asked for to what the
//! handshake will see. A refused server is resolved to the end all the same, so that every
//! later stage can still be judged.
//!
//! Covered are settings that reach topology and PD, on NVIDIA GPUs. A setting that depends on
//! a fact which the plan does not tell, such as the GPU, is left unset.

mod defaults;
mod facts;
mod flags;

pub use facts::{Family, generation};
pub use flags::{Flags, has, of as flags, value, without};

use super::catalog::Model;
use super::plan::{Plan, Role, Server};
use super::record::Record;
use super::release::Release;
use super::report::{Edit, Finding, Fix};
use super::rules::{self, Break, Check, Judgement};
use super::value::Value;
use super::widths::{self, Widths};

/// One server, as far as SGLang has resolved it.
pub struct Startup<'a> {
    /// Which side of the pair it is.
    pub role: Role,
    /// Its `--disaggregation-mode`. `None`: it is launched without, as no side of a plan is.
    pub mode: Option<Role>,
    /// The release that it runs.
    pub release: Release,
    /// The model's facts, if known.
    pub model: Option<&'a Model>,
    /// The server as asked for.
    pub asked: &'a Server,
    /// The server as resolved so far.
    pub server: Server,
    /// The widths of the server as resolved so far.
    pub widths: Widths,
    /// The options that no field of the plan holds.
    pub flags: Flags<'a>,
    /// The fields that a rule set, and that rule's id, in order.
    pub set_by: Vec<(&'static str, &'static str)>,
}

impl<'a> Startup<'a> {
    /// A side of a plan before its first step.
    pub fn of(plan: &'a Plan, role: Role, mode: Option<Role>) -> Startup<'a> {
        let asked = plan.server(role);
        let release = plan.release_of(role);
        let mut startup = Startup {
            role,
            mode,
            release,
            model: plan.model(),
            asked,
            server: asked.clone(),
            widths: widths::of(asked),
            flags: flags::of(&asked.extra, release),
            set_by: Vec::new(),
        };
        for (name, value) in defaults::of(&startup) {
            startup.write(name, &value);
        }
        startup
    }

    /// Takes every step. The server is then what its processes run with, if they run.
    pub fn run(mut self) -> (Startup<'a>, Vec<Finding>) {
        let mut findings = Vec::new();
        for rule in rules::all() {
            let Check::Start(check) = rule.check else { continue };
            if !rule.releases.contains(self.release) {
                continue;
            }
            let judgement = check(&self);
            if let Judgement::Sets(change) = &judgement {
                for (name, value) in &change.values {
                    self.write(name, value);
                    self.set_by.push((*name, rule.id));
                }
            }
            findings.extend(rule.at_start(&self, judgement));
        }
        (self, findings)
    }

    fn write(&mut self, name: &str, value: &Value) {
        if let Some(field) = Server::field(name) {
            // Rules' tests hold every value that a rule sets to its field's type.
            let _ = (field.write)(&mut self.server, value);
            self.widths = widths::of(&self.server);
        }
    }

    /// Whether a field's asked value is overruled by `value`, rather than left to SGLang.
    pub fn overrules(&self, name: &str, value: &Value) -> bool {
        let asked = Server::field(name).map(|field| (field.read)(self.asked));
        asked.is_some_and(|asked| asked != *value && asked != Value::Absent && asked != Value::Text("auto".to_owned()))
    }

    /// Whether it serves decode.
    pub fn is_decode(&self) -> bool {
        self.mode == Some(Role::Decode)
    }

    /// Whether it serves prefill.
    pub fn is_prefill(&self) -> bool {
        self.mode == Some(Role::Prefill)
    }

    /// A field of this side, as a path.
    pub fn field(&self, name: &str) -> String {
        format!("{}.{name}", self.role)
    }

    /// One edit to a field of this side.
    pub fn set(&self, name: &str, value: impl Into<Value>) -> Fix {
        let value = value.into();
        let label = Server::field(name).map_or(name, |field| field.label);
        let title = match &value {
            Value::Flag(true) => format!("Turn {} {label} on", self.role),
            Value::Flag(false) => format!("Turn {} {label} off", self.role),
            Value::Absent => format!("Leave {} {label} to SGLang", self.role),
            value => format!("Set {} {label} to {}", self.role, value.text()),
        };
        Fix { title, edits: vec![Edit { field: self.field(name), value }] }
    }

    /// The edit that leaves options out.
    pub fn without(&self, options: &[&str]) -> Fix {
        let title = format!("Leave {} {} out", self.role, options.join(" "));
        let kept = flags::without(&self.asked.extra, self.release, options);
        Fix { title, edits: vec![Edit { field: self.field("extra"), value: Value::List(kept) }] }
    }

    /// A refusal.
    pub fn refuses(
        &self,
        message: impl Into<String>,
        error: impl Into<String>,
        fields: &[&str],
        fixes: Vec<Fix>,
    ) -> Judgement {
        Judgement::Breaks(Break {
            side: self.role.into(),
            message: message.into(),
            error: Some(error.into()),
            fields: fields.iter().map(|name| self.field(name)).collect(),
            fixes,
        })
    }
}
