//! DCP and TP.

use super::super::sizes::{WONT_START, does_not_divide, shrink};
use crate::planner::startup::Startup;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};

rule! {
    /// Decode context parallelism must divide TP.
    ///
    /// DCP groups are cut from the whole TP group. The command line does not check it; the
    /// scheduler processes do, when they build their groups.
    "dcp-must-divide-tp", Launch Rejects in Range::since(Release::V0_5_15), Some("RuntimeError"),
    seen: WONT_START,
    evidence: Read, sources: [("python/sglang/srt/distributed/parallel_state.py", "initialize_model_parallel")],
    breaks: "sgl=0.5.18&p=tp8&d=tp8.dcp3", holds: "sgl=0.5.18&p=tp8&d=tp8.dcp4",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (tp, dcp) = (side.server.tp.number(), side.widths.dcp);
    if tp.checked_rem(dcp) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("DCP {dcp} does not divide TP {tp}.");
    let error = format!("tensor_model_parallel_size ({tp}) must be divisible by decode_context_parallel_size ({dcp})");
    Judgement::Breaks(does_not_divide(side, &["dcp", "tp"], message, error, shrink(side, "dcp", dcp, tp)))
}
