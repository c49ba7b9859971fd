//! Nodes and ranks.

use super::super::sizes::{BEFORE_HOOKS, HOOKS, SERVER_ARGS, WONT_START, does_not_divide, shrink};
use crate::planner::startup::Startup;
use crate::planner::release::Range;
use crate::planner::rules::{Judgement, rule};

rule! {
    /// The number of nodes must divide TP × PP.
    ///
    /// Every node starts equally many ranks. The message says TP, the check takes TP × PP.
    "nodes-must-divide-ranks", Launch Rejects in Range::ALL, Some("AssertionError"),
    seen: WONT_START,
    evidence: Read, sources: [
        ("python/sglang/srt/arg_groups/validation_hook.py", "check_server_args", HOOKS),
        (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.18&p=tp8.n3&d=tp8", holds: "sgl=0.5.18&p=tp8.n2&d=tp8",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    let (ranks, nodes) = (side.widths.world_size, side.widths.nodes);
    if ranks.checked_rem(nodes) == Some(0) {
        return Judgement::Holds;
    }
    let message = format!("{nodes} nodes do not divide TP × PP = {ranks}.");
    let error = "tp_size must be divisible by number of nodes".to_owned();
    Judgement::Breaks(does_not_divide(side, &["nodes", "tp", "pp"], message, error, shrink(side, "nodes", nodes, ranks)))
}
