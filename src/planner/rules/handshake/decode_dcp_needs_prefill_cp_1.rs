//! Decode context parallelism and prefill context parallelism.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Place};
use crate::planner::value::Value;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule, set_size};

rule! {
    /// Decode context parallelism needs a prefill without attention context parallelism.
    ///
    /// With DCP each decode rank keeps every n-th token of the MLA latent. The transfer can
    /// cut a whole latent into such stripes only when one prefill rank holds all of it, that
    /// is, when prefill attention runs without context parallelism.
    "decode-dcp-needs-prefill-cp-1", Handshake Rejects in Range::since(Release::V0_5_17), Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.18&model=DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8",
    holds: "sgl=0.5.18&model=DeepSeek-V3&p=tp8&d=tp8.dcp8",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (dcp, cp) = (pair.decode.widths.dcp, pair.prefill.widths.attention_cp);
    if dcp == 1 || cp == 1 {
        return Judgement::Holds;
    }
    let tp = pair.prefill.widths.attention_tp.saturating_mul(cp);
    let mut alone =
        set_size(format!("Set prefill context parallel to 1 · attention TP becomes {tp}"), prefill("attentionCp"), 1);
    // With prefill CP on, SGLang sets the width by itself for some models.
    if let Some(fix) = alone.as_mut().filter(|_| pair.prefill.server.enable_prefill_cp) {
        fix.edits.push(Edit { field: prefill("enablePrefillCp"), value: Value::Flag(false) });
    }
    let fixes = [
        alone,
        set_size(format!("Turn decode DCP off · KV capacity falls {dcp}×"), decode("dcp"), 1),
    ];
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!(
            "Decode splits the KV cache over {dcp} DCP ranks; that only works when one prefill rank holds every \
             token, and here {cp} context-parallel ranks share them."
        ),
        error: Some(format!("PD decode DCP currently requires prefill attention CP=1, got {cp}.")),
        fields: vec![decode("dcp"), prefill("attentionCp")],
        fixes: fixes.into_iter().flatten().collect(),
    })
}
