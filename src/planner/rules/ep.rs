//! What the two rules on experts' widths share.

use super::Judgement;
use crate::planner::startup::Startup;
use crate::planner::value::Size;

/// Refuses EP and MoE DP that do not divide TP, with what SGLang says of TP, EP, MoE DP and MoE TP.
pub(super) fn check(start: &Startup<'_>, error: fn([u32; 4]) -> String) -> Judgement {
    let server = &start.server;
    let [tp, ep, moe_dp] = [server.tp, server.ep, server.moe_dp].map(Size::number);
    let moe_tp = tp.checked_div(ep).and_then(|n| n.checked_div(moe_dp)).unwrap_or_default();
    if product(ep, moe_dp, moe_tp) == tp {
        return Judgement::Holds;
    }
    let divides = |ep: &u32| tp.checked_rem(ep.saturating_mul(moe_dp)) == Some(0);
    let nearest = (1..=ep.min(tp)).rev().find(divides).filter(|size| *size != ep);
    let fixes = nearest.map(|ep| start.set("ep", ep)).into_iter().collect();
    let message = format!("EP {ep} × MoE DP {moe_dp} does not divide TP {tp}.");
    start.refuses(message, error([tp, ep, moe_dp, moe_tp]), &["ep", "moeDp", "tp"], fixes)
}

/// The ranks that the three widths number.
pub(super) fn product(ep: u32, moe_dp: u32, moe_tp: u32) -> u32 {
    ep.saturating_mul(moe_dp).saturating_mul(moe_tp)
}
