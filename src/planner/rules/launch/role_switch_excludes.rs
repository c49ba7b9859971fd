//! What a switch of roles cannot be combined with.

use super::super::sizes::{WONT_START, PD_HOOK};
use crate::planner::value::Size;
use crate::planner::release::{Range, Release};
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;

rule! {
    /// A server that can switch its role excludes EP, PP, DCP, speculation and more.
    ///
    /// The state that belongs to a role is rebuilt on a switch only for what these releases
    /// cover. Until 0.5.23 attention DP and replicas are excluded too.
    "role-switch-excludes", Launch Rejects in Range::since(Release::V0_5_21), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(PD_HOOK, "handle_pd_disaggregation")],
    breaks: "sgl=0.5.23&p=tp8&d=tp8.dcp2.extra:--enable-pd-role-switch",
    holds: "sgl=0.5.23&p=tp8&d=tp8.extra:--enable-pd-role-switch",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    if start.mode.is_none() || !start.has("--enable-pd-role-switch") {
        return Judgement::Holds;
    }
    let (server, a2a) = (&start.server, start.a2a());
    let [ep, pp, dp, replicas, dcp] = [server.ep, server.pp, server.attention_dp, server.replicas, server.dcp].map(Size::number);
    let mut unsupported = Vec::new();
    let mut exclude = |is_so: bool, text: String| unsupported.extend(is_so.then_some(text));
    exclude(ep > 1, format!("expert parallelism (--ep-size {ep})"));
    exclude(a2a != "none", format!("MoE all-to-all (--moe-a2a-backend {a2a})"));
    exclude(pp > 1, format!("pipeline parallelism (--pp-size {pp})"));
    let counts = start.release < Release::V0_5_22 && dp.max(replicas) > 1;
    exclude(counts && dp > 1, "DP attention (--enable-dp-attention)".to_owned());
    exclude(counts, format!("data parallelism (--dp-size {})", dp.max(replicas)));
    let both = start.release == Release::V0_5_22;
    exclude(both && dp > 1, format!("attention DP (--attn-dp-size {dp})"));
    exclude(both && replicas > 1, format!("data parallelism (--dp-size {replicas})"));
    exclude(dcp > 1, format!("decode context parallelism (--dcp-size {dcp})"));
    if let Some(algorithm) = &server.speculative_algorithm {
        exclude(true, format!("speculative decoding (--speculative-algorithm {algorithm})"));
    }
    if unsupported.is_empty() {
        return Judgement::Holds;
    }
    let list = unsupported.join(", ");
    start.refuses(
        format!("A switch of roles excludes: {list}."),
        format!(
            "--enable-pd-role-switch does not rebuild role-specific state for the following features: {list}. Remove \
             these options or drop --enable-pd-role-switch."
        ),
        &["extra"],
        vec![start.without(&["--enable-pd-role-switch"])],
    )
}
