//! Kimi-K3 before 0.5.17.

use super::super::sizes::{WONT_START};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Kimi-K3 needs SGLang 0.5.17 or later.
    ///
    /// Earlier releases do not know the model, and neither does the Transformers version that
    /// they bring.
    "kimi-k3-must-be-known", Launch Rejects in Range::between(Release::V0_5_15, Release::V0_5_17), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [("python/sglang/srt/utils/hf_transformers/config.py", "get_config")],
    breaks: "sgl=0.5.16&m=attention:hybridMla.arch:KimiK3ForConditionalGeneration.states:mamba&p=tp8&d=tp8",
    holds: "sgl=0.5.17&m=attention:hybridMla.arch:KimiK3ForConditionalGeneration.states:mamba&p=tp8&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if !start.architecture().starts_with("KimiK3") {
        return Judgement::Holds;
    }
    let mut fix = start.set("release", Release::V0_5_17.name());
    fix.title = format!("Run {} on {}", start.role, Release::V0_5_17);
    start.refuses(
        format!("SGLang {} does not know Kimi-K3.", start.release),
        UNKNOWN_TYPE,
        &["release"],
        vec![fix],
    )
}

const UNKNOWN_TYPE: &str = "The checkpoint you are trying to load has model type `kimi_k3` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint, or because your version of Transformers is out of date.\n\nYou can update Transformers with the command `pip install --upgrade transformers`. If this does not work, and the checkpoint is very new, then there may not be a release version that supports this model yet. In this case, you can get the most up-to-date code by installing Transformers from source with the command `pip install git+https://github.com/huggingface/transformers.git`";
