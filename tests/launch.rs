//! Start-up against recorded answers: of ten releases to chosen commands, of five to random ones
//! (`tests/oracle/launch/vectors.jsonl`, `random.jsonl`).
//!
//! Differences that remain are in `tests/oracle/launch/differences.json`, each with its reason.

use pd_planner::planner::command::launch::{Launch, read};
use pd_planner::planner::command::refusal::turn;
use pd_planner::planner::command::script::words;
use pd_planner::planner::command::shell::{Command, Word};
use pd_planner::planner::command::{commands, print, read as read_text};
use pd_planner::planner::record::Record;
use pd_planner::planner::release::Release;
use pd_planner::planner::report::{Evidence, Outcome, SglangError, Stage};
use pd_planner::planner::rules::{Rule, all};
use pd_planner::planner::startup::Startup;
use pd_planner::planner::{Plan, Role, Server, WithMap, check_with};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const VECTORS: &str = include_str!("oracle/launch/vectors.jsonl");
const RANDOM: &str = include_str!("oracle/launch/random.jsonl");

/// What the planner makes of a command: SGLang's error, and the settings that differ from the defaults.
struct Answer {
    error: Option<SglangError>,
    resolved: Value,
    /// The rules that refused or changed something.
    spoken: Vec<&'static str>,
}

fn launch(argv: &str, env: &Value, release: Release) -> Launch {
    let env = serde_json::from_value(env.clone()).unwrap_or_default();
    read(
        &Command { env, ..Command::default() },
        &words(&format!("--model-path model {argv}"), 1),
        release,
        &mut Vec::new(),
    )
}

fn recorded_launch(vector: &Value, release: Release) -> Launch {
    let argv: Vec<&str> = vector["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    launch(&argv.join(" "), &vector["env"], release)
}

/// The plan that has a launch as the side which it is.
fn plan_of(vector: &Value, release: Release, launch: &Launch) -> Plan {
    let mut plan: Plan = serde_json::from_value(json!({ "model": vector["model"] })).unwrap();
    plan.release = release;
    let server = plan.server_mut(launch.role.unwrap_or(Role::Prefill));
    *server = launch.server.clone();
    server.gpu = vector["gpu"].as_str().map(str::to_owned);
    plan
}

fn answer(vector: &Value, release: Release) -> Answer {
    answer_to(vector, release, recorded_launch(vector, release))
}

fn answer_to(vector: &Value, release: Release, launch: Launch) -> Answer {
    let mode = launch.role;
    let role = mode.unwrap_or(Role::Prefill);
    let plan = plan_of(vector, release, &launch);
    let (startup, findings) = Startup::of(&plan, role, mode).run();
    let refusals = findings.iter().filter(|finding| finding.outcome == Outcome::Rejects).map(|finding| finding.rule);
    let spoken = refusals.chain(startup.set_by.iter().map(|(_, rule)| *rule)).collect();
    let refused = findings.into_iter().find(|finding| finding.outcome == Outcome::Rejects);
    let errors = [launch.refused, refused.and_then(|finding| finding.error), launch.fails_late];
    Answer {
        error: errors.into_iter().flatten().min_by_key(turn),
        resolved: settings(&startup.server, startup.widths.attention_tp),
        spoken,
    }
}

/// A server's settings that differ from the defaults.
fn settings(server: &Server, attention_tp: u32) -> Value {
    let (server, default) = (json!(server), json!(Server::default()));
    let own = ["gpu", "gpusPerNode", "env", "extra", "release", "kvLayout"];
    let fields = Server::FIELDS.iter().map(|field| field.name).filter(|name| !own.contains(name));
    let mut told: BTreeMap<&str, Value> =
        fields.filter(|name| server[name] != default[name]).map(|name| (name, server[name].clone())).collect();
    if attention_tp != 1 {
        told.insert("attentionTp", json!(attention_tp));
    }
    json!(told)
}

/// A message. The options that a prefix could match are in the order in which SGLang defines them,
/// which the planner's table does not have.
fn unordered(message: &Value) -> Vec<&str> {
    let message = message.as_str().unwrap();
    let Some((start, options)) = message.split_once(" could match ") else { return vec![message] };
    let mut words: Vec<&str> = options.split(", ").chain([start]).collect();
    words.sort_unstable();
    words
}

/// How an answer differs from what was recorded; `None` if it does not.
fn difference(answer: &Answer, recorded: &Value) -> Option<String> {
    let expected = &recorded["error"];
    let told = answer.error.as_ref().map(|error| json!({ "type": error.kind, "message": error.message }));
    let same = match (&told, expected.is_null()) {
        (None, true) => true,
        (Some(told), false) => {
            told["type"] == expected["type"] && unordered(&told["message"]) == unordered(&expected["message"])
        }
        (Some(_), true) | (None, false) => false,
    };
    if !same {
        return Some(format!("recorded error {expected}, answered {}", told.unwrap_or_default()));
    }
    let resolved = &recorded["resolved"];
    (!resolved.is_null() && *resolved != answer.resolved)
        .then(|| format!("recorded settings {resolved}, answered {}", answer.resolved))
}

/// The differences over a file of vectors, by command and release, and the number of answers.
fn differences(vectors: &str) -> (BTreeMap<String, String>, usize) {
    let mut differing = BTreeMap::new();
    let mut count = 0;
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        for group in vector["answers"].as_array().unwrap() {
            for release in group["releases"].as_array().unwrap() {
                let release = Release::named(release.as_str().unwrap()).unwrap();
                count += 1;
                if let Some(difference) = difference(&answer(&vector, release), &group["answer"]) {
                    differing.insert(format!("{} {release}", vector["id"].as_str().unwrap()), difference);
                }
            }
        }
    }
    (differing, count)
}

#[test]
fn every_rule_of_the_start_that_claims_to_be_executed_speaks_on_a_recorded_command() {
    let mut spoken = BTreeSet::new();
    for line in VECTORS.lines().chain(RANDOM.lines()) {
        let vector: Value = serde_json::from_str(line).unwrap();
        for group in vector["answers"].as_array().unwrap() {
            let release = Release::named(group["releases"][0].as_str().unwrap()).unwrap();
            spoken.extend(answer(&vector, release).spoken);
        }
    }
    let of_transfer = |rule: &&Rule| rule.sources.iter().any(|source| source.path.contains("/disaggregation/"));
    let silent: Vec<&str> = all()
        .filter(|rule| rule.evidence == Evidence::Executed && rule.stage == Stage::Launch && !of_transfer(rule))
        .map(|rule| rule.id)
        .filter(|id| !spoken.contains(id))
        .collect();
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn recorded_launches_are_answered_as_sglang_answered_them() {
    let (mut differing, count) = differences(VECTORS);
    let (random, random_count) = differences(RANDOM);
    let few = |differing: usize, count: usize| {
        assert!(differing * 50 <= count, "{differing} of {count} answers differ, more than 2 %");
    };
    few(differing.len(), count);
    few(random.len(), random_count);
    differing.extend(random);
    let known: BTreeMap<String, String> = serde_json::from_str(include_str!("oracle/launch/differences.json")).unwrap();
    let is_known = |place: &str| known.keys().any(|start| place.starts_with(start.as_str()));
    let new: Vec<String> = differing
        .iter()
        .filter(|(place, _)| !is_known(place))
        .map(|(place, text)| format!("{place}: {text}"))
        .collect();
    assert!(new.is_empty(), "{} answers differ:\n{}", new.len(), new.join("\n"));
    for start in known.keys() {
        assert!(differing.keys().any(|place| place.starts_with(start)), "{start} no longer differs; take it out");
    }
    assert_eq!((count, random_count), (2170, 1250));
}

/// What `scripts/launch-oracle` reads: differences from a file of fresh vectors, one a line.
#[test]
#[ignore = "needs vectors in PD_ORACLE_FILE; scripts/launch-oracle makes them"]
fn fresh_launches_are_answered_as_sglang_answers_them() {
    let vectors = std::fs::read_to_string(std::env::var("PD_ORACLE_FILE").unwrap()).unwrap();
    let (differing, count) = differences(&vectors);
    for (place, text) in &differing {
        println!("{place}: {text}");
    }
    println!("oracle: {} of {count} answers differ", differing.len());
    assert!(differing.len() * 50 <= count, "more than 2 % of the answers differ");
}

#[test]
fn recorded_commands_printed_anew_are_the_same_plan_and_are_answered_alike() {
    let mut differing = BTreeSet::new();
    let mut count = 0;
    for line in VECTORS.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        for release in
            vector["answers"].as_array().unwrap().iter().flat_map(|group| group["releases"].as_array().unwrap())
        {
            let release = Release::named(release.as_str().unwrap()).unwrap();
            let first = recorded_launch(&vector, release);
            // A plan has no side without a mode.
            let Some(role) = first.role else { continue };
            let plan = plan_of(&vector, release, &first);
            let printed = print::words(&plan, role, 0).concat();
            let printed: Vec<Word> = printed.into_iter().map(|word| Word::of(word, 1)).collect();
            let again = read(&Command::default(), &printed, release, &mut Vec::new());
            assert_eq!(again.server, first.server, "{line} {release}");
            let text = commands(&plan);
            let mut reread = read_text(&[text.prefill, text.decode].concat().join("\n"), release).plan;
            reread.server_mut(role).gpu = plan.server(role).gpu.clone();
            reread.model = plan.model.clone();
            assert_eq!(check_with(&reread, WithMap::No).findings, check_with(&plan, WithMap::No).findings);
            assert_eq!(reread, plan, "{line} {release}");
            count += 1;
            let [first, again] = [first, again].map(|launch| answer_to(&vector, release, launch));
            if (first.error, first.resolved) != (again.error, again.resolved) {
                differing.insert(vector["id"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(count, 800);
    // A plan has no transfer backend that SGLang does not know; reading says so.
    assert_eq!(differing, BTreeSet::from(["decode-bogus", "prefill-bogus"].map(str::to_owned)));
}
