//! Layouts of DeepSeek-V4.1 DSpark.

use super::super::dspark;
use crate::planner::pair::Pair;
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule};
use crate::planner::value::{FieldType, Value};

rule! {
    /// DeepSeek-V4.1 servers must both run DSpark with the same draft, or neither.
    ///
    /// With DSpark the draft's KV travels with the target's, by position in one list. Both
    /// servers publish that list; any difference means that positions do not match. The planner
    /// compares whether DSpark is on and the number of draft tokens; the rest follows from the
    /// checkpoint.
    "dspark-layout-must-match", Handshake Rejects in dspark::KNOWN, Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [
        (CONN, "CommonKVManager.try_ensure_parallel_info"),
        ("python/sglang/srt/disaggregation/utils.py", "get_dsv41_spec_layout")],
    breaks: "sgl=0.5.23&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.spec:DSPARK&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.spec:DSPARK&d=tp8.spec:DSPARK",
    Pair(check)
}

/// What SGLang lists when only one side has a layout: every key, sorted.
const ALL_KEYS: &str = "compression_ratios, kv_item_lens, kv_layer_ids, num_draft_tokens, state_item_lens, state_types";

fn check(pair: &Pair<'_>) -> Judgement {
    let (there, here) = match dspark::layouts(pair) {
        Ok(layouts) => layouts,
        Err(missing) => return missing,
    };
    let (prefill_server, decode_server) = (&pair.prefill.server, &pair.decode.server);
    let same_draft = prefill_server.speculative_num_draft_tokens == decode_server.speculative_num_draft_tokens;
    let differing = match (there, here) {
        (false, false) => return Judgement::Holds,
        (true, true) if same_draft => return Judgement::Holds,
        (true, true) => "num_draft_tokens",
        (true, false) | (false, true) => ALL_KEYS,
    };
    let edits = |from: &crate::planner::plan::Server, to: fn(&str) -> String| {
        vec![
            Edit { field: to("speculativeAlgorithm"), value: from.speculative_algorithm.to_value() },
            Edit { field: to("speculativeNumDraftTokens"), value: from.speculative_num_draft_tokens.to_value() },
        ]
    };
    let off = |field: fn(&str) -> String| Edit { field: field("speculativeAlgorithm"), value: Value::Absent };
    let mut fixes = Vec::new();
    if there {
        fixes.push(Fix { title: "Run prefill's DSpark on decode too".to_owned(), edits: edits(prefill_server, decode) });
    }
    // A prefill that is too old to publish a layout has none to offer.
    if here && dspark::KNOWN.contains(pair.prefill.release) {
        fixes.push(Fix { title: "Run decode's DSpark on prefill too".to_owned(), edits: edits(decode_server, prefill) });
    }
    fixes.push(Fix { title: "Turn DSpark off on both".to_owned(), edits: vec![off(prefill), off(decode)] });
    let name = |has: bool| if has { "runs DSpark" } else { "does not run DSpark" };
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: if there == here {
            "Both sides run DSpark, with different numbers of draft tokens.".to_owned()
        } else {
            format!("Prefill {}, decode {}.", name(there), name(here))
        },
        error: Some(format!(
            "DeepSeek-V4.1 DSpark PD layout mismatch ({differing}): both servers must enable DSpark with the same \
             block size and target/draft KV layout. Upgrade both servers together."
        )),
        fields: vec![
            prefill("speculativeAlgorithm"),
            decode("speculativeAlgorithm"),
            prefill("speculativeNumDraftTokens"),
            decode("speculativeNumDraftTokens"),
        ],
        fixes,
    })
}
