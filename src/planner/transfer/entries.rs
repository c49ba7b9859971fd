//! The lists of buffers that ranks register.

use super::{Entry, Part, Transfer};

/// The KV entries of a prefill stage, in the order in which it registers them.
pub fn of_prefill(transfer: &Transfer, stage: usize) -> Vec<Entry> {
    let end = &transfer.prefill;
    let is_last = stage.saturating_add(1) == end.pp();
    let draft = if transfer.every_stage_drafts || is_last { end.draft } else { 0 };
    list(transfer, end.start(stage), end.stages.get(stage).copied().unwrap_or_default(), draft)
}

/// The KV entries of a decode stage.
pub fn of_decode(transfer: &Transfer, stage: usize) -> Vec<Entry> {
    let end = &transfer.decode;
    list(transfer, end.start(stage), end.stages.get(stage).copied().unwrap_or_default(), end.draft)
}

fn list(transfer: &Transfer, start: u32, layers: u32, draft: u32) -> Vec<Entry> {
    let (parts, drafts): (&[Part], &[Part]) = if transfer.is_latent() {
        (&[Part::Latent], &[Part::DraftLatent])
    } else {
        (&[Part::K, Part::V], &[Part::DraftK, Part::DraftV])
    };
    let mut entries = Vec::new();
    for (parts, start, layers) in [(parts, start, layers), (drafts, 0, draft)] {
        for part in parts {
            entries.extend((start..start.saturating_add(layers)).map(|layer| Entry { part: *part, layer }));
        }
    }
    entries
}
