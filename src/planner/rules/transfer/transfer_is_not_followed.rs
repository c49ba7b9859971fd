//! Transfers that the planner does not follow.

use crate::planner::pair::Pair;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Range;
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, CONN, Judgement, prefill, rule, set_size};
use crate::planner::transfer::Gap;
use crate::planner::value::Value;

rule! {
    /// Some transfers are not followed: nobody here says whether all of them arrives.
    ///
    /// Shared pages and the compressed pools of DeepSeek-V4 are cut over stages and ranks in ways of their
    /// own, which were not run. The handshake and the rank mapping are judged all the same.
    "transfer-is-not-followed", Transfer Warns in Range::ALL, None,
    seen: "Only here: compare what such a pair answers with what one server alone answers before you rely on it.",
    evidence: Read, sources: [(CONN, "CommonKVManager.get_mla_kv_ptrs_with_pp")],
    breaks: "sgl=0.5.23&model=DeepSeek-V4-Flash&p=tp4.pp2&d=tp4", holds: "sgl=0.5.23&model=DeepSeek-V4-Flash&p=tp4&d=tp4",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let Some(Gap::Unfollowed(what)) = pair.transfer.gap else { return Judgement::Holds };
    if pair.prefill.server.transfer_backend == TransferBackend::Fake {
        return Judgement::Holds;
    }
    let one = set_size("Set prefill pipeline stages to 1".to_owned(), prefill("pp"), 1);
    let edits = vec![Edit { field: prefill("enableKvCacheSharding"), value: Value::Flag(false) }];
    let whole = Fix { title: "Turn KV cache sharding off".to_owned(), edits };
    Judgement::Breaks(Break {
        side: Place::Both,
        message: format!("How this travels is not judged: {what}."),
        error: None,
        fields: vec![prefill("pp"), prefill("enableKvCacheSharding")],
        fixes: one.into_iter().chain([whole]).collect(),
    })
}
