//! What a prefill rank raises when decode ranks register with it.

use super::{Strike, Transfer, entries, heads, pairs};
use crate::planner::catalog::Attention;
use crate::planner::heads::copies;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;

pub fn check(transfer: &Transfer) -> Result<(), Strike> {
    dcp(transfer)?;
    if transfer.is(TransferBackend::Nixl) {
        nixl(transfer)?;
    }
    Ok(())
}

fn raises(rule: &'static str, kind: &'static str, text: String) -> Strike {
    Strike { at_registration: true, ..Strike::raises(rule, kind, text) }
}

/// `requires_dcp_relayout`
fn dcp(transfer: &Transfer) -> Result<(), Strike> {
    let (prefill, decode) = (transfer.prefill.dcp, transfer.decode.dcp);
    if !transfer.knows_dcp() || prefill == 1 && decode == 1 {
        return Ok(());
    }
    if prefill == decode {
        let rank = |tp: u32| tp.checked_rem(prefill).unwrap_or_default();
        let mismatch = meetings(transfer).find(|(from, to)| rank(*from) != rank(*to));
        return mismatch.map_or(Ok(()), |(from, to)| {
            let (from, to) = (rank(from), rank(to));
            let text = format!("PD peers must connect matching DCP ranks, got prefill={from}, decode={to}");
            Err(raises("equal-dcp-needs-equal-attention-tp", "RuntimeError", text))
        });
    }
    if prefill == 1 && transfer.is_latent() {
        return Ok(());
    }
    let text = format!("Unsupported PD DCP topology: {prefill} -> {decode}");
    Err(raises("dcp-goes-from-1-to-many", "RuntimeError", text))
}

/// The TP ranks that meet, in the order of decode's.
fn meetings(transfer: &Transfer) -> impl Iterator<Item = (u32, u32)> {
    let (prefill, decode) = (transfer.prefill.tp, transfer.decode.tp);
    let fan = decode.checked_div(prefill).unwrap_or_default().max(1);
    let gather = prefill.checked_div(decode).unwrap_or_default().max(1);
    let takes_all = !transfer.moves_latents() || transfer.pool == Attention::HybridMla;
    (0..decode).flat_map(move |to| {
        let first = if decode >= prefill { to.checked_div(fan).unwrap_or_default() } else { to.saturating_mul(gather) };
        let count = if decode >= prefill || !takes_all { 1 } else { gather };
        (first..first.saturating_add(count)).map(move |from| (from, to))
    })
}

fn nixl(transfer: &Transfer) -> Result<(), Strike> {
    for stage in transfer.stages() {
        let from = entries::of_prefill(transfer, stage);
        let to = entries::of_decode(transfer, transfer.decode_stage(stage));
        let (source, destination) = (from.len(), to.len());
        let is_het = transfer.since(Release::V0_5_17) && transfer.takes_pages() && transfer.prefill.pp() > 1;
        let by_ids = transfer.has_layer_ids && is_het;
        let rule = if transfer.prefill.draft > 0 && transfer.decode.draft == 0 {
            "draft-kv-needs-a-draft-on-decode"
        } else if transfer.pp_differs() {
            "nixl-stages-need-layer-ids"
        } else {
            "stages-must-split-layers-alike"
        };
        if transfer.since(Release::V0_5_15) && source > destination {
            let text = format!(
                "NIXL PD transfer: decode registered fewer KV regions ({destination}) than prefill ({source}); \
                 unexpected geometry"
            );
            return Err(raises(rule, "ValueError", text));
        }
        if transfer.cuts_stripes() {
            stripes(transfer, &from, &to)?;
            continue;
        }
        if by_ids {
            let at = |strike| Strike { at_registration: true, ..strike };
            pairs::finds_layers(transfer, rule, &from, &to).map_err(at)?;
        }
        let start = if transfer.starts_at_zero { 0 } else { transfer.prefill.start(stage) as usize };
        let fits = transfer.pool == Attention::Mla
            && transfer.since(Release::V0_5_21)
            && start.saturating_add(source) <= destination;
        if is_het && !by_ids && source != destination && !fits {
            let text = format!(
                "PP-heterogeneous transfer requires layer ids on both peers; got src={source} dst={destination} entries"
            );
            return Err(raises(rule, "RuntimeError", text));
        }
        if transfer.since(Release::V0_5_22) && heads::groups(transfer) == 0 {
            return Err(raises(heads::NO_GROUPS, "AssertionError", String::new()));
        }
    }
    Ok(())
}

/// From 0.5.13 to 0.5.16 more destinations are prepared than decode's buffer has, which an agent refuses.
pub fn reaches_beyond(transfer: &Transfer) -> bool {
    let cuts = transfer.since(Release::V0_5_13) && !transfer.since(Release::V0_5_17);
    let fans = transfer.decode.tp > transfer.prefill.tp;
    cuts && fans
        && match transfer.pool {
            Attention::Gqa => copies(transfer.heads, transfer.decode.tp) > 1,
            Attention::HybridMla => true,
            Attention::Mla => false,
        }
}

/// Up to 0.5.19 the tokens of a draft, of which decode holds all, do not fit the stripes.
fn stripes(transfer: &Transfer, from: &[super::Entry], to: &[super::Entry]) -> Result<(), Strike> {
    if transfer.since(Release::V0_5_20) || transfer.prefill.draft == 0 || transfer.decode.draft == 0 {
        return Ok(());
    }
    let unit = transfer.token_bytes;
    let bytes = |entries: &[super::Entry], draft: u32| -> String {
        let size = |entry: &super::Entry| if entry.part == super::Part::DraftLatent { draft } else { unit };
        entries.iter().map(|entry| size(entry).to_string()).collect::<Vec<_>>().join(", ")
    };
    let (from, to) = (bytes(from, unit), bytes(to, unit.saturating_mul(transfer.decode.dcp)));
    let text = format!("PD DCP source/destination KV geometry differs: src=[{from}], dst=[{to}]");
    Err(raises("draft-tokens-are-striped", "RuntimeError", text))
}
