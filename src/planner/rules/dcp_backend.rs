//! What the three rules on DCP's transfer backend share: the releases' lists.

use super::sizes::field;
use super::{Break, Judgement, set, set_size};
use crate::planner::plan::{Role, TransferBackend};
use crate::planner::startup::Startup;
use crate::planner::value::FieldType;

/// Refuses a decode server with DCP whose backend is not listed.
pub(super) fn check(side: &Startup<'_>, listed: &[TransferBackend], words: &str) -> Judgement {
    let backend = side.server.transfer_backend;
    if !side.is_decode() || side.widths.dcp == 1 || side.server.is_mooncake() || listed.contains(&backend) {
        return Judgement::Holds;
    }
    let to_mooncake = |role: Role| {
        set(
            format!("Move KV with mooncake on {role}"),
            format!("{role}.transferBackend"),
            TransferBackend::Mooncake.to_value(),
        )
    };
    Judgement::Breaks(Break {
        side: side.role.into(),
        message: format!("{backend} cannot move KV to a decode with DCP in SGLang {}.", side.release),
        error: Some(format!("PD decode DCP requires --disaggregation-transfer-backend {words}, got '{backend}'.")),
        fields: vec![field(side, "transferBackend"), field(side, "dcp")],
        fixes: std::iter::once(to_mooncake(side.role))
            .chain(set_size("Turn decode DCP off", field(side, "dcp"), 1))
            .collect(),
    })
}
