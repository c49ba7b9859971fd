//! The policy `prefill_complete` and states beside the KV.

use super::super::sizes::{WONT_START, field};
use crate::planner::pair::states;
use crate::planner::plan::{AllocationPolicy, Role};
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix};
use crate::planner::rules::{Break, CONN, Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::FieldType;

rule! {
    /// The policy `prefill_complete` needs a model without states, or with DSA's alone.
    ///
    /// States such as Mamba's or a sliding window's are bound to slots that this policy reserves
    /// too late.
    "prefill-complete-needs-plain-or-dsa-pool", Launch Rejects in Range::since(Release::V0_5_22), Some("ValueError"),
    seen: WONT_START,
    evidence: Executed, sources: [(CONN, "CommonKVManager.__init__")],
    breaks: "sgl=0.5.23&model=gpt-oss-120b&p=tp1.alloc:prefill_complete&d=tp1.alloc:prefill_complete",
    holds: "sgl=0.5.23&model=DeepSeek-V3.2&p=tp1.alloc:prefill_complete&d=tp1.alloc:prefill_complete",
    Start(check)
}

fn check(side: &Startup<'_>) -> Judgement {
    if side.server.allocation_policy != AllocationPolicy::PrefillComplete {
        return Judgement::Holds;
    }
    let Some(states) = side.model.and_then(|model| states(model, &side.server)) else { return Judgement::Needs("model.states".to_owned()) };
    let Some(state) = states.iter().find(|state| **state != "dsa") else { return Judgement::Holds };
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!("This model also moves {state} state, which {} cannot do with this policy.", side.role),
        error: Some("prefill_complete currently supports full-attention and DSA KV pools only".to_owned()),
        fields: vec![field(side, "allocationPolicy")],
        fixes: vec![Fix {
            title: "Use the policy early on both".to_owned(),
            edits: [Role::Prefill, Role::Decode]
                .map(|role| Edit { field: format!("{role}.allocationPolicy"), value: AllocationPolicy::Early.to_value() })
                .to_vec(),
        }],
    })
}
