//! Sharded MLA pages across TP widths.

use crate::planner::catalog::Attention;
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set};
use crate::planner::value::Value;
use super::super::tp;

rule! {
    /// Sharded MLA pages need the same attention TP width on both servers.
    ///
    /// Without context parallelism an MLA prefill shards its pages over attention TP. Every
    /// decode rank then pulls its share from every prefill rank, and SGLang has that only for
    /// equal widths.
    "kv-sharding-needs-equal-attention-tp", Handshake Rejects in Range::since(Release::V0_5_23), Some("AssertionError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager._resolve_rank_mapping")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.page64.shard&d=tp4.page64",
    holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.page64.shard&d=tp8.page64",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    if !pair.publishes_sharding() || pair.prefill.widths.attention_cp != 1 {
        return Judgement::Holds;
    }
    match pair.attention() {
        None => Judgement::Needs("model.attention".to_owned()),
        Some(_) if !pair.tp_differs() => Judgement::Holds,
        Some(Attention::Gqa | Attention::HybridMla) => Judgement::Holds,
        Some(Attention::Mla) => {
            let off = set("Turn prefill KV cache sharding off", prefill("enableKvCacheSharding"), Value::Flag(false));
            Judgement::Breaks(Break {
                side: Place::Decode,
                message: format!("Sharded pages need equal attention TP widths: {}.", tp::widths(pair)),
                error: Some(format!(
                    "MLA KV cache sharding requires equal prefill/decode attn TP sizes, got prefill={} decode={}",
                    pair.prefill.widths.attention_tp, pair.decode.widths.attention_tp
                )),
                fields: vec![prefill("enableKvCacheSharding"), prefill("tp"), decode("tp")],
                fixes: tp::equalize(pair).into_iter().chain([off]).collect(),
            })
        }
    }
}
