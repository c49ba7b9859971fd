//! Holds the planner's answers against those of released SGLang wheels.
//!
//! `tests/oracle/vectors` has plans and what each release made of them, recorded from the
//! wheels' own code; `tests/oracle/README.md` says how. With `PD_ORACLE_FILE` set, the first
//! test reads that file instead, which is how `scripts/oracle` asks about fresh plans.

#![expect(clippy::expect_used, reason = "a vector that cannot be read must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an absent field of a JSON value reads as null")]

use pd_planner::planner::{Plan, check};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::{env, fs, thread};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/vectors");
const PRINTED: usize = 6;
const LEAST_PAIRS: usize = 500;

/// One plan's answer from one release, and where ours differs.
struct Difference {
    plan: Value,
    release: String,
    field: String,
    ours: Value,
    sglang: Value,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.field, self.release)?;
        writeln!(f, "  plan:   {}", self.plan)?;
        writeln!(f, "  ours:   {}", self.ours)?;
        writeln!(f, "  SGLang: {}", self.sglang)
    }
}

/// Collects differences of one plan and release.
struct Comparison<'a> {
    plan: &'a Value,
    release: &'a str,
    found: Vec<Difference>,
}

impl Comparison<'_> {
    fn equal(&mut self, field: &str, ours: impl Into<Value>, sglang: impl Into<Value>) {
        let (ours, sglang) = (ours.into(), sglang.into());
        if ours != sglang {
            self.found.push(Difference {
                plan: self.plan.clone(),
                release: self.release.to_owned(),
                field: field.to_owned(),
                ours,
                sglang,
            });
        }
    }
}

/// Our report's findings.
struct Findings<'a>(&'a [Value]);

impl<'a> Findings<'a> {
    fn of(report: &'a Value) -> Self {
        Findings(items(&report["findings"]))
    }

    fn at(&self, stage: &str, outcome: &str) -> impl Iterator<Item = &'a Value> {
        self.0.iter().filter(move |one| one["stage"] == stage && one["outcome"] == outcome)
    }

    /// The error of the first finding of that stage and outcome, or null.
    fn first_error(&self, stage: &str, outcome: &str) -> Value {
        self.at(stage, outcome).next().map_or(Value::Null, |one| one["error"].clone())
    }
}

#[test]
fn every_recorded_answer_of_sglang_is_ours() {
    let vectors = vectors();
    let texts = request_failures(&vectors);
    let size = vectors.len().div_ceil(thread::available_parallelism().map_or(1, usize::from)).max(1);
    let differences: Vec<Difference> = thread::scope(|scope| {
        let parts: Vec<_> = vectors
            .chunks(size)
            .map(|part| scope.spawn(|| part.iter().flat_map(|one| compare_vector(one, &texts)).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a plan panics")).collect()
    });
    let answers: usize = vectors.iter().map(|vector| releases_of(vector).count()).sum();
    println!("oracle: {} pairs, {answers} answers, {} differences", vectors.len(), differences.len());
    assert!(!vectors.is_empty(), "there are no vectors");
    assert!(differences.is_empty(), "{}", summary(&differences));
}

#[test]
fn a_decode_server_reads_what_another_release_publishes_as_sglang_does() {
    let table = read(&Path::new(VECTORS).join("skew.json"));
    let table: Value = serde_json::from_str(&table).expect("skew.json is JSON");
    let releases: Vec<&str> = texts(&table["releases"]).collect();
    let mut differences = Vec::new();
    for (variant, plan) in table["variants"].as_object().expect("skew.json has variants") {
        for prefill in &releases {
            for decode in &releases {
                let broken = items(&table["broken"]).iter().find(|one| {
                    one["variant"] == variant.as_str()
                        && texts(&one["prefill"]).any(|name| name == *prefill)
                        && texts(&one["decode"]).any(|name| name == *decode)
                });
                let mut plan = plan.clone();
                plan["prefill"]["release"] = json!(prefill);
                plan["decode"]["release"] = json!(decode);
                differences.extend(compare_skew(&plan, decode, broken.unwrap_or(&Value::Null)));
            }
        }
    }
    assert!(!releases.is_empty(), "skew.json names no release");
    assert!(differences.is_empty(), "{}", summary(&differences));
}

#[test]
fn every_release_has_answered_at_least_500_pairs() {
    let vectors = committed_vectors();
    let mut pairs: BTreeMap<&str, usize> = BTreeMap::new();
    for release in vectors.iter().flat_map(releases_of) {
        let count = pairs.entry(release).or_default();
        *count = count.saturating_add(1);
    }
    assert!(!pairs.is_empty(), "there are no vectors");
    assert!(pairs.values().all(|count| *count >= LEAST_PAIRS), "{pairs:?}");
}

#[test]
fn every_rule_that_claims_to_be_executed_speaks_on_a_recorded_pair() {
    let mut plans: Vec<Value> = Vec::new();
    for vector in committed_vectors() {
        for release in releases_of(&vector) {
            let mut plan = vector["plan"].clone();
            plan["release"] = json!(release);
            plans.push(plan);
        }
    }
    let skew: Value = serde_json::from_str(&read(&Path::new(VECTORS).join("skew.json"))).expect("skew.json is JSON");
    let mut plan = skew["variants"]["plain"].clone();
    plan["prefill"]["release"] = skew["broken"][0]["prefill"][0].clone();
    plan["decode"]["release"] = skew["broken"][0]["decode"][0].clone();
    plans.push(plan);
    let spoken: BTreeSet<String> = plans
        .iter()
        .filter_map(|plan| report(plan).ok())
        .flat_map(|report| items(&report["findings"]).to_vec())
        .filter(|finding| finding["evidence"] == "executed" && finding["outcome"] != "needs")
        .filter_map(|finding| finding["rule"].as_str().map(str::to_owned))
        .collect();
    let claimed: BTreeSet<String> = pd_planner::planner::rules::all()
        .filter(|rule| rule.evidence == pd_planner::planner::report::Evidence::Executed)
        // What a start-up refuses or changes is recorded by command: tests/launch.rs; transfers: tests/transfer.rs.
        .filter(|rule| !is_of_the_start(rule) && rule.stage != pd_planner::planner::report::Stage::Transfer)
        .map(|rule| rule.id.to_owned())
        .collect();
    let missing: Vec<&String> = claimed.difference(&spoken).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Whether a rule is told by the start-up alone, before a server makes its KV manager.
fn is_of_the_start(rule: &pd_planner::planner::rules::Rule) -> bool {
    let of_transfer = |source: &pd_planner::planner::report::Source| source.path.contains("/disaggregation/");
    rule.stage == pd_planner::planner::report::Stage::Launch && !rule.sources.iter().any(of_transfer)
}

fn vectors() -> Vec<Value> {
    env::var_os("PD_ORACLE_FILE").map_or_else(committed_vectors, |file| lines(&PathBuf::from(file)))
}

fn committed_vectors() -> Vec<Value> {
    let folder = fs::read_dir(VECTORS).expect("tests/oracle/vectors can be read");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    files.iter().flat_map(|file| lines(file)).collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a vector file can be read")
}

fn lines(file: &Path) -> Vec<Value> {
    read(file).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map_or(&[], Vec::as_slice)
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    items(list).iter().filter_map(Value::as_str)
}

fn releases_of(vector: &Value) -> impl Iterator<Item = &str> {
    items(&vector["answers"]).iter().flat_map(|group| texts(&group["releases"]))
}

/// The recorded texts of requests that fail before any look-up.
fn request_failures(vectors: &[Value]) -> BTreeSet<String> {
    vectors
        .iter()
        .flat_map(|vector| items(&vector["answers"]))
        .flat_map(|group| items(&group["answer"]["ranks"]))
        .filter_map(|rank| rank[10].as_str().map(str::to_owned))
        .collect()
}

/// Our report on a plan, as JSON.
fn report(plan: &Value) -> Result<Value, String> {
    let plan: Plan = serde_json::from_value(plan.clone()).map_err(|error| error.to_string())?;
    serde_json::to_value(check(&plan)).map_err(|error| error.to_string())
}

fn compare_vector(vector: &Value, failures: &BTreeSet<String>) -> Vec<Difference> {
    let mut found = Vec::new();
    for group in items(&vector["answers"]) {
        for release in texts(&group["releases"]) {
            let mut plan = vector["plan"].clone();
            plan["release"] = json!(release);
            let mut comparison = Comparison { plan: &plan, release, found: Vec::new() };
            match report(&plan) {
                Ok(ours) => compare(&mut comparison, &ours, &group["answer"], failures),
                Err(error) => comparison.equal("report", error, Value::Null),
            }
            found.append(&mut comparison.found);
        }
    }
    found
}

fn compare(to: &mut Comparison<'_>, ours: &Value, answer: &Value, failures: &BTreeSet<String>) {
    let (findings, rejected) = (Findings::of(ours), &answer["rejected"]);
    let error = json!({ "type": rejected["type"], "message": rejected["message"] });
    match rejected["stage"].as_str() {
        None => {
            to.equal("handshake error", findings.first_error("handshake", "rejects"), Value::Null);
            to.equal("map is null", ours["map"].is_null(), false);
            compare_map(to, &ours["map"], answer);
            compare_requests(to, &findings, answer, failures);
        }
        Some("handshake") => {
            to.equal("handshake error", findings.first_error("handshake", "rejects"), error);
            to.equal("map is null", ours["map"].is_null(), true);
        }
        Some(_) => {
            let mut refusals = findings.at("launch", "rejects").chain(findings.at("registration", "rejects"));
            if !refusals.any(|finding| finding["error"] == error) {
                to.equal("start error", Value::Null, rejected.clone());
            }
        }
    }
}

const RANK_FIELDS: [&str; 10] = [
    "ppRank",
    "tpRank",
    "targetTpRank",
    "targetTpRanks",
    "targetCpRanks",
    "targetPpRanks",
    "requiredDstInfoNum",
    "requiredPrefillResponseNum",
    "peers",
    "missing",
];

fn compare_map(to: &mut Comparison<'_>, map: &Value, answer: &Value) {
    let (ours, sglang) = (items(&map["decodeRanks"]), items(&answer["ranks"]));
    to.equal("number of decodeRanks", ours.len(), sglang.len());
    let mut connections = Vec::new();
    for (ours, sglang) in ours.iter().zip(sglang) {
        let peers: Vec<Value> = items(&sglang[8]).iter().map(peer).collect();
        // A request that fails before any look-up has its text there too, and no peers.
        let missing = if sglang[9].is_null() { &sglang[10] } else { &sglang[9] };
        for (place, field) in RANK_FIELDS.into_iter().enumerate() {
            match field {
                "peers" => to.equal("decodeRanks.peers", ours[field].clone(), peers.clone()),
                "missing" => to.equal("decodeRanks.missing", ours[field].clone(), missing.clone()),
                _ => to.equal(&format!("decodeRanks.{field}"), ours[field].clone(), sglang[place].clone()),
            }
        }
        connections.extend(peers.iter().map(|peer| connection(peer, sglang)));
    }
    let ours: Vec<Value> = items(&map["connections"]).iter().map(ends).collect();
    to.equal("connections", ours, connections);
}

/// A recorded peer in the planner's JSON.
fn peer(recorded: &Value) -> Value {
    json!({ "cp": recorded[0], "tp": recorded[1], "pp": recorded[2], "dummy": recorded[3] == 1 })
}

/// The connection between a peer and a recorded decode rank.
fn connection(peer: &Value, rank: &Value) -> Value {
    json!({
        "prefill": { "pp": peer["pp"], "cp": peer["cp"], "tp": peer["tp"] },
        "decode": { "pp": rank[0], "tp": rank[1] },
        "dummy": peer["dummy"],
    })
}

/// One of our connections without what travels over it.
fn ends(connection: &Value) -> Value {
    json!({
        "prefill": connection["prefill"],
        "decode": connection["decode"],
        "dummy": connection["dummy"],
    })
}

/// Whether requests fail or hang where SGLang's do.
fn compare_requests(to: &mut Comparison<'_>, findings: &Findings<'_>, answer: &Value, failures: &BTreeSet<String>) {
    let recorded: BTreeSet<&str> = items(&answer["ranks"]).iter().filter_map(|rank| rank[10].as_str()).collect();
    let ours: BTreeSet<&str> = findings
        .at("connection", "fails")
        .filter_map(|finding| finding["error"]["message"].as_str())
        .filter(|text| failures.contains(*text))
        .collect();
    to.equal("request failure", json!(ours), json!(recorded));
    for (waiting, side) in [("starved", "prefill"), ("short", "decode")] {
        if let Some(ranks) = answer[waiting].as_array() {
            let hangs = findings.at("connection", "hangs").any(|finding| finding["side"] == side);
            to.equal(&format!("{side} hangs"), hangs, !ranks.is_empty());
        }
    }
}

fn compare_skew(plan: &Value, decode: &str, broken: &Value) -> Vec<Difference> {
    let mut to = Comparison { plan, release: decode, found: Vec::new() };
    match report(plan) {
        Ok(ours) => {
            let findings = Findings::of(&ours);
            let unread = findings.first_error("handshake", "fails")["message"].clone();
            to.equal("unparsable", unread, broken["unparsable"].clone());
            if broken["unparsable"].is_null() {
                let raised = findings.first_error("handshake", "rejects");
                to.equal("handshake error", raised, broken["raises"].clone());
            }
        }
        Err(error) => to.equal("report", error, Value::Null),
    }
    to.found
}

/// How many differences there are, in which fields, and the first few in full.
fn summary(differences: &[Difference]) -> String {
    let mut fields: BTreeMap<&str, usize> = BTreeMap::new();
    for difference in differences {
        let count = fields.entry(&difference.field).or_default();
        *count = count.saturating_add(1);
    }
    let first: String = differences.iter().take(PRINTED).map(|one| format!("\n{one}")).collect();
    format!("{} differences: {fields:?}\n{first}", differences.len())
}
