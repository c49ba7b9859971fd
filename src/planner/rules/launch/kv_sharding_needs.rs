//! What KV cache sharding needs.

use super::super::sizes::{WONT_START};
use crate::planner::catalog::Attention;
use crate::planner::plan::TransferBackend;
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::{Family, Startup};

rule! {
    /// KV cache sharding needs a fitting backend, page size and kind of ranks to shard over.
    ///
    /// MLA shards over plain TP, heads over prefill CP, sparse attention over interleaved CP
    /// with its TRT-LLM kernels. 0.5.22 also refuses all speculation, and its own default radix
    /// cache.
    "kv-sharding-needs", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/arg_groups/kv_shard_hook.py", "handle_kv_cache_sharding")],
    breaks: "sgl=0.5.23&p=tp8.gpu:H100.shard&d=tp8.gpu:H100",
    holds: "sgl=0.5.23&p=tp8.page64.shard&d=tp8.page64",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    if !server.enable_kv_cache_sharding || !start.is_prefill() {
        return Judgement::Holds;
    }
    let error = needs(start);
    match error {
        Ok(()) => Judgement::Holds,
        Err(Refusal::Unknown(field)) => Judgement::Needs(field.to_owned()),
        Err(Refusal::Says(error)) => {
            let off = start.set("enableKvCacheSharding", false);
            start.refuses("Pages cannot be sharded over this server's ranks.", error, &["enableKvCacheSharding"], vec![off])
        }
    }
}

enum Refusal {
    Unknown(&'static str),
    Says(String),
}

fn unless(holds: bool, error: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Says(error.to_owned())) }
}

const DCP: &str = "--enable-kv-cache-sharding and decode context parallelism (--dcp-size) are mutually exclusive users of \
    the widened allocator index space.";

fn needs(start: &Startup<'_>) -> Result<(), Refusal> {
    let server = &start.server;
    let early = start.release < Release::V0_5_23;
    let dsa_draft = start.architecture() == "GlmMoeDsaForCausalLM" && start.option("--speculative-eagle-topk") == Some("1");
    unless(
        match server.speculative_algorithm.as_deref() {
            None => true,
            Some(algorithm) => !early && algorithm == "EAGLE" && dsa_draft,
        },
        if early {
            "--enable-kv-cache-sharding does not support speculative decoding."
        } else {
            "KV sharding supports speculative decoding only for GLM DSA single-layer NextN MTP with EAGLE and topk=1."
        },
    )?;
    let core = server.env.get("SGLANG_UNIFIED_RADIX_TREE_CORE_BACKEND").map(String::as_str);
    let core = core.unwrap_or(if early { "rust" } else { "python" });
    if core != "python" && !start.has("--disable-radix-cache") {
        return Err(Refusal::Says(format!(
            "--enable-kv-cache-sharding requires the Python UnifiedTreeCore: \
             SGLANG_UNIFIED_RADIX_TREE_CORE_BACKEND='{core}' is not supported for sharded KV."
        )));
    }
    unless(start.widths.dcp == 1, DCP)?;
    backend(start)?;
    if !server.is_mooncake() && server.transfer_backend != TransferBackend::Nixl {
        return Err(Refusal::Says(format!(
            "--enable-kv-cache-sharding currently only supports the mooncake and nixl transfer backends: both route sends \
             through CommonKVSender._prepare_send_indices and pair destinations by fancy index. Got \
             --disaggregation-transfer-backend '{}'.",
            server.transfer_backend
        )));
    }
    ranks(start)?;
    let page = server.page_size.ok_or(Refusal::Unknown("prefill.pageSize"))?;
    unless(
        page > Size::ONE,
        "--enable-kv-cache-sharding requires a real page size (--page-size 64 recommended): the physical page is the P/D \
         transfer descriptor and gather-copy unit; page_size=1 degenerates both into per-token operations.",
    )
}

/// (`validate_kv_shard_attention_backend`)
fn backend(start: &Startup<'_>) -> Result<(), Refusal> {
    let server = &start.server;
    match start.attention_backends()[1] {
        // Hopper's and Blackwell's own choices all do, but for one that a GPU must tell.
        None if start.model.is_some_and(|model| model.attention == Some(Attention::Gqa)) => {
            Err(Refusal::Unknown("prefill.gpu"))
        }
        Some("dsa") if start.release >= Release::V0_5_23 => {
            let interleaves = server.enable_prefill_cp && server.cp_strategy.as_deref() == Some("interleave");
            unless(
                interleaves && server.attention_cp > Size::ONE && server.pp == Size::ONE,
                "DSA KV sharding requires CUDA interleave prefill CP > 1 and PP1.",
            )?;
            // Blackwell picks TRT-LLM kernels by itself; Hopper has others.
            let trtllm = start.generation() == Some(10) || start.option("--dsa-prefill-backend") == Some("trtllm");
            unless(
                trtllm && server.kv_cache_dtype == "fp8_e4m3",
                "DSA KV sharding requires TRTLLM prefill/decode with fp8_e4m3 KV and page size 64.",
            )?;
            unless(
                server.is_mooncake() && !server.enable_dsa_cache_layer_split,
                "DSA KV sharding requires Mooncake, uncompressed index_kpool=1 and no DSA cache layer splitting.",
            )
        }
        _ if start.family() == Some(Family::Dsa) && start.release >= Release::V0_5_23 => {
            unless(false, "DSA KV sharding requires the dsa attention backend.")
        }
        Some("trtllm_mla") => unless(
            server.attention_cp == Size::ONE,
            "KV sharding with trtllm_mla only supports plain-TP MLA (attn_cp_size must be 1).",
        ),
        None | Some("fa3") => Ok(()),
        Some(other) => Err(Refusal::Says(format!(
            "--enable-kv-cache-sharding currently requires the fa3 prefill attention backend, or trtllm_mla for plain-TP \
             MLA; got '{other}'."
        ))),
    }
}

fn ranks(start: &Startup<'_>) -> Result<(), Refusal> {
    let server = &start.server;
    let over_cp = server.attention_cp > Size::ONE;
    match start.model.and_then(|model| model.attention) {
        None => Err(Refusal::Unknown("model.attention")),
        Some(Attention::Mla | Attention::HybridMla) if over_cp => Ok(()),
        Some(Attention::Mla | Attention::HybridMla) => {
            unless(
                server.attention_dp == Size::ONE,
                "--enable-kv-cache-sharding for MLA models without prefill CP shards across attention-TP and requires \
                 plain TP attention; set --attn-dp-size=1.",
            )?;
            unless(
                server.tp > Size::ONE,
                "--enable-kv-cache-sharding for MLA models without prefill CP shards across attention-TP ranks and needs \
                 tp_size > 1.",
            )
        }
        Some(Attention::Gqa) => unless(
            server.enable_prefill_cp && over_cp,
            "--enable-kv-cache-sharding for GQA models shards across attention-CP ranks and requires --enable-prefill-cp \
             with attn_cp_size > 1.",
        ),
    }
}
