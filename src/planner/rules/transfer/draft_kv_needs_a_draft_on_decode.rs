//! A prefill with a draft model needs a decode with one.

use super::{MOONCAKE, WORKER, edits};
use crate::planner::release::Range;
use crate::planner::rules::rule;

rule! {
    /// A prefill with a draft model needs a decode with one.
    ///
    /// The draft's KV stands behind the model's in prefill's list. Decode's list is then too short:
    /// entries are missing, or the draft is written over the last layer.
    "draft-kv-needs-a-draft-on-decode", Transfer Hangs in Range::ALL, Some("RuntimeError"),
    seen: WORKER,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.send_kvcache")],
    breaks: "sgl=0.5.23&model=Llama-3.1-70B&p=tp4.spec:EAGLE&d=tp4", holds: "sgl=0.5.23&model=Llama-3.1-70B&p=tp4.spec:EAGLE&d=tp4.spec:EAGLE",
    Transfer(edits)
}
