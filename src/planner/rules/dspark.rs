//! What the rules on DeepSeek-V4.1 DSpark share.

use super::Judgement;
use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};

/// The releases that know the layout and publish it.
pub(super) const KNOWN: Range = Range::since(Release::V0_5_21);

/// Whether prefill publishes a layout, and whether decode has one; or the fact that is missing.
pub(super) fn layouts(pair: &Pair<'_>) -> Result<(bool, bool), Judgement> {
    let published = KNOWN.contains(pair.prefill.release);
    match (pair.prefill.dspark.map(|there| there && published), pair.decode.dspark) {
        (Some(there), Some(here)) => Ok((there, here)),
        (None, _) | (_, None) => Err(Judgement::Needs("model.compressRatios".to_owned())),
    }
}
