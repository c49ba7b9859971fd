//! Equal DCP on both sides needs equal attention TP.

use super::{BOOTSTRAP, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{CONN, rule};

rule! {
    /// Equal DCP on both sides needs equal attention TP.
    ///
    /// A rank's place in its DCP group follows from its TP rank. Where one rank serves several, their
    /// places differ, and the prefill raises when decode registers. The handshake cannot see it.
    "equal-dcp-needs-equal-attention-tp", Transfer Hangs in Range::since(Release::V0_5_17), Some("RuntimeError"),
    seen: BOOTSTRAP,
    evidence: Executed, sources: [(CONN, "CommonKVManager.requires_dcp_relayout", Range::since(Release::V0_5_17))],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp4.dcp2&d=tp8.dcp2", holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.dcp2&d=tp8.dcp2",
    Transfer(edits)
}
