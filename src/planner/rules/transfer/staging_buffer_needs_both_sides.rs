//! A staging buffer on one side.

use super::MOONCAKE;
use crate::planner::catalog::Attention;
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, Judgement, rule};
use crate::planner::value::Value;

/// The variable that gives a server a staging buffer.
const STAGING: &str = "SGLANG_DISAGG_STAGING_BUFFER";

rule! {
    /// A staging buffer works where both servers have one.
    ///
    /// With it heads of different attention TP widths are gathered and sent in one piece; decode offers its
    /// buffer as it registers. Where only one side has it, heads are sent token by token, slowly and rightly.
    "staging-buffer-needs-both-sides", Transfer Notes in Range::since(Release::V0_5_10), None,
    seen: "Only here: transfers take as long as without the variable.",
    evidence: Read, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache_staged")],
    breaks: "sgl=0.5.23&model=Qwen3-8B&p=tp4.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp2",
    holds: "sgl=0.5.23&model=Qwen3-8B&p=tp4.env:SGLANG_DISAGG_STAGING_BUFFER=1&d=tp2.env:SGLANG_DISAGG_STAGING_BUFFER=1",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (prefill, decode) = (&pair.prefill, &pair.decode);
    let without = match [prefill, decode].map(|side| side.server.env_is_on(STAGING)) {
        [true, false] => decode,
        [false, true] => prefill,
        _ => return Judgement::Holds,
    };
    if pair.attention() != Some(Attention::Gqa) || !pair.tp_differs() {
        return Judgement::Holds;
    }
    let mut env = (*without.server.env).clone();
    env.insert(STAGING.to_owned(), "1".to_owned());
    let field = format!("{}.env", without.role);
    let edits = vec![Edit { field: field.clone(), value: Value::Map(env) }];
    Judgement::Breaks(Break {
        side: Place::Both,
        message: format!("{STAGING} has no effect: {} does not set it.", without.role),
        error: None,
        fields: vec![field],
        fixes: vec![Fix { title: format!("Set {STAGING}=1 on {} too", without.role), edits }],
    })
}
