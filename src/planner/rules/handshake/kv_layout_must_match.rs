//! KV byte layouts of DeepSeek-V4.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set};
use crate::planner::value::Value;

rule! {
    /// Both servers must lay out a DeepSeek-V4 KV pool the same way.
    ///
    /// A DeepSeek-V4 pool has more than one byte layout, chosen by the attention backend and
    /// an environment variable. Bytes are moved as they are, so the layouts must agree. Other
    /// pools have one layout and publish none.
    "kv-layout-must-match", Handshake Rejects in Range::since(Release::V0_5_23), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.23&m=attention:mla.states:swa&p=tp8.layout:uniform_fp8&d=tp8.layout:v4",
    holds: "sgl=0.5.23&m=attention:mla.states:swa&p=tp8.layout:uniform_fp8&d=tp8.layout:uniform_fp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    // An older prefill publishes no layout.
    let published = RULE.releases.contains(pair.prefill.release);
    match (&pair.prefill.server.kv_layout, &pair.decode.server.kv_layout) {
        (Some(there), Some(here)) if there != here && published => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("Prefill lays its KV out as {there}, decode as {here}."),
            error: Some(format!(
                "KV layout mismatch: prefill server has kv_layout={there}, but decode server has kv_layout={here}. \
                 Both servers must use the same --dsv4-attn-backend and SGLANG_DSV4_KV_LAYOUT."
            )),
            fields: vec![prefill("kvLayout"), decode("kvLayout")],
            fixes: vec![
                set(format!("Use layout {there} on decode"), decode("kvLayout"), Value::Text(there.clone())),
                set(format!("Use layout {here} on prefill"), prefill("kvLayout"), Value::Text(here.clone())),
            ],
        }),
        _ => Judgement::Holds,
    }
}
