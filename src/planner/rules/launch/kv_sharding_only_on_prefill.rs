//! Sharded pages on decode.

use super::super::sizes::{WONT_START, field};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Break, Judgement, rule, set};
use crate::planner::value::Value;

rule! {
    /// Only a prefill server can shard its KV cache pages.
    ///
    /// A rank that keeps only its stripe of every page cannot decode from it.
    "kv-sharding-only-on-prefill", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Read, sources: [("python/sglang/srt/arg_groups/kv_shard_hook.py", "handle_kv_cache_sharding")],
    breaks: "sgl=0.5.23&p=tp8.page64&d=tp8.page64.shard", holds: "sgl=0.5.23&p=tp8.page64.shard&d=tp8.page64",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    if side.is_prefill() || !side.server.enable_kv_cache_sharding {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: "Decode cannot shard its KV cache pages.".to_owned(),
        error: Some(
            "--enable-kv-cache-sharding is only supported on PD prefill workers: a rank's pool holds only its stripe of \
             every cached page, which is incompatible with local decode."
                .to_owned(),
        ),
        fields: vec![field(side, "enableKvCacheSharding")],
        fixes: vec![set("Turn decode KV cache sharding off", field(side, "enableKvCacheSharding"), Value::Flag(false))],
    })
}
