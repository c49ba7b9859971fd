//! Which prefill ranks a decode rank pulls from, in closed form.
//!
//! Mirrors `CommonKVManager._resolve_rank_mapping` and the look-ups of
//! `CommonKVReceiver._setup_bootstrap_infos`. A [`Mapping`] is a handful of numbers; the
//! ranks and connections of any size follow from it without a table. What travels over a
//! connection is not here.

use super::pair::Pair;
use std::ops::Range;

/// The rank mapping of a pair, for one prefill and one decode DP group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// How attention TP ranks meet.
    pub tp: Tp,
    /// Prefill attention TP width.
    pub prefill_tp: u32,
    /// Decode attention TP width.
    pub decode_tp: u32,
    /// Prefill attention CP width.
    pub prefill_cp: u32,
    /// Prefill CP ranks that decode pulls from: the first, or all.
    pub pulled_cp: u32,
    /// Prefill CP ranks that send: the first, or all. The others wait for nobody.
    pub sending_cp: u32,
    /// Prefill pipeline stages.
    pub prefill_pp: u32,
    /// Decode pipeline stages.
    pub decode_pp: u32,
    /// Whether all but one of a decode rank's TP connections are dummies.
    pub has_dummies: bool,
}

/// How attention TP ranks meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tp {
    /// Every decode rank pulls a share of every page from every prefill rank.
    Sharded,
    /// One prefill rank serves this many decode ranks (1 when the widths are equal).
    Fan(u32),
    /// One decode rank connects to this many prefill ranks.
    Gather(u32),
}

/// One decode rank's mapping, as SGLang stores it on `PrefillServerInfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The prefill TP rank that is pulled from; `None` when all of them are.
    pub selected: Option<u32>,
    /// The prefill TP ranks that are connected to.
    pub tp: Range<u32>,
    /// The prefill CP ranks that are connected to.
    pub cp: Range<u32>,
    /// The prefill pipeline stages that are connected to, in reverse.
    pub pp: Range<u32>,
}

/// One prefill rank that a decode rank connects to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Peer {
    /// Its attention CP rank.
    pub cp: u32,
    /// Its attention TP rank.
    pub tp: u32,
    /// Its pipeline stage.
    pub pp: u32,
    /// Whether the connection carries no KV.
    pub dummy: bool,
}

/// The mapping of a pair, as if every check before it had passed.
pub fn of(pair: &Pair<'_>) -> Option<Mapping> {
    let (prefill, decode) = (&pair.prefill.widths, &pair.decode.widths);
    let (prefill_tp, decode_tp) = (prefill.attention_tp, decode.attention_tp);
    let fan = decode_tp.checked_div(prefill_tp)?;
    let gather = prefill_tp.checked_div(decode_tp)?;
    let may_shard = pair.publishes_sharding() && prefill.attention_cp == 1;
    // Where one prefill rank serves a decode rank anyway, the kind of pool does not matter.
    let is_mla = if may_shard || fan == 0 { pair.is_mla()? } else { pair.is_mla().unwrap_or_default() };
    let tp = match fan {
        _ if may_shard && is_mla => Tp::Sharded,
        0 => Tp::Gather(gather),
        fan => Tp::Fan(fan),
    };
    let with_cp = |all: Option<bool>| if prefill.attention_cp == 1 { Some(false) } else { all };
    let pulls_all = with_cp(pair.decode.all_cp_ranks)? || pair.publishes_layer_split() || pair.publishes_sharding();
    let some = |all: bool| if all { prefill.attention_cp } else { 1 };
    Some(Mapping {
        tp,
        prefill_tp,
        decode_tp,
        prefill_cp: prefill.attention_cp,
        pulled_cp: some(pulls_all),
        sending_cp: some(with_cp(pair.prefill.all_cp_ranks)?),
        prefill_pp: prefill.pp,
        decode_pp: decode.pp,
        has_dummies: is_mla,
    })
}

impl Mapping {
    /// How many decode ranks must register before a prefill rank sends: `required_dst_info_num`.
    pub fn required_registrations(&self) -> u32 {
        match self.tp {
            Tp::Sharded => self.decode_tp,
            Tp::Fan(decode_ranks) => decode_ranks,
            Tp::Gather(_) => 1,
        }
    }

    /// How many prefill ranks must report before a decode rank is done: `required_prefill_response_num`.
    pub fn required_responses(&self) -> u32 {
        let tp = match self.tp {
            Tp::Sharded => self.prefill_tp,
            Tp::Fan(_) => 1,
            Tp::Gather(prefill_ranks) => {
                if self.has_dummies {
                    1
                } else {
                    prefill_ranks
                }
            }
        };
        tp.saturating_mul(self.pulled_cp).saturating_mul(self.pp_per_rank())
    }

    /// What a decode rank connects to.
    pub fn target(&self, pp: u32, tp: u32) -> Target {
        let (selected, tps) = match self.tp {
            Tp::Sharded => (None, 0..self.prefill_tp),
            Tp::Fan(decode_ranks) => {
                let target = tp.checked_div(decode_ranks).unwrap_or_default();
                (Some(target), target..target.saturating_add(1))
            }
            Tp::Gather(prefill_ranks) => {
                let first = tp.saturating_mul(prefill_ranks);
                (Some(first), first..first.saturating_add(prefill_ranks))
            }
        };
        let pps = if self.prefill_pp == self.decode_pp { pp..pp.saturating_add(1) } else { 0..self.prefill_pp };
        Target { selected, tp: tps, cp: 0..self.pulled_cp, pp: pps }
    }

    /// The prefill ranks that a decode rank connects to, in SGLang's own order, or the
    /// first one that does not exist.
    pub fn peers(&self, target: &Target) -> Result<Vec<Peer>, Peer> {
        let mut peers = Vec::new();
        for cp in target.cp.clone() {
            for tp in target.tp.clone() {
                for pp in target.pp.clone().rev() {
                    let dummy = self.has_dummies && target.selected.is_some_and(|selected| selected != tp);
                    let peer = Peer { cp, tp, pp, dummy };
                    if tp >= self.prefill_tp {
                        return Err(peer);
                    }
                    peers.push(peer);
                }
            }
        }
        Ok(peers)
    }

    /// Decode TP ranks that look for a prefill rank that does not exist.
    pub fn lost_decode_ranks(&self) -> Range<u32> {
        match self.tp {
            Tp::Fan(decode_ranks) => self.prefill_tp.saturating_mul(decode_ranks).min(self.decode_tp)..self.decode_tp,
            Tp::Sharded | Tp::Gather(_) => self.decode_tp..self.decode_tp,
        }
    }

    /// Prefill TP ranks that no decode rank ever contacts.
    pub fn lonely_prefill_ranks(&self) -> Range<u32> {
        match self.tp {
            Tp::Gather(prefill_ranks) => self.decode_tp.saturating_mul(prefill_ranks)..self.prefill_tp,
            Tp::Sharded | Tp::Fan(_) => self.prefill_tp..self.prefill_tp,
        }
    }

    /// Ranks of one decode DP group.
    pub fn decode_ranks(&self) -> u64 {
        u64::from(self.decode_tp).saturating_mul(u64::from(self.decode_pp))
    }

    /// Connections of one decode DP group, including those to ranks that do not exist.
    pub fn connections(&self) -> u64 {
        let tp = match self.tp {
            Tp::Sharded => self.prefill_tp,
            Tp::Fan(_) => 1,
            Tp::Gather(prefill_ranks) => prefill_ranks,
        };
        [tp, self.pulled_cp, self.pp_per_rank()]
            .iter()
            .fold(self.decode_ranks(), |product, width| product.saturating_mul(u64::from(*width)))
    }

    fn pp_per_rank(&self) -> u32 {
        if self.prefill_pp == self.decode_pp { 1 } else { self.prefill_pp }
    }
}
