//! Staging buffers and latents.

use super::super::sizes::WONT_START;
use crate::planner::catalog::Attention;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Value;

const VARIABLE: &str = "SGLANG_DISAGG_STAGING_BUFFER";

rule! {
    /// Staging buffers are for models of heads.
    ///
    /// They gather the heads that another attention TP width needs. A latent is whole on every rank, and
    /// a server with one refuses the variable when it sets up PD.
    "staging-buffer-excludes-latents", Launch Rejects in Range::since(Release::V0_5_11), Some("RuntimeError"),
    seen: WONT_START,
    evidence: Read, sources: [
        ("python/sglang/srt/disaggregation/prefill.py", "PrefillBootstrapQueue.__init__"),
        ("python/sglang/srt/disaggregation/decode.py", "DecodePreallocQueue.__init__")],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp8",
    holds: "sgl=0.5.23&model=Qwen3-8B&p=tp8.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp8.env:SGLANG_DISAGG_STAGING_BUFFER=1",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let is_latent = start.model.and_then(|model| model.attention) == Some(Attention::Mla);
    if !is_latent || start.mode.is_none() || !start.server.env_is_on(VARIABLE) {
        return Judgement::Holds;
    }
    let mut env = (*start.server.env).clone();
    env.remove(VARIABLE);
    let edits = vec![Edit { field: start.field("env"), value: Value::Map(env) }];
    start.refuses(
        format!("{VARIABLE} is on, and this model's KV is a latent."),
        format!(
            "{VARIABLE} is designed for non-MLA models (e.g. GQA, MHA). MLA models should not set this flag."
        ),
        &["env"],
        vec![Fix { title: "Turn staging off".to_owned(), edits }],
    )
}
