//! Replicas over nodes.

use super::super::sizes::{WONT_START, SERVER_ARGS, BEFORE_HOOKS, HOOKS, VALIDATION};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// Data-parallel replicas must all run on one node.
    ///
    /// One controller process starts them; over nodes, use attention DP or several servers
    /// behind the router.
    "replicas-need-one-node", Launch Rejects in Range::since(Release::V0_5_15), Some("AssertionError"),
    seen: WONT_START,
    evidence: Executed, sources: [(VALIDATION, "check_server_args", HOOKS), (SERVER_ARGS, "ServerArgs.check_server_args", BEFORE_HOOKS)],
    breaks: "sgl=0.5.23&p=tp8.rep2.n2&d=tp8",
    holds: "sgl=0.5.23&p=tp4.rep2&d=tp8",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let (replicas, nodes) = (start.widths.replicas, start.widths.nodes);
    if replicas == 1 || nodes == 1 {
        return Judgement::Holds;
    }
    start.refuses(
        format!("{replicas} replicas over {nodes} nodes are asked for."),
        if start.release < Release::V0_5_22 {
            "multi-node data parallel is not supported unless dp attention!"
        } else {
            "multi-node data-parallel replicas are not supported; use attention DP (--attn-dp-size) across nodes"
        },
        &["replicas", "nodes"],
        vec![start.set("replicas", 1), start.set("nodes", 1)],
    )
}
