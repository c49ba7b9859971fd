//! EP under an all-to-all.

use super::super::sizes::{IN_THE_LOG, SERVER_ARGS, BEFORE_HOOKS, OVERRIDES};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Change, Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// An all-to-all of the experts makes EP as wide as TP.
    ///
    /// These backends send tokens between all TP ranks, so experts are spread over all of them
    /// whatever `--ep-size` says.
    "ep-follows-the-all-to-all", Launch Notes in Range::since(Release::V0_5_15), None,
    seen: IN_THE_LOG,
    evidence: Executed, sources: [(OVERRIDES, "_a2a_ep_size", Range::since(Release::V0_5_18)), (SERVER_ARGS, "ServerArgs._handle_a2a_moe", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.ep4.extra:--moe-a2a-backend,deepep&d=tp8",
    holds: "sgl=0.5.23&p=tp8.ep8.extra:--moe-a2a-backend,deepep&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let (a2a, tp) = (start.a2a(), start.server.tp);
    if a2a == "none" || start.server.ep == tp {
        return Judgement::Holds;
    }
    Judgement::Sets(Change {
        message: format!("EP {} becomes {tp}, as wide as TP: --moe-a2a-backend {a2a} spreads experts over all ranks.", start.server.ep),
        values: vec![("ep", tp.number().into())],
    })
}
