//! Page sizes that the model decides.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS, BEFORE_HOOKS, DEEPSEEK_OVERRIDES, HOOKS};
use crate::planner::startup::Family;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Sparse attention keeps pages of 64 tokens, DeepSeek-V4 of 256, whatever was asked for.
    ///
    /// Their kernels and index pools are laid out for that size.
    "page-size-is-the-models", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(DEEPSEEK_OVERRIDES, "_deepseek_family_overrides", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.page1&d=tp8.page1",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.page64&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let size = match start.family() {
        Some(Family::Dsa) => 64u32.saturating_mul(start.model.and_then(|model| model.index_kpool).unwrap_or(1).max(1)),
        Some(Family::V4) => 256,
        Some(Family::V3) | None => return Judgement::Holds,
    };
    let asked = start.server.page_size.map_or_else(String::new, |asked| format!("{asked} "));
    Judgement::Sets(Change {
        message: format!("Page size {asked}becomes {size}, which this model needs."),
        values: vec![("pageSize", size.into())],
    })
}
