//! What goes wrong with a plan's transfer.

use super::of_plan::{Gap, Planned, of};
use super::{Strike, Transfer, judge, merge};
use crate::planner::pair::Pair;
use crate::planner::plan::TransferBackend;
use crate::planner::report::SglangError;

/// What goes wrong with a plan's transfer.
#[derive(Default)]
pub struct Travels {
    /// What strikes, with SGLang's words for it.
    pub strikes: Vec<(Strike, Option<SglangError>)>,
    /// Why it is not followed, if it is not.
    pub gap: Option<Gap>,
    /// Whether the layers of what is wrong are known.
    pub knows_layers: bool,
    /// What sends it.
    pub backend: Option<TransferBackend>,
}

/// What goes wrong with a plan's transfer. Stages send at the same time: what goes wrong in either
/// order counts.
pub fn travels(pair: &Pair<'_>) -> Travels {
    let planned = match of(pair) {
        Ok(Some(planned)) => planned,
        Ok(None) => return Travels::default(),
        Err(gap) => return Travels { gap: Some(gap), ..Travels::default() },
    };
    let Planned { mut transfer, knows_layers } = planned;
    let mut strikes = judge(&transfer);
    let guesses = judge(&guessed_otherwise(&transfer, knows_layers));
    if transfer.prefill.pp() > 1 && transfer.prefill.draft > 0 && strikes.iter().all(|strike| strike.error.is_none()) {
        transfer.last_stage_first = true;
        for strike in judge(&transfer) {
            merge(&mut strikes, strike);
        }
    }
    let said = |strike: &Strike| {
        let (kind, message) = transfer.said(strike)?;
        // A number that follows from a guess is none of SGLang's words.
        let is_known = guesses.iter().any(|other| other.rule == strike.rule && other.error == strike.error);
        is_known.then_some(SglangError { kind, message })
    };
    let strikes = strikes
        .into_iter()
        .map(|strike| {
            let said = said(&strike);
            (strike, said)
        })
        .collect();
    Travels { strikes, gap: None, knows_layers, backend: Some(transfer.backend) }
}

/// The same transfer with other numbers where a plan does not tell them.
fn guessed_otherwise(transfer: &Transfer, knows_layers: bool) -> Transfer {
    let mut other = transfer.clone();
    other.page_size = other.page_size.saturating_add(1);
    other.token_bytes = other.token_bytes.saturating_add(1);
    for end in [&mut other.prefill, &mut other.decode] {
        end.draft = end.draft.saturating_mul(2);
        if !knows_layers {
            end.stages.iter_mut().for_each(|stage| *stage = stage.saturating_add(1));
        }
    }
    for state in &mut other.states {
        state.stages.iter_mut().for_each(|stage| *stage = stage.saturating_add(u32::from(!knows_layers)));
        state.tensors.iter_mut().for_each(|tensor| tensor.dim = tensor.dim.saturating_mul(2));
    }
    other
}
