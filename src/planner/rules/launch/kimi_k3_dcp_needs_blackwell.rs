//! Kimi-K3 and DCP.

use super::super::sizes::{WONT_START, OVERRIDES};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Kimi-K3 with DCP needs Blackwell GPUs.
    ///
    /// Its decode then runs on CuteDSL MLA, which exists for Blackwell alone. 0.5.17 needs a
    /// patched FlashInfer besides.
    "kimi-k3-dcp-needs-blackwell", Launch Rejects in Range::since(Release::V0_5_18), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(OVERRIDES, "_cutedsl_prefill_backend_fill")],
    breaks: "sgl=0.5.23&m=attention:hybridMla.arch:KimiK3ForConditionalGeneration.states:mamba&p=tp8&d=tp8.dcp8.gpu:H100",
    holds: "sgl=0.5.23&m=attention:hybridMla.arch:KimiK3ForConditionalGeneration.states:mamba&p=tp8&d=tp8.dcp8.gpu:B200",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let is_k3 = start.architecture().starts_with("KimiK3");
    if !is_k3 || start.widths.dcp == 1 {
        return Judgement::Holds;
    }
    match start.generation() {
        None => Judgement::Needs(start.field("gpu")),
        Some(10) => Judgement::Holds,
        Some(_) => start.refuses(
            "Kimi-K3 with DCP needs Blackwell.",
            "CuteDSL MLA backend is only supported on Blackwell GPUs (SM100). Please use a different backend.",
            &["dcp", "gpu"],
            vec![start.set("dcp", 1)],
        ),
    }
}
