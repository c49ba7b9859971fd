//! What each connection carries of one request, where the transfer goes right.
//!
//! Counted are the bytes that SGLang asks its engine to move: whole pages, copies that several
//! ranks send of the same, and not the metadata of a request.

use super::{State, Tensor, Transfer};
use crate::planner::catalog::Attention;
use crate::planner::heads::{self, Slice, per_rank};
use crate::planner::plan::TransferBackend;
use crate::planner::quantity::Bytes;
use crate::planner::release::Release;

/// What one connection carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carried {
    /// Layers of KV.
    pub layers: u32,
    /// Layers of a draft's KV.
    pub draft_layers: u32,
    /// Which tokens, of each layer.
    pub tokens: Run,
    /// How many of a draft's tokens, of each layer.
    pub draft_tokens: u32,
    /// Which heads, unless the KV is a latent.
    pub heads: Option<Slice>,
    /// The bytes of each state, in the transfer's order.
    pub states: Vec<Bytes>,
}

/// Tokens at even distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Run {
    /// How many, whole pages included.
    pub count: u32,
    /// 1 for all, n for every n-th.
    pub every: u32,
    /// The first one.
    pub offset: u32,
}

/// A rank's place in its DP group: pipeline stage, CP rank (0 on decode), TP rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "coordinates")]
pub struct At {
    pub pp: u32,
    pub cp: u32,
    pub tp: u32,
}

/// What a prefill rank sends to a decode rank that has connected to it, of a request of so many
/// tokens. A dummy connection carries nothing.
pub fn carried(transfer: &Transfer, tokens: u32, from: At, to: At) -> Carried {
    let stage = from.pp as usize;
    let mut carried = Carried { states: vec![Bytes::NONE; transfer.states.len()], ..Carried::default() };
    let (prefill, decode) = (transfer.prefill.tp, transfer.decode.tp);
    let gather = prefill.checked_div(decode).unwrap_or_default().max(1);
    let is_first = from.tp.checked_rem(gather) == Some(0);
    let elects = match transfer.backend {
        TransferBackend::Nixl | TransferBackend::Mori => transfer.pool == Attention::Mla,
        _ => transfer.is_latent(),
    };
    if is_first || !elects {
        carried.layers = own_layers(transfer, transfer.prefill.stages.get(stage).copied().unwrap_or_default(), from.cp);
        let is_last = stage.saturating_add(1) == transfer.prefill.pp();
        let drafts = is_last || transfer.every_stage_drafts;
        carried.draft_layers = if drafts { transfer.prefill.draft.min(transfer.decode.draft) } else { 0 };
        let senders = if transfer.splits_layers { 1 } else { transfer.prefill.cp };
        (carried.tokens, carried.draft_tokens) = run(transfer, senders, tokens, from, to);
        if transfer.pool == Attention::Gqa {
            carried.heads = Some(heads::slice(transfer.heads, prefill, decode, from.tp, to.tp));
        }
    }
    if from.cp == 0 || transfer.splits_layers || !only_first_sends_states(transfer) {
        let widest = prefill.max(decode);
        let bytes = |state: &State| {
            let layers = own_layers(transfer, u32::try_from(layers_of(state, stage)).unwrap_or_default(), from.cp);
            layer_bytes(transfer, state, widest, is_first).times(layers)
        };
        carried.states = transfer.states.iter().map(bytes).collect();
    }
    carried
}

impl Carried {
    /// The bytes of KV, where a token's keys have that many bytes in a head, and its values; a latent
    /// has one size.
    pub fn kv_bytes(&self, token: Bytes) -> Bytes {
        let heads = self.heads.map_or(1, |slice| u64::from(slice.count));
        let each = |layers: u32, tokens: u32| u64::from(layers).saturating_mul(tokens.into());
        let all = each(self.layers, self.tokens.count).saturating_add(each(self.draft_layers, self.draft_tokens));
        token.times(all.saturating_mul(heads))
    }
}

/// What a decode rank must hold of a request when all has arrived.
pub fn held(transfer: &Transfer, tokens: u32, at: At) -> Carried {
    let end = &transfer.decode;
    let stage = at.pp as usize;
    let alone = At { cp: 0, ..at };
    let (run, draft_tokens) = run(transfer, 1, tokens, alone, at);
    let share = |state: &State| {
        let layers = if transfer.pp_differs() {
            state.stages.iter().map(|layers| u64::from(*layers)).sum()
        } else {
            layers_of(state, stage)
        };
        layer_bytes(transfer, state, end.tp, true).times(layers)
    };
    Carried {
        layers: end.stages.get(stage).copied().unwrap_or_default(),
        draft_layers: if stage.saturating_add(1) == end.pp() { end.draft.min(transfer.prefill.draft) } else { 0 },
        tokens: run,
        draft_tokens,
        heads: (transfer.pool == Attention::Gqa).then(|| Slice {
            source: 0,
            count: per_rank(transfer.heads, end.tp),
            destination: 0,
        }),
        states: transfer.states.iter().map(share).collect(),
    }
}

/// The tokens of the KV that one of `senders` CP ranks has, and how many of a draft's.
fn run(transfer: &Transfer, senders: u32, tokens: u32, from: At, to: At) -> (Run, u32) {
    let page = transfer.page_size.max(1);
    let dcp = transfer.decode.dcp.max(1);
    let rank = to.tp.checked_rem(dcp).unwrap_or_default();
    if transfer.cuts_stripes() {
        let count = tokens.saturating_sub(rank).div_ceil(dcp);
        return (Run { count, every: dcp, offset: rank }, tokens);
    }
    // Where both sides have DCP, a page spans more tokens.
    let pages = tokens.div_ceil(page.saturating_mul(dcp));
    let (share, more) = (pages.checked_div(senders).unwrap_or(pages), pages.checked_rem(senders).unwrap_or_default());
    let own = share.saturating_add(u32::from(from.cp < more));
    let first = from.cp.saturating_mul(share).saturating_add(from.cp.min(more)).saturating_mul(page);
    let count = own.saturating_mul(page);
    let offset = if dcp > 1 { rank } else { first };
    (Run { count, every: dcp, offset }, count.saturating_mul(dcp))
}

/// Whether states come from the first CP rank alone.
fn only_first_sends_states(transfer: &Transfer) -> bool {
    let hybrid = transfer.pool == Attention::HybridMla;
    match transfer.backend {
        TransferBackend::Nixl => false,
        TransferBackend::Mori => transfer.since(Release::V0_5_23),
        _ => transfer.since(if hybrid { Release::V0_5_16 } else { Release::V0_5_17 }),
    }
}

/// Of a stage's layers those that a CP rank has, where the ranks split them: the first have one more.
fn own_layers(transfer: &Transfer, layers: u32, cp: u32) -> u32 {
    let ranks = transfer.prefill.cp;
    if !transfer.splits_layers || ranks < 2 {
        return layers;
    }
    let more = layers.checked_rem(ranks).unwrap_or_default();
    layers.checked_div(ranks).unwrap_or_default().saturating_add(u32::from(cp < more))
}

fn layers_of(state: &State, stage: usize) -> u64 {
    state.stages.get(stage).copied().unwrap_or_default().into()
}

/// The bytes of a layer's state in a rank of `tp`, or in the part that a rank of so many takes.
fn layer_bytes(transfer: &Transfer, state: &State, tp: u32, is_first: bool) -> Bytes {
    if state.kind == "mamba" {
        let share = |tensor: &Tensor| {
            let all = Bytes::new(tensor.bytes.into()).times(tensor.dim).times(tensor.rows);
            match (tensor.is_replicated, is_first) {
                (true, true) => all,
                (true, false) => Bytes::NONE,
                (false, _) => all.part_of(tp),
            }
        };
        return state.tensors.iter().map(share).sum();
    }
    let all = state.item_bytes.times(state.items);
    if super::states::has_heads(transfer, state) {
        return all.times(per_rank(state.heads, tp));
    }
    // Of the ranks that have the same, only QSA elects one.
    if is_first || !state.kind.starts_with("qsa") { all } else { Bytes::NONE }
}
