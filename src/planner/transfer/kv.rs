//! Which KV entry is written where.

use super::pairs::{Held, is_draft, pairs, raised};
use super::{Strike, Transfer, entries, heads};
use crate::planner::catalog::Attention;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;

/// What each decode entry holds after some stages have sent.
#[derive(Default)]
pub struct Moved {
    /// The lists of decode's stages.
    lists: Vec<Held>,
    /// The rule by which a stage pairs entries wrongly, if it does.
    rule: Option<&'static str>,
}
impl Moved {
    /// Sends the KV of a prefill stage.
    pub fn stage(&mut self, transfer: &Transfer, stage: usize) -> Result<(), Strike> {
        let at = transfer.decode_stage(stage);
        let (from, to) = (entries::of_prefill(transfer, stage), entries::of_decode(transfer, at));
        if from.is_empty() {
            return Ok(());
        }
        let takes_pages = transfer.takes_pages();
        if transfer.is(TransferBackend::Ascend)
            && transfer.release == Release::V0_5_17
            && takes_pages
            && !transfer.cuts_stripes()
        {
            let text = "AscendKVManager.send_kvcache() got an unexpected keyword argument 'dst_device_kv_indices'";
            return Err(Strike::raises("ascend-0-5-17-sends-no-pages", "TypeError", text));
        }
        let (pairs, rule) = pairs(transfer, stage, &from, &to);
        let pairs = pairs.map_err(|short| raised(transfer, rule, &short));
        let heads = if takes_pages { Ok(()) } else { heads::raises(transfer) };
        // Mori pairs its lists before it cuts heads.
        let pairs = if transfer.is(TransferBackend::Mori) {
            pairs.and_then(|pairs| heads.map(|()| pairs))
        } else {
            heads.and(pairs)
        }?;
        self.rule = self.rule.or(Some(rule));
        self.list(transfer, at).write(&from, pairs);
        Ok(())
    }

    fn list(&mut self, transfer: &Transfer, stage: usize) -> &mut Held {
        let known = self.lists.len();
        self.lists.extend((known..=stage).map(|stage| Held::nothing(entries::of_decode(transfer, stage))));
        #[expect(clippy::indexing_slicing, reason = "it was just made long enough")]
        &mut self.lists[stage]
    }

    /// The buffers that hold something else than they must.
    pub fn wrong(&mut self, transfer: &Transfer) -> Vec<Strike> {
        let mut strikes = Vec::new();
        let (slicing, sliced) = heads::wrong_ranks(transfer);
        let whole = whole_fault(transfer);
        let striped = transfer.cuts_stripes() && transfer.decode.draft > 0 && transfer.prefill.draft > 0;
        // Up to 0.5.19 a draft's tokens are striped too, though every rank must hold them all.
        let cuts_drafts = striped && !transfer.since(Release::V0_5_20);
        for stage in 0..transfer.decode.pp() {
            let rule = self.rule;
            for (entry, held) in self.list(transfer, stage).iter().copied() {
                let is_draft = is_draft(&entry);
                let must = Some(entry).filter(|_| !is_draft || transfer.prefill.draft > 0);
                let rule = if held != must {
                    rule
                } else if must.is_some() {
                    let cut = slicing.filter(|_| !sliced.is_empty());
                    whole.or(cut).or_else(|| (cuts_drafts && is_draft).then_some("draft-tokens-are-striped"))
                } else {
                    None
                };
                if let Some(rule) = rule {
                    let buffer = (u32::try_from(stage).unwrap_or(u32::MAX), entry);
                    super::merge(&mut strikes, Strike::corrupts(rule, vec![buffer], None));
                }
            }
        }
        if let Some(strike) = strikes.iter_mut().find(|strike| slicing == Some(strike.rule)) {
            strike.ranks = Some(sliced);
        }
        strikes
    }
}

/// What spoils every entry that arrives, whichever layer it is of.
fn whole_fault(transfer: &Transfer) -> Option<&'static str> {
    if transfer.decode.dcp > 1 && transfer.decode.dcp != transfer.prefill.dcp && !transfer.knows_dcp() {
        Some("dcp-stripes-are-not-cut")
    } else if transfer.prefill.cp > 1 && !transfer.since(Release::V0_5_14) {
        Some("pages-are-lost-over-cp")
    } else if transfer.pool == Attention::HybridMla && transfer.tp_differs() && !transfer.moves_latents() {
        Some("hybrid-latents-are-cut-like-heads")
    } else {
        None
    }
}
