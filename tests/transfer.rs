//! Whole transfers of the released backends, recorded (`tests/oracle/transfer/vectors.jsonl`), against
//! the planner's word on each.

#[path = "common/mod.rs"]
mod common;

use pd_planner::planner::catalog::Attention;
use pd_planner::planner::check;
use pd_planner::planner::layers;
use pd_planner::planner::pair::Pair;
use pd_planner::planner::plan::{Server, TransferBackend};
use pd_planner::planner::quantity::Bytes;
use pd_planner::planner::release::Release;
use pd_planner::planner::report::{Evidence, Stage, Verdict};
use pd_planner::planner::rules::{Rule, all};
use pd_planner::planner::transfer::{At, End, State, Tensor, Transfer, carried, judge};
use pd_planner::planner::value::{FieldType, Size};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The request of every recorded transfer, as `tests/oracle/transfer/ranks.py` has it.
const TOKENS: u32 = 8;
const PAGE_SIZE: u32 = 2;
const HEAD_BYTES: u32 = 32;
/// States that are cut by heads in a pool of heads.
const BY_HEADS: [&str; 3] = ["swa", "block_scale", "block_scale_swa"];

fn number(case: &Value, name: &str, default: u32) -> u32 {
    case[name].as_u64().map_or(default, |number| u32::try_from(number).unwrap())
}

fn sizes(value: &Value, layers: u32, pp: u32) -> Vec<u32> {
    match value.as_array() {
        Some(sizes) => sizes.iter().map(|size| u32::try_from(size.as_u64().unwrap()).unwrap()).collect(),
        None => {
            let server = Server { pp: Size::new(pp.into()).unwrap(), ..Server::default() };
            layers::of(&server, layers).unwrap().iter().map(|stage| stage.end - stage.start).collect()
        }
    }
}

/// States in pages lie in the stages of the KV, where both have as many layers.
fn state_stages(case: &Value, state: &Value) -> Vec<u32> {
    let layers = number(state, "layers", 2);
    let follows = state["type"] != "mamba" && layers == number(case, "layers", 4);
    sizes(if follows { &case["prefill_split"] } else { &Value::Null }, layers, number(case, "prefill_pp", 1))
}

fn transfer(case: &Value, release: Release) -> Transfer {
    let layers = number(case, "layers", 4);
    let end = |side: &str| {
        let name = |what: &str| format!("{side}_{what}");
        let pp = number(case, &name("pp"), 1);
        End {
            tp: number(case, &name("tp"), 1),
            cp: number(case, &name("cp"), 1),
            dcp: number(case, &name("dcp"), 1),
            stages: sizes(&case[name("split")], layers, pp),
            draft: number(case, &name("draft"), 0),
        }
    };
    let state = &case["state"];
    let is_by_heads = case["pool"].is_null() && state["type"].as_str().is_some_and(|kind| BY_HEADS.contains(&kind));
    let states = state.is_object().then(|| State {
        kind: state["type"].as_str().unwrap().to_owned(),
        stages: state_stages(case, state),
        has_layer_ids: state["layer_ids"] == true,
        has_dims: state["dims"] != false,
        tensors: state["tensors"].as_array().map_or_else(Vec::new, |tensors| tensors.iter().map(tensor).collect()),
        items: if matches!(state["type"].as_str(), Some("c128_state" | "request_row")) {
            1
        } else {
            TOKENS / PAGE_SIZE
        },
        item_bytes: Bytes::new((HEAD_BYTES * PAGE_SIZE).into()).times(if is_by_heads { 2u64 } else { 1 }),
        heads: number(case, "kv_heads", 4),
    });
    Transfer {
        release,
        backend: backend(&case["backend"]),
        pool: match case["pool"].as_str() {
            None | Some("mha") => Attention::Gqa,
            Some("mla") => Attention::Mla,
            Some(_) => Attention::HybridMla,
        },
        heads: number(case, "kv_heads", 4),
        prefill: end("prefill"),
        decode: end("decode"),
        has_layer_ids: case["layer_ids"] == true,
        every_stage_drafts: case["draft_stages"] != "last",
        starts_at_zero: case["start_layer"] == 0,
        last_stage_first: case["last_stage_first"] == true,
        splits_layers: false,
        states: states.into_iter().collect(),
        page_size: PAGE_SIZE,
        token_bytes: HEAD_BYTES,
    }
}

fn tensor(tensor: &Value) -> Tensor {
    Tensor {
        dim: number(tensor, "dim", 0),
        bytes: number(tensor, "elem", 2),
        rows: number(tensor, "outer", 1),
        has_groups: tensor["groups"].is_array(),
        is_replicated: tensor["replicated"] == true,
    }
}

/// The planner's answer in the words of the recorded ones.
fn answer(transfer: &Transfer) -> String {
    let strikes = judge(transfer);
    if let Some(strike) = strikes.iter().find(|strike| strike.error.is_some()) {
        let (_, text) = transfer.said(strike).unwrap();
        let place = if strike.at_registration { "registration" } else { "worker" };
        return format!("fails at {place}: {text}");
    }
    if strikes.iter().any(|strike| strike.at_registration) {
        return "refused".to_owned();
    }
    let wrong: BTreeSet<String> = strikes
        .iter()
        .flat_map(|strike| {
            let ranks = strike.ranks.clone().unwrap_or_else(|| (0..transfer.decode.tp).collect());
            ranks.into_iter().flat_map(|tp| strike.buffers.iter().map(move |buffer| (tp, buffer)))
        })
        .map(|(tp, (pp, entry))| format!("{pp}.{tp} {}{}", entry.part.name(), entry.layer))
        .collect();
    if wrong.is_empty() { "right".to_owned() } else { format!("corrupts {}", Vec::from_iter(wrong).join(", ")) }
}

fn recorded(answer: &Value) -> Option<String> {
    Some(match answer["outcome"].as_str().unwrap() {
        "unknownState" => return None,
        "fails" => {
            let place = if answer["where"] == "registration" { "registration" } else { "worker" };
            format!("fails at {place}: {}", answer["message"].as_str().unwrap())
        }
        "corrupts" => {
            // Ranks that have the same wrong buffers are listed together.
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let groups = answer["wrong"].as_array().unwrap().iter().map(|group| (text(&group[0]), text(&group[1])));
            let wrong: BTreeSet<String> = groups
                .flat_map(|(ranks, entries)| {
                    let each =
                        |rank: &str| entries.split(' ').map(|entry| format!("{rank} {entry}")).collect::<Vec<_>>();
                    ranks.split(' ').flat_map(each).collect::<Vec<_>>()
                })
                .collect();
            format!("corrupts {}", Vec::from_iter(wrong).join(", "))
        }
        outcome => outcome.to_owned(),
    })
}

/// The bytes of each connection of a transfer that goes right: KV, states.
fn moved(transfer: &Transfer) -> BTreeMap<(At, At), (u64, u64)> {
    let token = Bytes::new(HEAD_BYTES.into()).times(if transfer.pool == Attention::Gqa { 2u64 } else { 1 });
    let (prefill, decode) = (&transfer.prefill, &transfer.decode);
    let ranks = |pp: usize, cp: u32, tp: u32| {
        let pp = u32::try_from(pp).unwrap();
        (0..pp).flat_map(move |pp| (0..cp).flat_map(move |cp| (0..tp).map(move |tp| At { pp, cp, tp })))
    };
    let meets = |from: At, to: At| {
        let gather = prefill.tp.checked_div(decode.tp).unwrap().max(1);
        let is_target = from.tp / gather == to.tp / (decode.tp / prefill.tp).max(1);
        is_target
            && (decode.pp() == 1 || from.pp == to.pp)
            && (transfer.pool != Attention::Mla || from.tp.is_multiple_of(gather))
    };
    let mut moved = BTreeMap::new();
    for from in ranks(prefill.pp(), prefill.cp, prefill.tp) {
        for to in ranks(decode.pp(), 1, decode.tp).filter(|to| meets(from, *to)) {
            let carried = carried(transfer, TOKENS, from, to);
            let bytes = (carried.kv_bytes(token).number(), carried.states.iter().copied().sum::<Bytes>().number());
            if bytes != (0, 0) {
                moved.insert((from, to), bytes);
            }
        }
    }
    moved
}

fn recorded_moves(answer: &Value) -> BTreeMap<(At, At), (u64, u64)> {
    let place = |text: &str, is_prefill: bool| {
        let numbers: Vec<u32> = text.split('.').map(|number| number.parse().unwrap()).collect();
        match (numbers.as_slice(), is_prefill) {
            ([tp], _) => At { pp: 0, cp: 0, tp: *tp },
            ([pp, tp], false) => At { pp: *pp, cp: 0, tp: *tp },
            ([pp, cp, tp], true) => At { pp: *pp, cp: *cp, tp: *tp },
            _ => panic!("{text}"),
        }
    };
    let mut moved = BTreeMap::new();
    for group in answer["moved"].as_array().unwrap() {
        for edge in group[2].as_str().unwrap().split(' ') {
            let (from, to) = edge.split_once('>').unwrap();
            moved.insert(
                (place(from, true), place(to, false)),
                (group[0].as_u64().unwrap(), group[1].as_u64().unwrap()),
            );
        }
    }
    moved
}

/// A latent that a release takes for heads is cut by numbers that mean nothing: that it breaks is
/// compared, not how.
fn is_guesswork(transfer: &Transfer) -> bool {
    let differs = transfer.prefill.tp != transfer.decode.tp || transfer.prefill.stages != transfer.decode.stages;
    transfer.pool == Attention::HybridMla && differs && !transfer.knows_hybrid()
}

fn differences(vectors: &str) -> (Vec<String>, usize) {
    let (mut differing, mut count) = (Vec::new(), 0);
    for line in vectors.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        for group in vector["answers"].as_array().unwrap() {
            let Some(expected) = recorded(&group["answer"]) else { continue };
            let mut wrong: BTreeMap<String, Vec<&str>> = BTreeMap::new();
            for name in group["releases"].as_array().unwrap() {
                let release = Release::named(name.as_str().unwrap()).unwrap();
                count += 1;
                let transfer = transfer(&vector["case"], release);
                let answered = answer(&transfer);
                let is_same = if is_guesswork(&transfer) {
                    (answered == "right") == (expected == "right")
                } else {
                    answered == expected
                };
                if !is_same {
                    wrong.entry(answered).or_default().push(release.name());
                } else if expected == "right" {
                    let (counted, recorded) = (moved(&transfer), recorded_moves(&group["answer"]));
                    if counted != recorded {
                        wrong.entry(format!("{counted:?}, not {recorded:?}")).or_default().push(release.name());
                    }
                }
            }
            for (answered, releases) in wrong {
                differing
                    .push(format!("{} {releases:?}\n   recorded {expected}\n   answered {answered}", vector["case"]));
            }
        }
    }
    (differing, count)
}

#[test]
fn recorded_transfers_end_as_the_planner_says() {
    let (differing, count) = differences(include_str!("oracle/transfer/vectors.jsonl"));
    assert!(differing.is_empty(), "{} of {count} answers: {}", differing.len(), differing.join("\n"));
    assert!(count > 18 * 900, "{count} answers");
}

#[test]
fn every_rule_on_transfers_that_claims_to_be_executed_speaks_on_a_recorded_one() {
    let mut spoken = BTreeSet::new();
    for line in include_str!("oracle/transfer/vectors.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        for release in Release::ALL {
            spoken.extend(judge(&transfer(&vector["case"], *release)).into_iter().map(|strike| strike.rule));
        }
    }
    let is_executed = |rule: &&Rule| rule.stage == Stage::Transfer && rule.evidence == Evidence::Executed;
    let rules: BTreeSet<&str> = all().filter(is_executed).map(|rule| rule.id).collect();
    assert!(rules.is_subset(&spoken), "{:?}", rules.difference(&spoken));
    // No plan has a state whose tensors are copied, or that does not tell its dimensions.
    let beyond = BTreeSet::from(["mamba-needs-its-dimensions", "replicated-mamba-needs-equal-attention-tp"]);
    assert_eq!(spoken.difference(&rules).copied().collect::<BTreeSet<_>>(), beyond);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_strikes_a_plan_s_transfer_is_a_rule_of_the_table(plan in common::plans()) {
        for (strike, _) in &Pair::of(&plan).transfer.strikes {
            prop_assert!(all().any(|rule| rule.id == strike.rule), "{}", strike.rule);
        }
    }
}

#[test]
fn known_pairs_break_or_hold_in_transit() {
    let cases = [
        ("sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp4.n2&d=tp4", Verdict::BreaksLater, "values of layers 0–93"),
        ("sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp2&d=tp4", Verdict::Accepted, ""),
        ("sgl=0.5.21&model=gpt-oss-120b&p=tp1.gpu:H100&d=tp4.gpu:H100", Verdict::BreaksLater, "same attention TP"),
        ("sgl=0.5.22&model=gpt-oss-120b&p=tp1.gpu:H100&d=tp4.gpu:H100", Verdict::AcceptedWithWarnings, ""),
        (
            "sgl=0.5.22&model=gpt-oss-120b&p=tp1.gpu:H100.via:nixl&d=tp4.gpu:H100.via:nixl",
            Verdict::AcceptedWithWarnings,
            "",
        ),
        (
            "sgl=0.5.23&model=gpt-oss-120b&p=tp1.gpu:H100.via:mori&d=tp4.gpu:H100.via:mori",
            Verdict::BreaksLater,
            "same attention TP",
        ),
        ("sgl=0.5.23&model=DeepSeek-V4-Flash&p=tp4.pp2&d=tp4", Verdict::AcceptedWithWarnings, "is not judged"),
        // Heads are found whatever their number, since 0.5.16.
        ("sgl=0.5.18&m=attention:gqa.layers:32.states:.&p=tp4&d=tp8", Verdict::AcceptedWithWarnings, "slower"),
        ("sgl=0.5.15&m=attention:gqa.layers:32.states:.&p=tp4&d=tp8", Verdict::Unknown, "model.kvHeads"),
        ("sgl=0.5.16&model=Kimi-Linear&p=tp4&d=tp2", Verdict::BreaksLater, "from one prefill rank"),
        ("sgl=0.5.23&model=Mystery&p=tp4.pp2&d=tp4", Verdict::Unknown, "model.attention"),
        ("sgl=0.5.23&m=attention:gqa.kvheads:8.states:.&p=tp4.pp2&d=tp4", Verdict::Unknown, "model.layers"),
    ];
    for (query, verdict, text) in cases {
        let report = check(&common::plan(query));
        assert_eq!(report.verdict, verdict, "{query}: {}", report.headline);
        assert!(report.headline.contains(text), "{query}: {}", report.headline);
    }
}

/// SGLang's text of what strikes a plan's transfer, and ours.
fn told(query: &str) -> (Option<String>, String) {
    let report = check(&common::plan(query));
    let finding = report.findings.into_iter().find(|finding| finding.stage == Stage::Transfer).unwrap();
    (finding.error.map(|error| error.message), finding.message)
}

#[test]
fn only_numbers_that_follow_from_the_plan_are_quoted() {
    let nixl = |model: &str, decode: &str| format!("sgl=0.5.23&{model}&p=tp4.pp2.via:nixl&d=tp4.via:nixl{decode}");
    let (quoted, _) = told(&nixl("m=attention:gqa.layers:32.kvheads:8.states:.", ""));
    let text = "PP-heterogeneous transfer requires layer ids on both peers; got src=32 dst=64 entries";
    assert_eq!(quoted.as_deref(), Some(text));
    // How many layers a draft has, no plan tells; nor where a window's layers are.
    for (model, decode) in [
        ("m=attention:gqa.layers:32.kvheads:8.states:.", ".spec:EAGLE"),
        ("m=attention:gqa.layers:32.kvlayers:16.kvheads:8.swalayers:16.states:swa", ""),
    ] {
        assert_eq!(told(&nixl(model, decode)).0, None, "{model}");
    }
    let draft = "p=tp4.via:nixl.spec:EAGLE&d=tp4.via:nixl";
    for model in ["m=attention:gqa.states:.", "model=Llama-3.1-70B"] {
        assert_eq!(told(&format!("sgl=0.5.23&{model}&{draft}")).0, None, "{model}");
    }
    let (quoted, _) = told("sgl=0.5.23&m=attention:gqa.states:.&p=tp4.spec:EAGLE&d=tp4");
    assert!(quoted.unwrap().contains("list index out of range"), "a text without numbers is known");
    // Without layers, none are named.
    let (_, message) = told("sgl=0.5.15&m=attention:gqa.kvheads:4.states:.&p=tp2&d=tp8");
    assert!(message.contains("what arrives on decode TP rank 1, 2, 5, 6"), "{message}");
}

/// Differences from a file of fresh vectors, one a line.
#[test]
#[ignore = "needs vectors in PD_ORACLE_FILE"]
fn fresh_transfers_are_answered_as_sglang_answers_them() {
    let vectors = std::fs::read_to_string(std::env::var("PD_ORACLE_FILE").unwrap()).unwrap();
    let (differing, count) = differences(&vectors);
    for text in &differing {
        println!("{text}");
    }
    println!("oracle: {} groups differ, of {count} answers", differing.len());
    assert!(differing.is_empty());
}

fn backend(name: &Value) -> TransferBackend {
    TransferBackend::from_value(&name.as_str().unwrap().into()).unwrap()
}
