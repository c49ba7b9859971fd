//! KV element types.

use crate::planner::pair::{Pair, Side};
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set};
use crate::planner::value::Value;

rule! {
    /// Both servers must name the same KV cache type.
    ///
    /// SGLang compares two words, not two sizes: `bf16` and `bfloat16` differ, and so do
    /// `auto` and the type it stands for. For most models `auto` stays the word `auto`; for
    /// models whose `auto` depends on the GPU (DSA, DeepSeek-V4), the planner asks for the GPU,
    /// or for the word that the server logs.
    "kv-dtype-must-match", Handshake Rejects in Range::ALL, Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.18&p=tp8.dtype:fp8_e4m3&d=tp8", holds: "sgl=0.5.18&p=tp8.dtype:fp8_e4m3&d=tp8.dtype:fp8_e4m3",
    Pair(check)
}

/// Architectures for which SGLang replaces `auto` by a type, by GPU or always.
const AUTO_IS_REPLACED: &[&str] =
    &["DeepseekV32", "DeepseekV4", "GlmMoeDsa", "Glm5Next", "HYV4", "MiniMaxM3", "MuseSpark"];

fn check(pair: &Pair<'_>) -> Judgement {
    let (here, there) = (&pair.decode.server.kv_cache_dtype, &pair.prefill.server.kv_cache_dtype);
    let replaced = auto_is_replaced(pair);
    // A GPU decides what `auto` stands for.
    let has_index = pair.model.is_some_and(|model| model.index_topk.is_some());
    let needs = |side: &Side<'_>| {
        let by_gpu = has_index && side.release >= Release::V0_5_15 && side.server.gpu.is_none();
        let fact = if by_gpu { "gpu" } else { "kvCacheDtype" };
        Judgement::Needs(format!("{}.{fact}", side.role))
    };
    match (there.as_str(), here.as_str()) {
        (there, here) if there == here => {
            let other_gpu = pair.prefill.server.gpu != pair.decode.server.gpu;
            if here == "auto" && replaced && other_gpu { needs(if pair.prefill.server.gpu.is_none() { &pair.prefill } else { &pair.decode }) } else { Judgement::Holds }
        }
        (_, "auto") if replaced => needs(&pair.decode),
        ("auto", _) if replaced => needs(&pair.prefill),
        (there, here) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("Prefill's KV cache type is {there}, decode's {here}. SGLang compares the words."),
            error: Some(format!(
                "KV cache dtype mismatch: prefill server has kv_cache_dtype={there}, but decode server has \
                 kv_cache_dtype={here}. Both servers must use the same --kv-cache-dtype value."
            )),
            fields: vec![prefill("kvCacheDtype"), decode("kvCacheDtype")],
            fixes: vec![
                set(format!("Set decode KV dtype to {there}"), decode("kvCacheDtype"), Value::Text(there.to_owned())),
                set(format!("Set prefill KV dtype to {here}"), prefill("kvCacheDtype"), Value::Text(here.to_owned())),
            ],
        }),
    }
}

fn auto_is_replaced(pair: &Pair<'_>) -> bool {
    let architecture = pair.model.and_then(|model| model.architecture.as_deref()).unwrap_or_default();
    AUTO_IS_REPLACED.iter().any(|start| architecture.starts_with(start))
}
