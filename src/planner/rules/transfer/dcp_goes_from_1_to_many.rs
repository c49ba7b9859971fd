//! Where DCP differs, prefill must have none.

use super::{BOOTSTRAP, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::{CONN, rule};

rule! {
    /// Where DCP differs, prefill must have none.
    ///
    /// Only whole latents can be cut into stripes; stripes are never put together or cut anew.
    /// Prefill's DCP is not published, so the handshake cannot see it: the prefill raises when decode
    /// registers.
    "dcp-goes-from-1-to-many", Transfer Hangs in Range::since(Release::V0_5_17), Some("RuntimeError"),
    seen: BOOTSTRAP,
    evidence: Executed, sources: [(CONN, "CommonKVManager.requires_dcp_relayout", Range::since(Release::V0_5_17))],
    breaks: "sgl=0.5.23&model=DeepSeek-V3&p=tp8.dcp2&d=tp8", holds: "sgl=0.5.23&model=DeepSeek-V3&p=tp8&d=tp8.dcp2",
    Transfer(edits)
}
