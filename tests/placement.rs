//! Holds placement against SGLang's own, and to its laws.

#![expect(clippy::unwrap_used, reason = "what cannot be read must fail the test")]

#[expect(dead_code, reason = "only links are read here")]
mod common;

use common::plan;
use pd_planner::planner::placement::{self, Spot};
use pd_planner::planner::value::Size;
use pd_planner::planner::{Plan, Server, check};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Cases and SGLang's answers; `tests/oracle/placement.py` writes them.
const RECORDED: &str = include_str!("oracle/placement.jsonl");

#[test]
fn every_recorded_placement_of_sglang_is_ours() {
    let cases: Vec<Value> = RECORDED.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() > 100, "{}", cases.len());
    for case in cases {
        let mut server = json!({ "extra": ["--base-gpu-id", case["baseGpuId"].to_string(), format!("--gpu-id-step={}", case["gpuIdStep"])] });
        for name in ["tp", "pp", "replicas", "nodes", "gpusPerNode"] {
            server[name] = case[name].clone();
        }
        let plan: Plan = serde_json::from_value(json!({ "prefill": server })).unwrap();
        let report = serde_json::to_value(check(&plan)).unwrap();
        assert_eq!(report["prefill"]["placement"], case["answer"], "{case}");
        if let Some(ranks) = case["ranks"].as_array() {
            every_rank_is_where_sglang_starts_it(&plan.prefill, ranks);
        }
    }
}

fn every_rank_is_where_sglang_starts_it(server: &Server, ranks: &[Value]) {
    let placement = placement::of(server);
    let mut recorded =
        ranks.iter().map(|rank| [0, 1, 2, 3].map(|at| u32::try_from(rank[at].as_u64().unwrap()).unwrap()));
    for pp in 0..server.pp.number() {
        for tp in 0..server.tp.number() {
            let expected =
                recorded.clone().find(|rank| rank[..2] == [pp, tp]).map(|[.., node, gpu]| Spot { node, gpu });
            assert_eq!(placement.spot(0, pp, tp), expected, "PP {pp}, TP {tp} of {server:?}");
        }
    }
    assert!(recorded.all(|rank| rank[0] < server.pp.number()), "ranks that the server does not have are left out");
}

#[test]
fn the_last_word_on_a_gpu_counts() {
    let server = plan("p=tp2.extra:--base-gpu-id,1,--other,--base-gpu-id,6&d=tp2").prefill;
    assert_eq!(placement::of(&server).spot(0, 0, 1), Some(Spot { node: 0, gpu: 7 }));
    let server = plan("p=tp2.extra:--base-gpu-id&d=tp2").prefill;
    assert_eq!(placement::of(&server).spot(0, 0, 1), Some(Spot { node: 0, gpu: 1 }));
}

fn size(number: u32) -> Size {
    Size::new(number.into()).unwrap()
}

proptest! {
    /// Nodes divide the stages, or stages the nodes and the nodes of a stage its ranks.
    #[test]
    fn a_server_that_divides_starts_every_rank_once_and_no_gpu_twice(
        (small, times, tp) in (1u32..6, 1u32..6, 1u32..9), more_nodes in any::<bool>(), replicas in 1u32..4,
    ) {
        let large = small * times;
        let (pp, nodes, tp) = if more_nodes { (small, large, tp * times) } else { (large, small, tp) };
        let server = Server { tp: size(tp), pp: size(pp), nodes: size(nodes), replicas: size(replicas), ..Server::default() };
        let placement = placement::of(&server);
        let copies = if nodes == 1 { replicas } else { 1 };
        let mut used = HashSet::new();
        for (copy, pp, tp) in (0..copies).flat_map(|copy| (0..pp).flat_map(move |pp| (0..tp).map(move |tp| (copy, pp, tp)))) {
            let spot = placement.spot(copy, pp, tp);
            prop_assert!(used.insert(spot.unwrap()), "{spot:?} is used twice");
        }
        let listed: usize = placement.nodes().map(|node| node.pp_ranks.len() * node.tp_ranks.len()).sum();
        prop_assert_eq!(listed, usize::try_from(tp * pp).unwrap());
        prop_assert!(placement.is_whole());
        prop_assert!(used.iter().all(|spot| spot.node < nodes && spot.gpu < placement.needed_gpus()));
    }

    #[test]
    fn ranks_that_no_node_starts_are_counted(tp in 1u32..20, pp in 1u32..20, nodes in 1u32..20, step in 0u32..3, base: u32) {
        let extra = ["--base-gpu-id".to_owned(), base.to_string(), format!("--gpu-id-step={step}")];
        let server = Server { tp: size(tp), pp: size(pp), nodes: size(nodes), extra: extra.into(), ..Server::default() };
        let placement = placement::of(&server);
        let ranks = (0..pp).flat_map(|pp| (0..tp).map(move |tp| (pp, tp)));
        let missing = ranks.filter(|(pp, tp)| placement.spot(0, *pp, *tp).is_none()).count();
        prop_assert_eq!(missing, usize::try_from(placement.missing_ranks()).unwrap());
    }
}
