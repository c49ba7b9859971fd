//! Chunks under attention DP.

use super::super::sizes::{IN_THE_LOG, PARALLEL_HOOK, SERVER_ARGS, BEFORE_HOOKS, HOOKS};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Attention DP groups share the chunk: each reads its part of `--chunked-prefill-size`.
    ///
    /// The size is for the whole server, and every group reads prompts of its own.
    "attention-dp-shares-the-chunk", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(PARALLEL_HOOK, "handle_data_parallelism", HOOKS), (SERVER_ARGS, "ServerArgs._handle_data_parallelism", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.dp8.chunk8192&d=tp8",
    holds: "sgl=0.5.23&p=tp8.chunk8192&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let dp = i32::try_from(start.widths.attention_dp).unwrap_or(i32::MAX);
    let Some(chunk) = start.server.chunked_prefill_size.filter(|_| dp > 1) else { return Judgement::Holds };
    let share = chunk.div_euclid(dp);
    Judgement::Sets(Change {
        message: format!("The chunk of {chunk} tokens becomes {share} for each of {dp} attention DP groups."),
        values: vec![("chunkedPrefillSize", share.into())],
    })
}
