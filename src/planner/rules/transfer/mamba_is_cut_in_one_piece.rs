//! Convolution states cross attention TP widths only in newer releases.

use super::{MOONCAKE, SILENT, edits};
use crate::planner::release::{Range, Release};
use crate::planner::rules::rule;

rule! {
    /// Convolution states cross attention TP widths only in newer releases.
    ///
    /// Queries, keys and values of a convolution are split over TP each on its own, and some models
    /// keep rows before that axis. Mooncake and NIXL cut the parts since 0.5.16 and the rows since
    /// 0.5.17, MoRI both since 0.5.22; before, one run of channels is taken.
    "mamba-is-cut-in-one-piece", Transfer Corrupts in Range::between(Release::V0_5_10, Release::V0_5_22), None,
    seen: SILENT,
    evidence: Executed, sources: [(MOONCAKE, "MooncakeKVManager.maybe_send_extra")],
    breaks: "sgl=0.5.15&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=gdn,layers=8&p=tp4&d=tp8", holds: "sgl=0.5.16&m=attention:gqa.layers:8.kvlayers:8.kvheads:8.states:mamba.linear:kind=gdn,layers=8&p=tp4&d=tp8",
    Transfer(edits)
}
