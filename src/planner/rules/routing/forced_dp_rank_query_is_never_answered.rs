//! Decode asks for the DP rank of each request, and prefill does not say it.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule};
use crate::planner::value::Value;

/// The variable that makes decode ask, and prefill tell.
const FORCE: &str = "SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK";

rule! {
    /// A decode that must ask for prefill's DP rank needs a prefill that tells it.
    ///
    /// With the variable decode asks the bootstrap server which DP rank has a request, even where its room would
    /// tell. A prefill that follows the bootstrap room registers the rank only with the same variable; and up to
    /// 0.5.21 only of requests that were sent elsewhere than their room says.
    "forced-dp-rank-query-is-never-answered", Routing Hangs in Range::since(Release::V0_5_11), None,
    seen: "Requests stay in decode's queue without an error or a time-out there; prefill fails them when its bootstrap \
           time-out ends. Requests that name their prefill DP rank, as some routers make them, go on.",
    evidence: Read, sources: [(CONN, "CommonKVSender.__init__")],
    breaks: "sgl=0.5.21&p=tp8.dp2.env:SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK=1&d=tp4.env:SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK=1",
    holds: "sgl=0.5.22&p=tp8.dp2.env:SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK=1&d=tp4.env:SGLANG_DISAGGREGATION_FORCE_QUERY_PREFILL_DP_RANK=1",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let server = &pair.prefill.server;
    let asks = pair.decode.server.env_is_on(FORCE);
    let follows = server.load_balance_method == "follow_bootstrap_room";
    let tells = server.env_is_on(FORCE);
    if !asks || !follows || pair.prefill.widths.dp_groups() == 1 || tells && pair.prefill.release >= Release::V0_5_22 {
        return Judgement::Holds;
    }
    let what = if tells { "requests that go where their bootstrap room says" } else { "any request" };
    let mut env = (*pair.decode.server.env).clone();
    env.remove(FORCE);
    let plainly = Fix {
        title: format!("Leave {FORCE} out on decode"),
        edits: vec![Edit { field: decode("env"), value: Value::Map(env) }],
    };
    let mut fixes = vec![plainly];
    if !tells && pair.prefill.release >= Release::V0_5_22 {
        let mut env = (*server.env).clone();
        env.insert(FORCE.to_owned(), "1".to_owned());
        let edits = vec![Edit { field: prefill("env"), value: Value::Map(env) }];
        fixes.push(Fix { title: format!("Set {FORCE}=1 on prefill too"), edits });
    }
    Judgement::Breaks(Break {
        side: Place::Both,
        message: format!("Decode asks for the prefill DP rank of each request; prefill does not tell it of {what}."),
        error: None,
        fields: vec![decode("env"), prefill("env")],
        fixes,
    })
}
