//! NIXL up to 0.5.10 and MoRI up to 0.5.11 gather heads of several prefill ranks wrongly.

use super::{NIXL, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// NIXL up to 0.5.10 and MoRI up to 0.5.11 gather heads of several prefill ranks wrongly.
    ///
    /// The place of a prefill rank's heads in decode's slot is counted over all prefill ranks instead
    /// of those that this decode rank gathers, so it lies behind the slot.
    "heads-land-behind-their-slot", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_12), None,
    seen: SILENT,
    evidence: Executed, sources: [(NIXL, "NixlKVManager.send_kvcache_slice")],
    breaks: "sgl=0.5.10&model=Llama-3.1-70B&p=tp4.via:nixl&d=tp2.via:nixl", holds: "sgl=0.5.11&model=Llama-3.1-70B&p=tp4.via:nixl&d=tp2.via:nixl",
    Transfer(edits)
}
