//! DeepSeek-V4.1 DSpark across TP widths, from 0.5.22.

use super::super::{dspark, tp};
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule};

rule! {
    /// DeepSeek-V4.1 DSpark needs a decode as wide as prefill's attention TP, or as its TP × CP.
    ///
    /// The draft's state is cut by attention TP and cannot be re-cut on the way. With context
    /// parallelism on prefill and an MLA pool, decode may also match the two widths together.
    "dspark-needs-equal-or-cp-aligned-attention-tp", Handshake Rejects in Range::since(Release::V0_5_22),
    Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.23&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.spec:DSPARK&d=tp4.spec:DSPARK",
    holds: "sgl=0.5.23&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.cp2.spec:DSPARK&d=tp8.spec:DSPARK",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    match dspark::layouts(pair) {
        Err(missing) => return missing,
        Ok((false, false)) => return Judgement::Holds,
        Ok(_) => {}
    }
    let (there, here) = (pair.prefill.widths, pair.decode.widths);
    let aligned = there.attention_cp > 1
        && tp::is_latent(pair)
        && here.attention_cp == 1
        && there.attention_tp.saturating_mul(there.attention_cp) == here.attention_tp;
    if !pair.tp_differs() || aligned {
        return Judgement::Holds;
    }
    Judgement::Breaks(Break {
        side: Place::Decode,
        message: format!("DSpark needs equal attention TP widths: {}.", tp::widths(pair)),
        error: Some(
            "DeepSeek-V4.1 DSpark PD requires the same TP size on both servers (including prefill CP ranks for MLA)"
                .to_owned(),
        ),
        fields: vec![prefill("tp"), decode("tp")],
        fixes: tp::equalize(pair),
    })
}
