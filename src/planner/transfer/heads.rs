//! Which heads land where they must, when attention TP differs.

use super::{Strike, Transfer};
use crate::planner::catalog::Attention;
use crate::planner::heads::{copies, per_rank};
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;

/// What a backend raises over numbers of heads.
pub fn raises(transfer: &Transfer) -> Result<(), Strike> {
    let (prefill, decode, heads) = (transfer.prefill.tp, transfer.decode.tp, transfer.heads);
    if transfer.pool != Attention::Gqa {
        return Ok(());
    }
    let has_none = per_rank(heads, prefill).saturating_mul(prefill) < decode;
    let old = uses_first_formula(transfer.backend, transfer.release);
    if old && has_none {
        let rule = "more-decode-ranks-than-heads";
        return Err(match transfer.backend {
            TransferBackend::Mori => Strike::raises(rule, "ValueError", "Destination heads per rank evaluates to zero"),
            _ => Strike::raises(rule, "ZeroDivisionError", "integer division or modulo by zero"),
        });
    }
    let no_group = transfer.is(TransferBackend::Nixl) && transfer.since(Release::V0_5_17) && groups(transfer) == 0;
    if no_group && !transfer.since(Release::V0_5_22) {
        return Err(Strike::raises(NO_GROUPS, "IndexError", "list index out of range"));
    }
    Ok(())
}

/// The rule on nixl and copied heads.
pub const NO_GROUPS: &str = "nixl-needs-prefill-ranks-with-own-heads";

/// The destinations that nixl prepares for one source page of a rank.
pub fn groups(transfer: &Transfer) -> u32 {
    let fan = transfer.decode.tp.checked_div(transfer.prefill.tp).unwrap_or(1);
    if fan == 0 || transfer.pool != Attention::Gqa || !transfer.tp_differs() {
        return 1;
    }
    fan.checked_div(copies(transfer.heads, transfer.decode.tp)).unwrap_or(1)
}

/// The first formula of each backend: destinations without modulo, none for copied heads.
fn uses_first_formula(backend: TransferBackend, release: Release) -> bool {
    match backend {
        TransferBackend::Nixl => release < Release::V0_5_11,
        TransferBackend::Mori => release < Release::V0_5_12,
        _ => false,
    }
}

/// Whether each decode rank finds its head where several hold the same one.
fn finds_copies(backend: TransferBackend, release: Release) -> bool {
    release
        >= match backend {
            TransferBackend::Nixl => Release::V0_5_17,
            TransferBackend::Mori => Release::V0_5_21,
            _ => Release::V0_5_16,
        }
}

/// Whether what becomes of heads depends on how many there are.
pub fn matter(backend: TransferBackend, release: Release, prefill_tp: u32, decode_tp: u32) -> bool {
    if prefill_tp >= decode_tp {
        prefill_tp > decode_tp && uses_first_formula(backend, release)
    } else {
        backend == TransferBackend::Nixl || !finds_copies(backend, release)
    }
}

/// The decode ranks whose heads are wrong, and the rule that tells.
pub fn wrong_ranks(transfer: &Transfer) -> (Option<&'static str>, Vec<u32>) {
    let (prefill, decode, heads) = (transfer.prefill.tp, transfer.decode.tp, transfer.heads);
    if transfer.pool != Attention::Gqa || !transfer.tp_differs() {
        return (None, Vec::new());
    }
    let (source, destination) = (per_rank(heads, prefill), per_rank(heads, decode));
    if prefill > decode {
        if !uses_first_formula(transfer.backend, transfer.release) || decode == 1 && copies(heads, prefill) == 1 {
            return (None, Vec::new());
        }
        // Rank 0 gets all its heads in place unless prefill ranks hold copies.
        let first = u32::from(copies(heads, prefill) == 1);
        return (Some("heads-land-behind-their-slot"), (first..decode).collect());
    }
    if finds_copies(transfer.backend, transfer.release) {
        return (None, Vec::new());
    }
    let (all, step) = (source, copies(heads, decode));
    let taken = |rank: u32| rank.saturating_mul(destination).checked_rem(all).unwrap_or_default();
    let right = |rank: u32| {
        let held = rank.checked_div(step).unwrap_or_default().saturating_mul(destination);
        held.checked_rem(all).unwrap_or_default()
    };
    let wrong = (0..decode).filter(|rank| taken(*rank) != right(*rank)).collect();
    (Some("more-decode-ranks-than-heads"), wrong)
}
