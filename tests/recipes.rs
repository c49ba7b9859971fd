//! What people publish, read as the topology that it states: recipes and manifests in every
//! format that the planner reads, and the commands of public reports.
//!
//! `cases/recipes.jsonl` holds parts of published files, each with its source and licence
//! (Apache-2.0, all of them); `cases/commands.jsonl` holds commands of public reports and
//! documents, hosts and paths made neutral. The topologies beside them were worked out from the
//! texts by another program.

#![expect(clippy::expect_used, reason = "a malformed case must fail the test")]

use pd_planner::planner::command::{Format, Reading, read, read_variant};
use pd_planner::planner::plan::{Role, Server};
use pd_planner::planner::release::Release;
use serde_json::Value;

const RECIPES: &str = include_str!("cases/recipes.jsonl");
const COMMANDS: &str = include_str!("cases/commands.jsonl");

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Reads a row, in the variant that it names.
fn reading(row: &Value) -> Reading {
    let first = read(text(row, "raw"), Release::NEWEST);
    let variant = first.variants.iter().position(|name| name == text(row, "selector"));
    variant.map_or(first, |variant| read_variant(text(row, "raw"), Release::NEWEST, variant))
}

/// What differs between a server and the topology that is stated for it. What is not stated, or
/// stated as unknown, does not differ.
fn differences(server: &Server, stated: &Value) -> Vec<String> {
    let sizes = [
        ("tp", server.tp),
        ("pp", server.pp),
        ("attnDp", server.attention_dp),
        ("attnCp", server.attention_cp),
        ("dcp", server.dcp),
    ];
    let differs =
        |name: &str, size: u32| stated.get(name).and_then(Value::as_u64).is_some_and(|n| n != u64::from(size));
    sizes
        .into_iter()
        .filter(|(name, size)| differs(name, size.number()))
        .map(|(name, size)| format!("{name} {size}, not {}", stated.get(name).unwrap_or(&Value::Null)))
        .collect()
}

#[test]
fn every_published_recipe_reads_to_the_topology_that_it_states() {
    let mut wrong = Vec::new();
    for row in rows(RECIPES) {
        let reading = reading(&row);
        for role in [Role::Prefill, Role::Decode] {
            let stated =
                row.get("derived").and_then(|derived| derived.get(role.word())).expect("both sides are stated");
            for difference in differences(reading.plan.server(role), stated) {
                wrong.push(format!("{} {role}: {difference}: {:#?}", text(&row, "id"), reading.said));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_published_recipe_is_of_the_format_that_it_states() {
    for row in rows(RECIPES) {
        let format = match text(&row, "format") {
            "srt-slurm" | "amd-models-yaml" => Format::Recipe,
            "ome" | "k8s-args" | "lws" | "dgd-v1alpha1" | "dgd-v1beta1" => Format::Manifest,
            "python-kwargs" => Format::Python,
            _ => Format::Commands,
        };
        assert_eq!(reading(&row).format, format, "{}", text(&row, "id"));
    }
}

#[test]
fn both_servers_of_every_published_recipe_are_found() {
    for row in rows(RECIPES) {
        let said = reading(&row).said;
        let missing = said.iter().find(|said| said.message.contains("there is no") || said.place == "text");
        assert_eq!(missing, None, "{}", text(&row, "id"));
    }
}

#[test]
fn a_recipe_tells_on_how_many_machines_each_server_runs() {
    for row in
        rows(RECIPES).iter().filter(|row| ["srt-slurm", "amd-models-yaml", "ome", "lws"].contains(&text(row, "format")))
    {
        let plan = reading(row).plan;
        for role in [Role::Prefill, Role::Decode] {
            let pool = row.get("nodes").and_then(|nodes| nodes.get(role.word())).expect("both sides are stated");
            let number = |at: usize| pool.get(at).and_then(Value::as_u64).unwrap_or(1).max(1);
            let nodes = number(0).checked_div(number(1)).unwrap_or(1).max(1);
            assert_eq!(u64::from(plan.server(role).nodes.number()), nodes, "{} {role}", text(row, "id"));
        }
    }
}

#[test]
fn every_published_command_reads_to_its_topology() {
    let mut wrong = Vec::new();
    for row in rows(COMMANDS) {
        let pasted = format!("{}\n{}\n", text(&row, "prefill"), text(&row, "decode"));
        let reading = read(&pasted, Release::NEWEST);
        for role in [Role::Prefill, Role::Decode] {
            let stated =
                row.get("expected").and_then(|expected| expected.get(role.word())).expect("both sides are stated");
            for difference in differences(reading.plan.server(role), stated) {
                wrong.push(format!("{} {role}: {difference}: {:#?}", text(&row, "id"), reading.said));
            }
            let asks = stated.get("tp").is_some_and(Value::is_null);
            if asks && !reading.said.iter().any(|said| said.message.contains("--tp-size needs its value")) {
                wrong.push(format!("{} {role}: an unknown size is not asked for", text(&row, "id")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
