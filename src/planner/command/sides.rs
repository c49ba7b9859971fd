//! Starts → the plan's two servers: told apart by their modes, nodes of one server merged,
//! contradictions told.

use super::launch::Launch;
use super::shell::Word;
use super::start::{Gathered, Start};
use crate::planner::catalog::{ModelName, find};
use crate::planner::link::Diagnostic;
use crate::planner::plan::{Plan, Role, Server};
use crate::planner::record::Record;
use crate::planner::release::{NAMES, Release};
use crate::planner::value::Size;

/// The plan of all starts, and the words of each side's first command, its variables before them; what is said is added to what was gathered.
pub fn plan(gathered: &mut Gathered, release: Release) -> (Plan, Vec<(Role, Vec<Word>)>) {
    let mut typed = Vec::new();
    let Gathered { starts, said, .. } = gathered;
    let releases: Vec<Option<Release>> = starts.iter().map(|start| release_of(start, release, said)).collect();
    let release = releases.iter().find_map(|release| *release).unwrap_or(release);
    let mut plan = Plan { release, ..Plan::default() };
    let launches: Vec<Launch> = starts
        .iter()
        .zip(releases)
        .map(|(start, own)| {
            let mut launch = start.read(own.unwrap_or(release), said);
            launch.server.release = own.filter(|own| *own != release);
            launch
        })
        .collect();
    for role in [Role::Prefill, Role::Decode] {
        let own: Vec<&Launch> = launches.iter().filter(|launch| side_of(launch, &launches) == role).collect();
        match own.split_first() {
            Some((first, rest)) => {
                *plan.server_mut(role) = first.server.clone();
                merge(role, first, rest, said);
                name_model(&mut plan, first);
                let start = launches.iter().zip(starts.iter()).find(|(launch, _)| side_of(launch, &launches) == role);
                typed.extend(start.map(|(_, start)| (role, start.words())));
            }
            None if launches.is_empty() => {}
            None => say(said, role.word(), format!("there is no {role} command; its sizes stay at their defaults")),
        }
    }
    if let Some(launch) = launches.iter().find(|launch| launch.role.is_none()) {
        let role = side_of(launch, &launches);
        say(said, "--disaggregation-mode", format!("a command does not say its mode; it was taken as {role}"));
    }
    (plan, typed)
}

/// The release that a start's image names. One that the planner does not know is told.
fn release_of(start: &Start, used: Release, said: &mut Vec<Diagnostic>) -> Option<Release> {
    let image = start.around.image.as_deref()?;
    let version = version(image)?;
    let known = Release::named(version);
    if known.is_none() && !said.iter().any(|earlier| earlier.place == version) {
        let (oldest, newest) = (NAMES.first().copied().unwrap_or_default(), Release::NEWEST);
        let text = format!(
            "SGLang {version} is not a release that the planner knows ({oldest} to {newest}); it was read as {used}"
        );
        said.push(Diagnostic { place: version.to_owned(), line: Some(start.line), message: text });
    }
    known
}

/// The SGLang version in an image's name. A runtime image of Dynamo carries Dynamo's version.
fn version(image: &str) -> Option<&str> {
    if image.contains("-runtime") {
        return None;
    }
    let is_start =
        |at: &usize| !image.get(..*at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
    let (at, _) = image.match_indices("0.").find(|(at, _)| is_start(at))?;
    let version = image.get(at..)?;
    let end = version.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(version.len());
    let version = version.get(..end)?.trim_end_matches('.');
    (version.matches('.').count() > 1).then_some(version)
}

/// The side of a launch. One that does not say its mode is the side that no other is.
fn side_of(launch: &Launch, all: &[Launch]) -> Role {
    let has_prefill = || all.iter().any(|other| other.role == Some(Role::Prefill));
    launch.role.unwrap_or_else(|| if has_prefill() { Role::Decode } else { Role::Prefill })
}

/// Node ranks of one server are one server; anything else is a contradiction.
fn merge(role: Role, first: &Launch, rest: &[&Launch], said: &mut Vec<Diagnostic>) {
    if rest.is_empty() {
        if first.server.nodes > Size::ONE {
            let nodes = first.server.nodes;
            say(said, role.word(), format!("one of {nodes} nodes' commands; the others are taken to be like it"));
        }
        return;
    }
    let differing: Vec<&str> = Server::FIELDS
        .iter()
        .filter(|field| rest.iter().any(|other| (field.read)(&other.server) != (field.read)(&first.server)))
        .map(|field| field.name)
        .collect();
    let ranks: Vec<&str> =
        std::iter::once(&first).chain(rest).filter_map(|launch| launch.node_rank.as_deref()).collect();
    let count = rest.len().saturating_add(1);
    if !differing.is_empty() {
        let text = format!("{count} commands start it and differ in {}; the first one is used", differing.join(", "));
        say(said, role.word(), text);
    } else if ranks.len() == count {
        say(said, role.word(), format!("node ranks {} were merged into one server", ranks.join(", ")));
    } else {
        say(said, role.word(), format!("{count} equal commands were taken as one server"));
    }
}

/// Names the plan's model after a launch: a model of the catalogue by its own name. Where the
/// path says nothing, the name that the model is served under may.
fn name_model(plan: &mut Plan, launch: &Launch) {
    let flag = "--served-model-name";
    let inline = launch.server.extra.iter().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='));
    let served = inline.or(launch.server.extra.iter().skip_while(|word| *word != flag).nth(1).map(String::as_str));
    let Some(path) = launch.model.as_ref() else { return };
    let known = [Some(path.as_str()), served].into_iter().flatten().find_map(|name| {
        let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
        find(name).or_else(|| find(last))
    });
    plan.model = ModelName::Named(known.map_or_else(|| path.clone(), |row| row.name.to_owned()));
}

fn say(said: &mut Vec<Diagnostic>, place: &str, message: impl Into<String>) {
    said.push(Diagnostic::of(place, message));
}
