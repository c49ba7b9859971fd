//! A unified memory pool is sent in one piece.

use super::{MOONCAKE, WORKER};
use crate::planner::pair::{Pair, Side};
use crate::planner::plan::TransferBackend;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, Judgement, rule};
use crate::planner::startup::without;
use crate::planner::transfer::{UNIFIED_MEMORY, has_unified_memory};
use crate::planner::value::Value;

rule! {
    /// Unified memory needs the same attention TP width and as many stages on both sides.
    ///
    /// With the option a hybrid model's KV and states lie in one pool, which moves as one region without a word on
    /// what is where in it. It cannot be cut over TP or over layers, and a side without it lays its pool out otherwise.
    "unified-memory-needs-equal-shapes", Transfer Hangs in Range::since(Release::V0_5_18), Some("RuntimeError"),
    seen: WORKER,
    evidence: Read, sources: [(MOONCAKE, "MooncakeKVManager._validate_envelope_kv_layout")],
    breaks: "sgl=0.5.23&model=Kimi-Linear&p=tp4.extra:--enable-unified-memory&d=tp2.extra:--enable-unified-memory",
    holds: "sgl=0.5.23&model=Kimi-Linear&p=tp4.extra:--enable-unified-memory&d=tp4.extra:--enable-unified-memory",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (there, here) = (&pair.prefill, &pair.decode);
    let [has, other_has] = [there, here].map(has_unified_memory);
    let (from, to) = (there.widths.attention_tp, here.widths.attention_tp);
    let is_equal = has == other_has && from == to && there.widths.pp == here.widths.pp;
    let is_mooncake = there.server.is_mooncake() || there.server.transfer_backend == TransferBackend::Ascend;
    if !(has || other_has) || is_equal || !is_mooncake || pair.mapping.is_none() {
        return Judgement::Holds;
    }
    let text = format!(
        "Transfer thread failed because of --enable-unified-memory does not support different prefill / decode \
         attention TP sizes (prefill={from}, decode={to}): the whole-envelope state cannot be TP-resliced.. Prefill \
         instance with bootstrap_port=8998 is dead."
    );
    let leave = |side: &Side<'_>| {
        let kept = without(&side.server.extra, side.release, &[UNIFIED_MEMORY]);
        Edit { field: format!("{}.extra", side.role), value: Value::List(kept) }
    };
    Judgement::Breaks(Break {
        side: Place::Both,
        message: "A unified memory pool moves as one region: both sides need the option, the same attention TP and \
                  as many stages."
            .to_owned(),
        // Other differences are told with numbers of the pool, which no plan tells.
        error: (has && from != to && pair.has_latent() == Some(true)).then_some(text),
        fields: vec!["prefill.extra".to_owned(), "decode.extra".to_owned()],
        fixes: vec![Fix { title: format!("Leave {UNIFIED_MEMORY} out on both"), edits: vec![leave(there), leave(here)] }],
    })
}
