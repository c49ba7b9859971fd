//! Chunks and pages.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, VALIDATION};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// The prefill chunk must be a multiple of the page size.
    ///
    /// The chunk is what is left after attention DP groups shared it: 256 tokens over 8 groups
    /// are 32, less than a page of 64. A decode server does not check it.
    "chunk-must-be-whole-pages", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(VALIDATION, "check_server_args", HOOKS), (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.dp8.chunk256.page64&d=tp8.page64",
    holds: "sgl=0.5.23&p=tp8.dp8.chunk4096.page64&d=tp8.page64",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let (Some(chunk), Some(page)) = (start.server.chunked_prefill_size, start.server.page_size) else {
        return Judgement::Holds;
    };
    let page = i32::try_from(page.number()).unwrap_or(i32::MAX);
    if chunk <= 0 || start.is_decode() || chunk.checked_rem(page) == Some(0) {
        return Judgement::Holds;
    }
    let dp = i32::try_from(start.widths.attention_dp).unwrap_or(i32::MAX);
    let pages = chunk.checked_div(page).unwrap_or_default().max(1);
    let whole = pages.saturating_mul(page).saturating_mul(dp);
    start.refuses(
        format!("A chunk of {chunk} tokens is no whole number of pages of {page}."),
        "chunked_prefill_size must be divisible by page_size",
        &["chunkedPrefillSize", "pageSize", "attentionDp"],
        vec![start.set("chunkedPrefillSize", whole), start.set("chunkedPrefillSize", -1)],
    )
}
