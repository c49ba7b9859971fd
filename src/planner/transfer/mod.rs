//! What arrives when KV and states travel, after the handshake: a transfer of one request, as the
//! code of each backend and release does it.
//!
//! A [`Transfer`] is what that code reads, as plain data. [`judge`] follows it entry by entry: an
//! entry is the buffer of one layer (K, V or a latent, a draft's, a state's) on one rank. What
//! raises, and which buffers of decode end up wrong, come out as [`Strike`]s, each with the rule
//! that it breaks. `tests/transfer.rs` holds it against whole transfers of the released backends.

mod carried;
mod entries;
mod heads;
mod kv;
mod of_plan;
mod pairs;
mod registration;
mod states;
mod strike;
mod travels;

pub use carried::{At, Carried, Run, carried, held};
pub use of_plan::{Gap, Planned, UNIFIED_MEMORY, has_unified_memory, of};
pub use strike::{Entry, Part, Strike};
pub use travels::{Travels, travels};

use strike::merge;

use super::catalog::Attention;
use super::plan::TransferBackend;
use super::quantity::Bytes;
use super::release::Release;

/// A transfer between one prefill and one decode DP group.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// The release of both sides.
    pub release: Release,
    /// What moves the bytes; Mooncake over TCP is Mooncake here.
    pub backend: TransferBackend,
    /// The KV pool.
    pub pool: Attention,
    /// KV heads of the model; latents have none.
    pub heads: u32,
    /// The prefill side.
    pub prefill: End,
    /// The decode side.
    pub decode: End,
    /// Whether both sides register the layer of each KV entry.
    pub has_layer_ids: bool,
    /// Whether every prefill stage holds the draft's KV, and not only the last.
    pub every_stage_drafts: bool,
    /// Whether every prefill stage says that its first layer is 0.
    pub starts_at_zero: bool,
    /// Whether the last stage sends first; stages do not wait for each other.
    pub last_stage_first: bool,
    /// Whether prefill's CP ranks have layers each, and not pages.
    pub splits_layers: bool,
    /// The states that travel beside the KV.
    pub states: Vec<State>,
    /// Tokens of a page.
    pub page_size: u32,
    /// Bytes of one token in a layer's latent, or in one head.
    pub token_bytes: u32,
}

/// One side of a transfer; the widths are those of attention.
#[derive(Clone, Debug)]
pub struct End {
    /// TP ranks.
    pub tp: u32,
    /// CP ranks that send.
    pub cp: u32,
    /// DCP ranks.
    pub dcp: u32,
    /// KV layers of each pipeline stage.
    pub stages: Vec<u32>,
    /// Layers of a draft's KV behind the model's.
    pub draft: u32,
}

/// A state that travels beside the KV.
#[derive(Clone, Debug)]
pub struct State {
    /// SGLang's name of it in the newest release, such as `swa`.
    pub kind: String,
    /// Layers of each prefill stage that have it.
    pub stages: Vec<u32>,
    /// Whether both sides register their layers.
    pub has_layer_ids: bool,
    /// Whether both sides tell which axis is split over TP (`mamba`).
    pub has_dims: bool,
    /// The tensors of one layer (`mamba`).
    pub tensors: Vec<Tensor>,
    /// Pages or rows of a request (other states).
    pub items: u32,
    /// Bytes of one of them in a layer; of one head, where heads are cut.
    pub item_bytes: Bytes,
    /// Its heads, where heads are cut.
    pub heads: u32,
}

/// A tensor of a linear-attention state, for the whole model.
#[derive(Clone, Copy, Debug)]
pub struct Tensor {
    /// Elements along the axis that TP splits.
    pub dim: u32,
    /// Bytes of one element of that axis, in one row.
    pub bytes: u32,
    /// Rows before that axis.
    pub rows: u32,
    /// Whether parts of the axis are split on their own (queries, keys, values of a convolution).
    pub has_groups: bool,
    /// Whether every rank holds all of it.
    pub is_replicated: bool,
}

/// All that goes wrong with a transfer, in the order in which it does. Nothing comes after what raises.
pub fn judge(transfer: &Transfer) -> Vec<Strike> {
    if let Err(strike) = registration::check(transfer).and_then(|()| states::refused(transfer)) {
        return vec![strike];
    }
    let mut moved = kv::Moved::default();
    let mut wrong = Vec::new();
    for stage in transfer.stages() {
        let kv = moved.stage(transfer, stage);
        let states = kv.and_then(|()| states::stage(transfer, stage));
        match states {
            Ok(strikes) => wrong.extend(strikes),
            Err(strike) => return vec![strike],
        }
    }
    if transfer.is(TransferBackend::Nixl) && registration::reaches_beyond(transfer) {
        return vec![Strike {
            at_registration: true,
            ..Strike::corrupts("more-decode-ranks-than-heads", Vec::new(), None)
        }];
    }
    let mut strikes = moved.wrong(transfer);
    for strike in wrong {
        merge(&mut strikes, strike);
    }
    for strike in &mut strikes {
        strike.buffers.sort_unstable();
        strike.buffers.dedup();
    }
    strikes
}

impl End {
    /// Pipeline stages.
    pub fn pp(&self) -> usize {
        self.stages.len()
    }

    /// The first layer of a stage.
    fn start(&self, stage: usize) -> u32 {
        self.stages.iter().take(stage).sum()
    }
}

impl Transfer {
    /// Whether the release is at least this one.
    fn since(&self, release: Release) -> bool {
        self.release >= release
    }

    /// Whether it is one of these backends.
    fn is(&self, backend: TransferBackend) -> bool {
        self.backend == backend
    }

    /// Whether its KV is a latent.
    fn is_latent(&self) -> bool {
        self.pool != Attention::Gqa
    }

    /// Whether the attention TP widths differ.
    fn tp_differs(&self) -> bool {
        self.prefill.tp != self.decode.tp
    }

    /// Whether stages meet a decode without as many.
    fn pp_differs(&self) -> bool {
        self.prefill.pp() != self.decode.pp()
    }

    /// The prefill stages in the order in which they send.
    fn stages(&self) -> impl Iterator<Item = usize> {
        let count = self.prefill.pp();
        (0..count)
            .map(move |turn| if self.last_stage_first { count.saturating_sub(turn).saturating_sub(1) } else { turn })
    }

    /// The decode stage that a prefill stage sends to.
    fn decode_stage(&self, stage: usize) -> usize {
        if self.pp_differs() { 0 } else { stage }
    }

    /// Whether the backend knows that a hybrid pool's KV is a latent.
    pub fn knows_hybrid(&self) -> bool {
        let since = match self.backend {
            TransferBackend::Nixl => Release::V0_5_17,
            TransferBackend::Mori => Release::V0_5_19,
            _ => Release::V0_5_16,
        };
        self.since(since)
    }

    /// Whether the backend treats the KV as a latent.
    fn moves_latents(&self) -> bool {
        match self.pool {
            Attention::Gqa => false,
            Attention::Mla => true,
            Attention::HybridMla => self.knows_hybrid(),
        }
    }

    /// Whether whole pages travel, and no heads are cut.
    fn takes_pages(&self) -> bool {
        self.moves_latents() || !self.tp_differs()
    }

    /// Whether decode's DCP stripes are cut for it.
    fn knows_dcp(&self) -> bool {
        self.since(if self.is(TransferBackend::Mori) { Release::V0_5_22 } else { Release::V0_5_17 })
    }

    /// Whether this transfer cuts stripes.
    fn cuts_stripes(&self) -> bool {
        self.knows_dcp() && self.prefill.dcp == 1 && self.decode.dcp > 1
    }
}
