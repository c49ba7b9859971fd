//! Widths under DeepSeek prefill CP.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS, BEFORE_HOOKS, DEEPSEEK_OVERRIDES, HOOKS};
use crate::planner::startup::Family;
use crate::planner::value::{Size, Value};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// With DeepSeek's prefill CP, SGLang sets attention CP, DP and EP by itself.
    ///
    /// Context parallelism takes what of TP attention DP leaves, whatever width was asked for;
    /// only sparse attention with interleave keeps an asked width, from 0.5.22 on. Replicas
    /// count as attention DP. MLA models, and zigzag, also get EP as wide as TP.
    "prefill-cp-sets-the-widths", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(DEEPSEEK_OVERRIDES, "_deepseek_family_overrides", HOOKS), (SERVER_ARGS, "ServerArgs._handle_model_specific_adjustments", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&model=DeepSeek-V3.2&p=tp8.cp2.prefillcp.cpstrategy:interleave&d=tp8",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp8.cp2.prefillcp.cpstrategy:interleave&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let server = &start.server;
    let Some(family) = start.family().filter(|_| server.enable_prefill_cp) else { return Judgement::Holds };
    let [tp, dp, replicas, asked] = [server.tp, server.attention_dp, server.replicas, server.attention_cp].map(Size::number);
    let dp = dp.max(replicas);
    let keeps = family == Family::Dsa && start.release >= Release::V0_5_22 && server.cp_strategy.as_deref() == Some("interleave");
    let rest = tp.checked_div(dp).unwrap_or_default().max(1);
    let cp = if keeps && asked > 1 { asked } else { rest };
    let mut values = vec![("attentionCp", Value::from(cp)), ("attentionDp", dp.into()), ("replicas", 1.into())];
    if family == Family::V3 || family == Family::Dsa && server.cp_strategy.as_deref() == Some("zigzag") {
        values.push(("ep", tp.into()));
    }
    Judgement::Sets(Change {
        message: format!("With prefill CP on this model, attention CP becomes {cp}: attention DP {dp} × CP {cp} of TP {tp}."),
        values,
    })
}
