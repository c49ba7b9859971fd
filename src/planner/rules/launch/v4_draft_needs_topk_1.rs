//! Drafts of DeepSeek-V4.

use super::super::sizes::{DEEPSEEK_V4, WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::{Family, Startup};
use crate::planner::value::Value;

rule! {
    /// DeepSeek-V4 drafts with EAGLE and `--speculative-eagle-topk 1`, or from 0.5.16 on with DSPARK.
    ///
    /// The check comes before SGLang fills in defaults and takes NEXTN for EAGLE, so both must be
    /// given.
    "v4-draft-needs-topk-1", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(DEEPSEEK_V4, "apply_deepseek_v4_defaults")],
    breaks: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.spec:EAGLE&d=tp8",
    holds: "sgl=0.5.23&m=attention:mla.arch:DeepseekV4ForCausalLM.states:swa&p=tp8.spec:EAGLE.extra:--speculative-eagle-topk,1&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let knows_dspark = start.release >= Release::V0_5_16;
    let which = match start.server.speculative_algorithm.as_deref() {
        _ if start.family() != Some(Family::V4) => return Judgement::Holds,
        None => return Judgement::Holds,
        Some("DSPARK") if knows_dspark => return Judgement::Holds,
        Some("EAGLE") if start.option("--speculative-eagle-topk") == Some("1") => return Judgement::Holds,
        Some("EAGLE") => "EAGLE speculative algorithm with topk == 1 is",
        Some(_) if knows_dspark => "EAGLE and DSPARK speculative algorithms are",
        Some(_) => "EAGLE speculative algorithm is",
    };
    start.refuses(
        "DeepSeek-V4 drafts with EAGLE need --speculative-eagle-topk 1.",
        format!("Only {which} supported for {}", start.architecture()),
        &["speculativeAlgorithm", "extra"],
        vec![start.set("speculativeAlgorithm", Value::Absent)],
    )
}
