//! Decode context parallelism and sharded prefill pages.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set, set_size};
use crate::planner::value::Value;

rule! {
    /// Decode context parallelism does not work with a prefill that shards its KV pages.
    ///
    /// With `--enable-kv-cache-sharding` no prefill rank holds a whole page, so none can be cut
    /// into the stripes that DCP ranks keep.
    "decode-dcp-excludes-kv-sharding", Handshake Rejects in Range::since(Release::V0_5_23), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.page64.shard&d=tp8.page64.dcp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.page64.shard&d=tp8.page64",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let dcp = pair.decode.widths.dcp;
    if dcp == 1 || !pair.publishes_sharding() {
        return Judgement::Holds;
    }
    let off = set("Turn prefill KV cache sharding off", prefill("enableKvCacheSharding"), Value::Flag(false));
    let no_dcp = set_size(format!("Turn decode DCP off · KV capacity falls {dcp}×"), decode("dcp"), 1);
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("Decode splits tokens over {dcp} DCP ranks, but no prefill rank holds a whole KV page."),
        error: Some("PD decode DCP does not support a prefill with --enable-kv-cache-sharding.".to_owned()),
        fields: vec![decode("dcp"), prefill("enableKvCacheSharding")],
        fixes: std::iter::once(off).chain(no_dcp).collect(),
    })
}
