//! TP of dense layers.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, VALIDATION};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// `--moe-dense-tp-size` can be 1 or TP.
    ///
    /// Dense layers of a mixture of experts are either whole on each rank or cut over all of
    /// them.
    "moe-dense-tp-must-be-1-or-tp", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(VALIDATION, "check_server_args", HOOKS), (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.extra:--moe-dense-tp-size,2&d=tp8",
    holds: "sgl=0.5.23&p=tp8.extra:--moe-dense-tp-size,1&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let Some(size) = start.option(OPTION) else { return Judgement::Holds };
    if size == "1" || size == start.server.tp.to_string() {
        return Judgement::Holds;
    }
    start.refuses(
        format!("{OPTION} {size} is neither 1 nor TP {}.", start.server.tp),
        "moe_dense_tp_size only supports None, 1, or tp_size currently",
        &["extra", "tp"],
        vec![start.without(&[OPTION])],
    )
}

const OPTION: &str = "--moe-dense-tp-size";
