//! Up to 0.5.18 MoRI misplaces values where decode alone has a draft model.

use super::{MORI, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.18 MoRI misplaces values where decode alone has a draft model.
    ///
    /// The values are looked for behind half of decode's list, and that list is longer by the draft.
    "draft-on-decode-alone-shifts-values", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_19), None,
    seen: SILENT,
    evidence: Executed, sources: [(MORI, "MoriKVManager.send_kvcache")],
    breaks: "sgl=0.5.18&model=Llama-3.1-70B&p=tp4.via:mori&d=tp4.spec:EAGLE.via:mori", holds: "sgl=0.5.19&model=Llama-3.1-70B&p=tp4.via:mori&d=tp4.spec:EAGLE.via:mori",
    Transfer(edits)
}
