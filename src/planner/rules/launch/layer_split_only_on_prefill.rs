//! Split layers on decode.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, SERVER_ARGS, WONT_START, field};
use crate::planner::startup::{Family, Startup};
use crate::planner::plan::Role;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Break, Judgement, rule, set};
use crate::planner::value::Value;

rule! {
    /// Only a prefill server can split its DSA cache by layer.
    ///
    /// The split belongs to prefill context parallelism; decode receives whole layers.
    "layer-split-only-on-prefill", Launch Rejects in Range::since(Release::V0_5_16), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [
        ("python/sglang/srt/arg_groups/model_hook.py", "handle_model_specific_adjustments", HOOKS),
        (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8&d=tp8.layersplit", holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let other = side.family() != Some(Family::Dsa) && !side.architecture().is_empty();
    if other || side.role == Role::Prefill || !side.server.enable_dsa_cache_layer_split {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: "Decode cannot split its DSA cache by layer.".to_owned(),
        error: Some(
            "--enable-dsa-cache-layer-split is not supported on decode workers. This flag is a prefill-CP optimization; \
             decode receives full cache shards through PD transfer."
                .to_owned(),
        ),
        fields: vec![field(side, "enableDsaCacheLayerSplit")],
        fixes: vec![set("Turn decode layer split off", field(side, "enableDsaCacheLayerSplit"), Value::Flag(false))],
    })
}
