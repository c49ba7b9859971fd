//! One launch command's arguments, read as a release's argparse reads them.

use super::environment::is_secret;
use super::legacy;
use super::options::{Argument, Found, Kind};
use super::print;
use super::refusal::{no_attention_dp, refused_value, turn};
use super::shell::{Command, Word};
use super::typed::{Typed, field_of, options};
use crate::planner::link::Diagnostic;
use crate::planner::plan::{Role, Server};
use crate::planner::record::Record;
use crate::planner::release::Release;
use crate::planner::report::SglangError;
use crate::planner::value::{Kind as ValueKind, Size, Value};
use crate::planner::value_text::encode;

/// A launch command that was read.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Which server it starts; `None` without `--disaggregation-mode`.
    pub role: Option<Role>,
    /// The model that it loads.
    pub model: Option<String>,
    /// Its place among the server's nodes.
    pub node_rank: Option<String>,
    /// The server it asks for.
    pub server: Server,
    /// What SGLang says when it refuses the command line itself.
    pub refused: Option<SglangError>,
    /// What a server says that resolves its settings and then opens its ports.
    pub fails_late: Option<SglangError>,
    /// Whether `--enable-dp-attention` is on.
    dp_attention: bool,
    /// Whether `--dp-size` is 0, which the planner keeps as 1.
    has_no_dp: bool,
    /// Whether `--dist-init-addr` is given.
    has_address: bool,
    /// Words that belong to no option of the release.
    unrecognized: Vec<String>,
}

impl Launch {
    /// Keeps the first of SGLang's refusals: it would not come to a second.
    fn refuse(&mut self, kind: &'static str, message: String) {
        let error = SglangError { kind, message };
        self.refused = self.refused.take().into_iter().chain([error]).min_by_key(turn);
    }
}

/// The words after the launcher, if the command starts an SGLang server.
pub fn arguments(command: &Command) -> Option<&[Word]> {
    let is = |at: usize, text: &str| command.words.get(at).is_some_and(|word| word.text == text);
    let launcher = (0..command.words.len()).find(|at| {
        let after_m = at.checked_sub(1).is_some_and(|before| is(before, "-m"));
        let module = after_m && (is(*at, "sglang.launch_server") || is(*at, "dynamo.sglang"));
        let script = command.words.get(*at).is_some_and(|word| word.text.ends_with("launch_server.py"));
        let serve = at.checked_sub(1).is_some_and(|before| is(before, "sglang")) && is(*at, "serve");
        module || script || serve
    })?;
    command.words.get(launcher.saturating_add(1)..)
}

/// Reads the arguments of one launch.
pub fn read(command: &Command, arguments: &[Word], release: Release, said: &mut Vec<Diagnostic>) -> Launch {
    let mut launch = Launch::default();
    // They are carried before the options, whose values they would become behind one.
    let mut strays = Vec::new();
    for typed in options(arguments, release) {
        match typed {
            Ok(typed) => read_option(&mut launch, &typed, release, said),
            Err(word) => {
                say(said, &word.text, "this word belongs to no option; SGLang refuses it (unrecognized arguments)");
                launch.unrecognized.push(word.text.clone());
                strays.push(word.text.clone());
            }
        }
    }
    launch.server.extra.splice(0..0, strays);
    finish(&mut launch, command, release, said);
    launch
}

fn read_option(launch: &mut Launch, typed: &Typed<'_>, release: Release, said: &mut Vec<Diagnostic>) {
    let Typed { word, name, argument, .. } = typed;
    say_how(typed, release, said);
    if let Found::Ambiguous(strings) = &typed.found {
        let list = strings.join(", ");
        launch.refuse("SystemExit", format!("ambiguous option: {} could match {list}", word.text));
    }
    if typed.inline.is_some() && argument.is_some_and(|argument| argument.kind == Kind::Switch) {
        say(said, &word.text, "SGLang refuses it (ignored explicit argument): this switch takes no value");
    }
    for unknown in typed.values.iter().chain([word]).flat_map(|word| &word.unknown) {
        say(said, unknown, format!("the text does not set this variable; {name} needs its value"));
    }
    match argument {
        Some(argument) => take(launch, **argument, typed, said),
        None => {
            launch.unrecognized.extend([word].into_iter().chain(&typed.values).map(|word| word.text.clone()));
            carry(launch, name, typed);
        }
    }
}

/// Says what the release makes of how an option was typed.
fn say_how(typed: &Typed<'_>, release: Release, said: &mut Vec<Diagnostic>) {
    let name = typed.name;
    match &typed.found {
        Found::Exact(_) | Found::Prefix(_) => {}
        Found::Ambiguous(strings) => {
            let text =
                format!("SGLang {release} refuses it: ambiguous option: {name} could match {}", strings.join(", "));
            say(said, name, text);
        }
        Found::Unknown { before, since } => {
            let history = match (before, since) {
                (Some(before), _) => format!("; {before} was the last release that had it"),
                (None, Some(since)) => format!("; {since} is the first release that has it"),
                (None, None) => "; no release that the planner knows has it".to_owned(),
            };
            say(
                said,
                name,
                format!("SGLang {release} refuses it (unrecognized arguments){history}. It is carried through"),
            );
        }
    }
}

fn take(launch: &mut Launch, argument: Argument, option: &Typed<'_>, said: &mut Vec<Diagnostic>) {
    let (typed, values) = (option.name, option.texts());
    let first = values.first().copied().unwrap_or_default();
    match argument.name {
        "--model-path" => launch.model = Some(first.to_owned()),
        "--node-rank" => launch.node_rank = Some(first.to_owned()),
        "--enable-dp-attention" => launch.dp_attention = true,
        "--dist-init-addr" => launch.has_address = true,
        "--disaggregation-mode" => match first {
            "prefill" => launch.role = Some(Role::Prefill),
            "decode" => launch.role = Some(Role::Decode),
            _ => say(said, typed, format!("\"{first}\" is neither prefill nor decode")),
        },
        name if print::PLACEHOLDERS.contains(&name) => {}
        name if legacy::read(&mut launch.server, name, first) => {}
        name => match field_of(name) {
            Some(field) => write(launch, field, (name, typed), first, said),
            None => carry(launch, name, option),
        },
    }
}

fn write(launch: &mut Launch, field: &str, (name, typed): (&str, &str), text: &str, said: &mut Vec<Diagnostic>) {
    let Some(field) = Server::field(field) else { return };
    let word = if matches!(field.kind, ValueKind::Text(_)) { encode(text) } else { text.to_owned() };
    let written = Value::parse(field.kind, &word).and_then(|value| (field.write)(&mut launch.server, &value));
    let Err(message) = written else { return };
    say(said, typed, format!("{typed} {message}; its default is used"));
    launch.has_no_dp |= field.name == "replicas" && text == "0";
    if let Some((kind, message)) = refused_value(field, name, text) {
        launch.refuse(kind, message);
    }
}

/// Keeps an option that the planner does not judge. A value behind an equals sign stays there: it
/// may look like an option.
fn carry(launch: &mut Launch, name: &str, option: &Typed<'_>) {
    let extra = &mut launch.server.extra;
    match option.inline {
        Some(value) => extra.push(format!("{name}={value}")),
        None => extra.extend([name].iter().chain(&option.texts()).map(|word| (*word).to_owned())),
    }
}

/// What only the whole command tells: which kind of DP `--dp-size` means, and the variables.
fn finish(launch: &mut Launch, command: &Command, release: Release, said: &mut Vec<Diagnostic>) {
    if !launch.unrecognized.is_empty() {
        launch.refuse("SystemExit", format!("unrecognized arguments: {}", launch.unrecognized.join(" ")));
    }
    if launch.dp_attention && launch.has_no_dp && launch.server.attention_dp == Size::ONE {
        let (kind, message) = no_attention_dp(release);
        launch.refuse(kind, message.to_owned());
    }
    let server = &mut launch.server;
    if launch.dp_attention && server.attention_dp == Size::ONE {
        server.attention_dp = std::mem::replace(&mut server.replicas, Size::ONE);
    }
    if server.nodes > Size::ONE && server.attention_dp > Size::ONE && !launch.has_address {
        let text = "attention DP over nodes needs --dist-init-addr; without it SGLang says: Empty address string";
        say(said, "--dist-init-addr", text);
        launch.fails_late = Some(SglangError { kind: "ValueError", message: "Empty address string".to_owned() });
    }
    for (name, value) in &command.env {
        if is_secret(name) {
            say(said, name, "by its name this is a secret; it is not kept in the plan");
        } else {
            server.env.insert(name.clone(), value.clone());
        }
    }
    if launch.model.is_none() {
        say(said, "--model-path", "this command names no model");
    }
}

fn say(said: &mut Vec<Diagnostic>, place: &str, message: impl Into<String>) {
    said.push(Diagnostic::of(place, message));
}
