//! How a prefill stage's list of entries is paired with decode's: by layer, by place, in halves.

use super::{Entry, Part, Strike, Transfer};
use crate::planner::catalog::Attention;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;
use std::ops::Range;

/// A list of decode's entries, and what each of them holds.
pub struct Held(Vec<(Entry, Option<Entry>)>);

impl Held {
    /// Entries that hold nothing yet.
    pub fn nothing(entries: Vec<Entry>) -> Held {
        Held(entries.into_iter().map(|entry| (entry, None)).collect())
    }

    /// Writes entries of a prefill stage to the places that they are paired with.
    pub fn write(&mut self, from: &[Entry], pairs: Pairs) {
        for (source, place) in pairs {
            if let (Some(held), Some(entry)) = (self.0.get_mut(place), from.get(source)) {
                held.1 = Some(*entry);
            }
        }
    }

    /// The entries, and what each of them holds.
    pub fn iter(&self) -> std::slice::Iter<'_, (Entry, Option<Entry>)> {
        self.0.iter()
    }
}

/// Why lists of entries cannot be paired.
pub enum Short {
    /// A part of decode's list ends too early, after so many.
    Of(usize),
    /// A stage has less than one layer's keys and values.
    NoLayer,
    /// Decode lacks this layer.
    Lacks(u32),
    /// A draft's tokens would have to be cut.
    Draft,
}

/// Pairs of places in the prefill's and in decode's list.
pub type Pairs = Vec<(usize, usize)>;

/// The places that a stage's entries go to, and the rule that the pairing breaks where it is wrong.
pub fn pairs(transfer: &Transfer, stage: usize, from: &[Entry], to: &[Entry]) -> (Result<Pairs, Short>, &'static str) {
    let start = if transfer.starts_at_zero { 0 } else { transfer.prefill.start(stage) as usize };
    let rule = rule(transfer);
    let backend = transfer.backend;
    let takes_pages = transfer.takes_pages();
    let by_ids = transfer.has_layer_ids
        && match (backend, transfer.is_latent()) {
            (TransferBackend::Nixl, _) => transfer.since(Release::V0_5_17) && takes_pages,
            (TransferBackend::Mori, _) => transfer.since(Release::V0_5_22),
            (TransferBackend::Ascend, false) => transfer.since(Release::V0_5_19) && transfer.tp_differs(),
            (TransferBackend::Ascend, true) => transfer.since(Release::V0_5_21) && transfer.prefill.pp() > 1,
            (_, false) => transfer.since(Release::V0_5_19),
            (_, true) => transfer.since(Release::V0_5_17),
        };
    if by_ids || transfer.cuts_stripes() && transfer.has_layer_ids && !transfer.is(TransferBackend::Nixl) {
        return (by_layer(transfer, from, to), rule);
    }
    let counts = (from.len(), to.len());
    let pairs = match backend {
        TransferBackend::Nixl if transfer.since(Release::V0_5_13) && takes_pages => {
            let slices = transfer.is_latent() && transfer.since(Release::V0_5_21) && transfer.pp_differs();
            let latent = transfer.pool == Attention::Mla && slices && !transfer.cuts_stripes();
            if latent { run(counts, start) } else { run(counts, 0) }
        }
        TransferBackend::Nixl if transfer.pool == Attention::Mla => latent(counts, start, 0),
        TransferBackend::Mori if transfer.moves_latents() => {
            let is_identity = transfer.since(Release::V0_5_19) && counts.0 == counts.1;
            run(counts, if is_identity { 0 } else { start })
        }
        TransferBackend::Mori if !transfer.since(Release::V0_5_19) => own_halves(counts, start),
        TransferBackend::Ascend if transfer.prefill.pp() == 1 && takes_pages => run(counts, 0),
        TransferBackend::Mori if start.saturating_add(counts.0 / 2) > counts.1 / 2 && counts.0 != counts.1 => {
            Err(Short::NoLayer)
        }
        TransferBackend::Ascend
            if transfer.pool == Attention::Mla && transfer.since(Release::V0_5_12)
                || transfer.pool == Attention::HybridMla && transfer.since(Release::V0_5_21) =>
        {
            latent(counts, start, 0)
        }
        TransferBackend::Mooncake | TransferBackend::MooncakeTcp if transfer.moves_latents() => {
            let tail = if transfer.since(Release::V0_5_22) { drafts(from) } else { 0 };
            if transfer.cuts_stripes() && tail > drafts(to) { Err(Short::Draft) } else { latent(counts, start, tail) }
        }
        _ => halves(counts, start),
    };
    (pairs, rule)
}

/// The rule that explains a wrong pairing.
fn rule(transfer: &Transfer) -> &'static str {
    let nixl_by_place = transfer.is(TransferBackend::Nixl)
        && transfer.takes_pages()
        && transfer.since(Release::V0_5_13)
        && !transfer.since(Release::V0_5_17);
    if transfer.prefill.pp() > 1 && transfer.prefill.pp() == transfer.decode.pp() {
        return if transfer.prefill.stages == transfer.decode.stages {
            "mori-needs-pp-1-up-to-0-5-18"
        } else {
            "stages-must-split-layers-alike"
        };
    }
    match (transfer.prefill.draft, transfer.decode.draft) {
        (0, 0) => {}
        (_, 0) => return "draft-kv-needs-a-draft-on-decode",
        (0, _) if transfer.is(TransferBackend::Mori) => return "draft-on-decode-alone-shifts-values",
        _ if transfer.pp_differs() && !nixl_by_place => return "draft-kv-of-stages-lands-elsewhere",
        _ => {}
    }
    if transfer.starts_at_zero && transfer.pp_differs() && !nixl_by_place {
        "swa-stages-start-at-layer-0"
    } else if transfer.cuts_stripes() {
        "nixl-dcp-ignores-stages"
    } else if nixl_by_place {
        "nixl-ignores-stages"
    } else if transfer.pool == Attention::HybridMla && !transfer.moves_latents() {
        "hybrid-stages-need-a-newer-release"
    } else {
        "stages-must-divide-the-layers"
    }
}

fn drafts(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| is_draft(entry)).count()
}

pub fn is_draft(entry: &Entry) -> bool {
    matches!(entry.part, Part::DraftK | Part::DraftV | Part::DraftLatent)
}

/// Each entry to the one of its layer.
fn by_layer(transfer: &Transfer, from: &[Entry], to: &[Entry]) -> Result<Pairs, Short> {
    let layers: u32 = transfer.prefill.stages.iter().sum();
    // A draft's layers count on from the model's.
    let id = |entry: &Entry| if is_draft(entry) { layers.saturating_add(entry.layer) } else { entry.layer };
    let place = |entry: &Entry| to.iter().position(|other| other == entry);
    let pair = |(at, entry): (usize, &Entry)| place(entry).map(|place| (at, place)).ok_or(Short::Lacks(id(entry)));
    from.iter().enumerate().map(pair).collect()
}

/// Entries `from` of one list to a run of the other, which may end before it does.
fn onto(from: Range<usize>, run: Range<usize>, length: usize) -> Result<Pairs, Short> {
    let run = run.start.min(length)..run.end.min(length);
    if run.len() < from.len() { Err(Short::Of(run.len())) } else { Ok(from.zip(run).collect()) }
}

/// All entries to a run from `start` on.
fn run((from, to): (usize, usize), start: usize) -> Result<Pairs, Short> {
    onto(0..from, start..start.saturating_add(from), to)
}

/// A latent's list: the same place if the lists are as long, else a run from the stage's first
/// layer on, and the last `tail` entries to the last ones.
fn latent((from, to): (usize, usize), start: usize, tail: usize) -> Result<Pairs, Short> {
    if from == to {
        return run((from, to), 0);
    }
    let own = from.saturating_sub(tail);
    let mut pairs = onto(0..own, start..start.saturating_add(own), to)?;
    pairs.extend(onto(own..from, to.saturating_sub(tail)..to, to)?);
    Ok(pairs)
}

/// Keys and values as halves of both lists. Where a stage's layers do not divide decode's, decode is
/// taken to have a draft, and its values to begin after a multiple of the stage's layers.
fn halves((from, to): (usize, usize), start: usize) -> Result<Pairs, Short> {
    let (own, all) = (from / 2, to / 2);
    let (keys, values) = if own == all {
        (0, all)
    } else if own == 0 {
        return Err(Short::NoLayer);
    } else {
        let times = all.checked_div(own).unwrap_or_default();
        let rest = all.checked_rem(own).unwrap_or_default();
        let values = if own < all && rest != 0 { own.saturating_mul(times) } else { all };
        (start, values.saturating_add(start))
    };
    let mut pairs = onto(0..own, keys..keys.saturating_add(own), to)?;
    pairs.extend(onto(own..own.saturating_mul(2), values..values.saturating_add(own), to)?);
    Ok(pairs)
}

/// Keys and values as halves of both lists, each from the stage's first layer on.
fn own_halves((from, to): (usize, usize), start: usize) -> Result<Pairs, Short> {
    let (own, all) = (from / 2, to / 2);
    if all == 0 {
        return Err(Short::NoLayer);
    }
    let end = start.saturating_add(own);
    let mut pairs = onto(0..own, start..end, all)?;
    pairs.extend(onto(own..own.saturating_mul(2), all.saturating_add(start)..all.saturating_add(end), to)?);
    Ok(pairs)
}

/// Whether decode has an entry for each layer of a stage.
pub fn finds_layers(transfer: &Transfer, rule: &'static str, from: &[Entry], to: &[Entry]) -> Result<(), Strike> {
    by_layer(transfer, from, to).map(|_| ()).map_err(|short| raised(transfer, rule, &short))
}

/// States in a pool of keys and values are paired as these are, by their numbers of entries.
pub fn as_halves(transfer: &Transfer, rule: &'static str, counts: (usize, usize), start: u32) -> Result<Pairs, Strike> {
    halves(counts, start as usize).map_err(|short| match short {
        Short::Of(_) if transfer.is(TransferBackend::Nixl) && transfer.since(Release::V0_5_12) => {
            Strike::raises(rule, "IndexError", "index 0 is out of bounds for axis 0 with size 0")
        }
        short => raised(transfer, rule, &short),
    })
}

/// What a list that is too short makes a backend say.
pub fn raised(transfer: &Transfer, rule: &'static str, short: &Short) -> Strike {
    let size = match short {
        Short::Of(size) => size,
        Short::NoLayer if !transfer.is(TransferBackend::Mori) => {
            return Strike::raises(rule, "ZeroDivisionError", "integer modulo by zero");
        }
        Short::NoLayer => &0,
        Short::Draft => {
            let text = "PD DCP draft head slicing is unsupported for pure MLA: dummy prefill senders may omit draft \
                        head shards";
            return Strike::raises(rule, "ValueError", text);
        }
        Short::Lacks(layer) => {
            let text = format!("Decode peer is missing a transfer entry for model layer {layer}");
            return Strike::raises(rule, "RuntimeError", text);
        }
    };
    match transfer.backend {
        TransferBackend::Mori => {
            let kind = if transfer.moves_latents() { "MLA KV" } else { "KV" };
            let text = format!("Destination {kind} descriptors do not match prefill pp configuration");
            Strike::raises(rule, "ValueError", text)
        }
        TransferBackend::Nixl if transfer.since(Release::V0_5_12) && !transfer.since(Release::V0_5_13) => {
            Strike::raises(rule, "IndexError", format!("index {size} is out of bounds for axis 0 with size {size}"))
        }
        _ => Strike::raises(rule, "IndexError", "list index out of range"),
    }
}
