//! Up to 0.5.12 MoRI moves no states.

use super::{MORI, ROOM, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Up to 0.5.12 MoRI moves no states.
    ///
    /// Up to 0.5.11 it leaves them out and says nothing; 0.5.12 looks for them under a name that
    /// prefill no longer uses.
    "mori-sends-states-from-0-5-13", Transfer Fails in Range::between(Release::V0_5_10, Release::V0_5_13), Some("RuntimeError"),
    seen: ROOM,
    evidence: Executed, sources: [(MORI, "MoriKVManager.send_state", Range::since(Release::V0_5_12)), (MORI, "MoriKVManager.add_transfer_request", Range::between(Release::V0_5_10, Release::V0_5_12))],
    breaks: "sgl=0.5.12&model=DeepSeek-V3.2&p=tp8.via:mori&d=tp8.via:mori", holds: "sgl=0.5.13&model=DeepSeek-V3.2&p=tp8.via:mori&d=tp8.via:mori",
    Transfer(edits)
}
