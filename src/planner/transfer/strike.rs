//! What goes wrong with a transfer, and what SGLang says of it.

use super::Transfer;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strike {
    /// The rule that is broken.
    pub rule: &'static str,
    /// What raises: the exception and its text, without what a worker puts around it. Nothing
    /// raises where buffers are silently wrong.
    pub error: Option<(&'static str, String)>,
    /// Whether it raises when decode registers.
    pub at_registration: bool,
    /// The buffers of a decode rank that end up wrong: its pipeline stage, and what they must hold.
    pub buffers: Vec<(u32, Entry)>,
    /// The TP ranks of decode that it strikes, unless it is all of them.
    pub ranks: Option<Vec<u32>>,
}

/// What a buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Which of a layer's buffers.
    pub part: Part,
    /// The layer, from 0; a state's tensors count on.
    pub layer: u32,
}

/// Which of a layer's buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Keys.
    K,
    /// Values.
    V,
    /// A latent.
    Latent,
    /// A draft's keys.
    DraftK,
    /// A draft's values.
    DraftV,
    /// A draft's latent.
    DraftLatent,
    /// A state's keys.
    StateK,
    /// A state's values.
    StateV,
    /// Another state.
    State,
}

impl Part {
    /// Its name in a sentence, before a layer's number.
    pub fn words(self) -> &'static str {
        match self {
            Part::K => "keys of layer",
            Part::V => "values of layer",
            Part::Latent => "the latent of layer",
            Part::DraftK => "keys of draft layer",
            Part::DraftV => "values of draft layer",
            Part::DraftLatent => "the latent of draft layer",
            Part::StateK | Part::StateV | Part::State => "state of layer",
        }
    }

    /// Its name in short.
    pub fn name(self) -> &'static str {
        match self {
            Part::K => "K",
            Part::V => "V",
            Part::Latent => "L",
            Part::DraftK => "DK",
            Part::DraftV => "DV",
            Part::DraftLatent => "DL",
            Part::StateK => "SK",
            Part::StateV => "SV",
            Part::State => "S",
        }
    }
}

/// What a request fails with that a manager refuses.
pub(super) const REFUSED: &str = "KVTransferError";

impl Strike {
    pub(super) fn raises(rule: &'static str, kind: &'static str, text: impl Into<String>) -> Strike {
        let error = Some((kind, text.into()));
        Strike { rule, error, at_registration: false, buffers: Vec::new(), ranks: None }
    }

    pub(super) fn corrupts(rule: &'static str, buffers: Vec<(u32, Entry)>, ranks: Option<Vec<u32>>) -> Strike {
        Strike { rule, error: None, at_registration: false, buffers, ranks }
    }
}

/// Adds buffers to those that are wrong by the same rule.
pub(super) fn merge(strikes: &mut Vec<Strike>, strike: Strike) {
    match strikes.iter_mut().find(|known| known.rule == strike.rule) {
        Some(known) => known.buffers.extend(strike.buffers),
        None => strikes.push(strike),
    }
}

impl Transfer {
    /// What SGLang says of what raises: the exception and its text, with what a backend's worker
    /// puts around it.
    pub fn said(&self, strike: &Strike) -> Option<(&'static str, String)> {
        let (kind, text) = strike.error.clone()?;
        if strike.at_registration {
            return Some((kind, text));
        }
        let failed = format!("Transfer submission failed: {text}");
        Some(match self.backend {
            TransferBackend::Nixl => (kind, text),
            TransferBackend::Mori if !self.since(Release::V0_5_12) => (kind, text),
            TransferBackend::Mori if !self.since(Release::V0_5_19) => ("RuntimeError", failed),
            TransferBackend::Mori if !self.since(Release::V0_5_22) => {
                ("RuntimeError", format!("transfer worker raised: RuntimeError({})", quoted(&failed)))
            }
            // A request that is refused before the worker takes it up.
            TransferBackend::Mooncake | TransferBackend::Ascend if kind == REFUSED => (kind, text),
            TransferBackend::Mori => (kind, format!("transfer worker raised: {kind}({})", quoted(&text))),
            _ => {
                let port = "Prefill instance with bootstrap_port=8998 is dead.";
                ("RuntimeError", format!("Transfer thread failed because of {text}. {port}"))
            }
        })
    }
}

/// A text as Python shows it.
fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
