//! DeepSeek-V4.1 DSpark across TP widths, as 0.5.21 has it.

use super::super::{dspark, tp};
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, DECODE_DIES, Judgement, decode, prefill, rule};

rule! {
    /// DeepSeek-V4.1 DSpark needs the same attention TP width on both servers (0.5.21).
    ///
    /// The draft's state is cut by attention TP and cannot be re-cut on the way. Later releases
    /// also allow a decode as wide as prefill's TP and CP together.
    "dspark-needs-equal-attention-tp", Handshake Rejects in Range::between(Release::V0_5_21, Release::V0_5_22),
    Some("RuntimeError"),
    seen: DECODE_DIES,
    evidence: Executed, sources: [(CONN, "CommonKVManager.try_ensure_parallel_info")],
    breaks: "sgl=0.5.21&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.spec:DSPARK&d=tp4.spec:DSPARK",
    holds: "sgl=0.5.21&m=attention:mla.states:swa,swa.ratios:0,2,128&p=tp8.spec:DSPARK&d=tp8.spec:DSPARK",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    match dspark::layouts(pair) {
        Err(missing) => missing,
        Ok((false, false)) => Judgement::Holds,
        Ok(_) if !pair.tp_differs() => Judgement::Holds,
        Ok(_) => Judgement::Breaks(Break {
            side: Place::Decode,
            message: format!("DSpark needs equal attention TP widths: {}.", tp::widths(pair)),
            error: Some("DeepSeek-V4.1 DSpark PD requires the same TP size on both servers".to_owned()),
            fields: vec![prefill("tp"), decode("tp")],
            fixes: tp::equalize(pair),
        }),
    }
}
