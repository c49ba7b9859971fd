//! What a request moves: the laws of its sums, and numbers that are known from elsewhere.

#[expect(dead_code, reason = "only links are read here")]
#[path = "common/mod.rs"]
mod common;

use pd_planner::planner::heads::{first, per_rank};
use pd_planner::planner::map::{Connection, Map};
use pd_planner::planner::pair::Pair;
use pd_planner::planner::payload::{Counted, Share, Uncounted, count, words};
use pd_planner::planner::quantity::Bytes;
use pd_planner::planner::{Plan, WithMap, judge};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use std::collections::BTreeMap;

const LAYERS: u32 = 6;
const HEADS: u32 = 4;
const HEAD_DIM: u64 = 8;
const PAGE: u32 = 16;

fn counted(plan: &Plan) -> Result<(Map, Counted), Uncounted> {
    let pair = Pair::of(plan);
    let report = judge(&pair, WithMap::Yes);
    count(&pair, &report).map(|counted| (report.map.unwrap(), counted))
}

/// Plans of small models, most of which arrive.
fn plans() -> impl Strategy<Value = (Plan, bool)> {
    let widths = || select(&[1u32, 2, 4, 8][..]);
    let numbers =
        (widths(), widths(), select(&[1u32, 1, 2, 3][..]), select(&[1u32, 1, 2][..]), select(&[1u32, 1, 2, 4][..]));
    let words =
        (select(&["mooncake", "nixl", "mori"][..]), select(&["0.5.16", "0.5.21", "0.5.23"][..]), any::<[bool; 3]>());
    (numbers, words, 1u32..200).prop_map(|((from, to, pp, cp, dcp), (backend, release, [is_gqa, same_pp, all_cp]), tokens)| {
        let model = if is_gqa {
            format!("attention:gqa.layers:{LAYERS}.kvlayers:{LAYERS}.kvheads:{HEADS}.headdim:{HEAD_DIM}.states:.")
        } else {
            format!("attention:mla.layers:{LAYERS}.kvlayers:{LAYERS}.kvlora:12.rope:4.states:.")
        };
        let env = if all_cp && cp > 1 { ".env:SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1" } else { "" };
        let dcp = if is_gqa || cp > 1 || to % dcp != 0 { 1 } else { dcp };
        let decode_pp = if same_pp { pp } else { 1 };
        let query = format!(
            "sgl={release}&m={model}&p=tp{}.cp{cp}.pp{pp}.page{PAGE}.via:{backend}{env}&d=tp{to}.dcp{dcp}.pp{decode_pp}.page{PAGE}.via:{backend}{env}&tokens={tokens}",
            from * cp
        );
        (common::plan(&query), is_gqa)
    })
}

/// A layer, a head of the model, a token of the prompt or of the rest of its last page.
type Cell = (u32, u32, u32);

/// How often a connection brings each cell to its rank of decode.
fn bring(cells: &mut BTreeMap<Cell, u32>, pair: &Pair<'_>, connection: &Connection, share: &Share) {
    let heads = |slice: &pd_planner::planner::heads::Slice| {
        let from = first(HEADS, pair.prefill.widths.attention_tp, connection.prefill.tp) + slice.source;
        let to = first(HEADS, pair.decode.widths.attention_tp, connection.decode.tp) + slice.destination;
        assert_eq!(from, to, "a head lands in another's place: {connection:?} {share:?}");
        from..from + slice.count
    };
    for layer in share.layers[0]..share.layers[1] {
        for head in share.kv_heads.as_ref().map_or(0..1, heads) {
            for step in 0..share.tokens.count {
                *cells.entry((layer, head, share.tokens.offset + step * share.tokens.every)).or_default() += 1;
            }
        }
    }
}

/// The cells that a rank of decode must hold.
fn must_hold(pair: &Pair<'_>, is_gqa: bool, pp: u32, tp: u32, tokens: u32) -> Vec<Cell> {
    let decode = &pair.decode.widths;
    let layers = LAYERS / decode.pp;
    let layers = if decode.pp == 1 { 0..LAYERS } else { pp * layers..(pp + 1) * layers };
    let heads = if is_gqa {
        let start = first(HEADS, decode.attention_tp, tp);
        start..start + per_rank(HEADS, decode.attention_tp)
    } else {
        0..1
    };
    // Stripes are cut to the token, all else moves in whole pages.
    let end = if decode.dcp > 1 { tokens } else { tokens.next_multiple_of(PAGE) };
    let held = move |token: &u32| token % decode.dcp == tp % decode.dcp;
    layers
        .flat_map(|layer| heads.clone().map(move |head| (layer, head)))
        .flat_map(|(layer, head)| (0..end).filter(held).map(move |token| (layer, head, token)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_rank_of_decode_gets_each_layer_head_and_token_that_it_must_hold((plan, is_gqa) in plans()) {
        let Ok((map, counted)) = counted(&plan) else { return Ok(()) };
        let pair = Pair::of(&plan);
        let tokens = plan.traffic.prompt_tokens.number();
        let (prefill_tp, decode_tp) = (pair.prefill.widths.attention_tp, pair.decode.widths.attention_tp);
        // Prefill ranks that hold copies of a head all send it, where several meet a rank of decode.
        let copies = if is_gqa && prefill_tp > decode_tp && prefill_tp > HEADS { prefill_tp / HEADS.max(decode_tp) } else { 1 };
        let mut bytes = Bytes::NONE;
        for rank in &map.decode_ranks {
            let mut cells = BTreeMap::new();
            for (connection, share) in map.connections.iter().zip(&counted.of) {
                if (connection.decode.pp, connection.decode.tp) != (rank.pp_rank, rank.tp_rank) {
                    continue;
                }
                prop_assert_eq!(connection.dummy, share.is_none());
                if let Some(share) = share.map(|share| &counted.shares[share]) {
                    bring(&mut cells, &pair, connection, share);
                    bytes = bytes.and(share.bytes);
                }
            }
            let held = must_hold(&pair, is_gqa, rank.pp_rank, rank.tp_rank, tokens);
            prop_assert_eq!(cells.keys().copied().collect::<Vec<_>>(), held);
            prop_assert!(cells.values().all(|times| *times == copies), "{:?} of {copies}", cells.values().max());
        }
        let payload = &counted.payload;
        let sum = |ranks: &[pd_planner::planner::payload::RankBytes]| ranks.iter().map(|rank| rank.bytes).sum::<Bytes>();
        prop_assert_eq!(payload.moved_bytes, bytes);
        prop_assert_eq!(sum(&payload.senders), bytes);
        prop_assert_eq!(sum(&payload.receivers), bytes);
        prop_assert_eq!(payload.needed_bytes.times(copies), bytes);
        prop_assert_eq!(payload.repeated_bytes, bytes.without(payload.needed_bytes));
    }

    #[test]
    fn the_bytes_of_a_connection_are_those_of_its_slices((plan, is_gqa) in plans()) {
        let Ok((_, counted)) = counted(&plan) else { return Ok(()) };
        for share in &counted.shares {
            let heads = share.kv_heads.map_or(1, |slice| u64::from(slice.count));
            let token = if is_gqa { 2 * HEAD_DIM * 2 } else { 16 * 2 };
            let cells = u64::from(share.kv_layers) * u64::from(share.tokens.count) * heads;
            prop_assert_eq!(share.bytes.number(), cells * token);
        }
    }
}

#[test]
fn most_of_the_random_plans_are_counted() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut tried = || counted(&plans().new_tree(&mut runner).unwrap().current().0).is_ok();
    let counted = (0..400).filter(|_| tried()).count();
    assert!(counted > 200, "{counted} of 400");
}

fn sums(query: &str) -> (u64, u64, u64, String) {
    let (_, Counted { payload, .. }) = counted(&common::plan(query)).unwrap();
    let [request, needed, moved] =
        [payload.request_bytes, payload.needed_bytes, payload.moved_bytes].map(Bytes::number);
    (request, needed, moved, words::time(payload.seconds))
}

#[test]
fn requests_of_known_models_weigh_what_is_known_of_them() {
    // 61 layers × 4,096 tokens × (512 + 64) elements × 2 bytes, once for every rank.
    let one = 61 * 4096 * 576 * 2;
    let v3 = |sides: &str| sums(&format!("sgl=0.5.23&model=deepseek-ai/DeepSeek-V3&{sides}"));
    assert_eq!(v3("p=tp8&d=tp8"), (one, 8 * one, 8 * one, "5.76 ms".to_owned()));
    // Striped over eight ranks it moves once.
    assert_eq!(v3("p=tp8&d=tp8.dcp8"), (one, one, one, "719.6 µs".to_owned()));
    assert_eq!(v3("p=tp8&d=tp8&gbps=100").3, "23.0 ms");
    // Sparse attention: fp8 with scales on Hopper, without on Blackwell, and the keys of the index.
    let index = 61 * 4096 * 132;
    let sparse = |gpu: &str, dtype: &str| {
        let side = format!("tp8.gpu:{gpu}.dtype:{dtype}");
        sums(&format!("sgl=0.5.23&model=DeepSeek-V3.2&p={side}&d={side}")).0
    };
    assert_eq!(sparse("H100", "fp8_e4m3"), 61 * 4096 * 656 + index);
    assert_eq!(sparse("B200", "auto"), 61 * 4096 * 576 + index);
    assert_eq!(sparse("H100", "auto"), one + index);
    // Four KV heads on eight ranks: each is held, and sent, twice.
    let one = 94 * 4096 * 4 * 128 * 2 * 2;
    assert_eq!(sums("sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8&d=tp4").1, one);
    assert_eq!(sums("sgl=0.5.23&model=Qwen3-235B-A22B&p=tp8&d=tp4").2, 2 * one);
    // Full attention in half of the layers; windows of 127 tokens, two pages of 64, in the others.
    let token = 8 * 64 * 2 * 2;
    let side = "tp2.gpu:H100.page64";
    assert_eq!(sums(&format!("sgl=0.5.23&model=gpt-oss-120b&p={side}&d={side}")).0, 18 * (4096 + 128) * token);
    // A recurrent state is as large for any prompt.
    let linear = |tokens: u32| sums(&format!("sgl=0.5.23&model=Qwen3-Next&p=tp2&d=tp2&tokens={tokens}")).0;
    assert_eq!(linear(2000) - linear(1000), 1000 * 12 * 2 * 256 * 2 * 2);
    assert_eq!(linear(1000) * 2 - linear(2000), 36 * (24_576 * 2 + 524_288 * 4));
}

#[test]
fn stages_split_layers_by_kind_and_move_as_much_in_all() {
    for model in ["Kimi-Linear", "Qwen3-Next", "gpt-oss-20b", "DeepSeek-V3.2"] {
        let side = |pp: u32| format!("tp2.pp{pp}.gpu:H100");
        let moved = |pp: u32| sums(&format!("sgl=0.5.23&model={model}&p={}&d={}", side(pp), side(pp)));
        assert_eq!(moved(2).0, moved(1).0, "{model}");
        assert_eq!(moved(2).2, moved(1).2, "{model}");
    }
    // 27 layers in stages of 6, 7, 7 and 7; KV is in layers 3, 7, 11, 15, 19, 23 and 26.
    let (map, counted) = counted(&common::plan("sgl=0.5.23&model=Kimi-Linear&p=tp1.pp4&d=tp1")).unwrap();
    let mut stages = Vec::new();
    for (connection, share) in map.connections.iter().zip(&counted.of) {
        let share = &counted.shares[share.unwrap()];
        stages.push((connection.prefill.pp, share.layers, share.kv_layers));
    }
    stages.sort_unstable();
    assert_eq!(stages, [(0, [0, 6], 1), (1, [6, 13], 2), (2, [13, 20], 2), (3, [20, 27], 2)]);
    assert!(!counted.payload.notes.iter().any(|note| note.contains("evenly")));
}

#[test]
fn what_is_not_counted_says_why() {
    let why = |query: &str| words::uncounted(&counted(&common::plan(query)).err().unwrap());
    let cases = [
        ("sgl=0.5.23&model=nobody/knows&p=tp4&d=tp4", "Tell me model."),
        ("sgl=0.5.23&m=attention:gqa.layers:32.kvheads:8.states:.&p=tp4&d=tp4", "Tell me model.headDim."),
        ("sgl=0.5.23&m=attention:mla.kvlora:512.rope:64.states:.&p=tp4&d=tp4", "Tell me model.layers."),
        ("sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.dtype:fp8_e4m3&d=tp8.dtype:fp8_e4m3", "Tell me prefill.gpu."),
        ("sgl=0.5.23&model=DeepSeek-V4-Flash&p=tp8&d=tp8", "compressed"),
        ("sgl=0.5.23&model=Qwen3-235B-A22B&p=tp4.pp4&d=tp4", "do not arrive"),
        ("sgl=0.5.18&model=DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8", "no rank map"),
        ("sgl=0.5.23&model=Qwen3-8B&p=tp2.via:fake&d=tp2.via:fake", "does not follow"),
    ];
    for (query, text) in cases {
        assert!(why(query).contains(text), "{query}: {}", why(query));
    }
}
