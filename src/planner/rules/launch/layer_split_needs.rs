//! What splitting the DSA cache by layer needs.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, MODEL_HOOK};
use crate::planner::startup::Family;
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A split DSA cache needs a DSA model, interleaved prefill CP, Mooncake and one stage.
    ///
    /// Context-parallel ranks then all send, each its own layers; only Mooncake's transfer does
    /// that.
    "layer-split-needs", Launch Rejects in Range::since(Release::V0_5_16), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(MODEL_HOOK, "handle_model_specific_adjustments", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.layersplit&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.prefillcp.cpstrategy:interleave.layersplit&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    // Decode is refused whatever else holds, but for models that come to no such check.
    let refused = start.is_decode() && (start.family() == Some(Family::Dsa) || start.architecture().is_empty());
    if !server.enable_dsa_cache_layer_split || refused {
        return Judgement::Holds;
    }
    let interleaves = server.enable_prefill_cp && server.cp_strategy.as_deref() == Some("interleave");
    let error = match start.family() {
        None if start.architecture().is_empty() => return Judgement::Needs("model.architecture".to_owned()),
        None | Some(Family::V3 | Family::V4) => {
            "--enable-dsa-cache-layer-split is only supported for DSA (DeepSeek Sparse Attention) models.".to_owned()
        }
        Some(Family::Dsa) if start.mode.is_none() => "--enable-dsa-cache-layer-split is only supported on PD prefill \
             workers. Non-PD workers also run decode and require ordinary local decode cache semantics."
            .to_owned(),
        Some(Family::Dsa) if !interleaves => {
            let legacy = " (or legacy --enable-nsa-prefill-context-parallel with --nsa-prefill-cp-mode round-robin-split)";
            let legacy = if start.release < Release::V0_5_20 { legacy } else { "" };
            format!("--enable-dsa-cache-layer-split requires --enable-prefill-cp and --cp-strategy interleave{legacy}.")
        }
        Some(Family::Dsa) if !server.is_mooncake() => format!(
            "--enable-dsa-cache-layer-split currently only supports the mooncake transfer backend (mooncake / \
             mooncake_tcp). Got --disaggregation-transfer-backend '{}'. mori/nixl support will be added later by the \
             community.",
            server.transfer_backend
        ),
        Some(Family::Dsa) if server.pp > Size::ONE => "--enable-dsa-cache-layer-split is not supported with pipeline \
             parallelism (pp_size > 1) yet. It requires prefill context parallelism, and CP + PP has not been validated \
             for this feature."
            .to_owned(),
        Some(Family::Dsa) => return Judgement::Holds,
    };
    start.refuses(
        "The DSA cache cannot be split by layer here.",
        error,
        &["enableDsaCacheLayerSplit"],
        vec![start.set("enableDsaCacheLayerSplit", false)],
    )
}
