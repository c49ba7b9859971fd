//! Widths: what follows from a server's sizes, and the ranks that they number.
//!
//! SGLang divides without remainder checks here (the checks are launch rules), so a width
//! of a topology that does not divide is the rounded-down number that SGLang would use,
//! and may be 0.

use super::placement::{self, Placement, Spot};
use super::plan::Server;
use serde::Serialize;

/// What follows from a server's sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Widths {
    /// Ranks that share one request's heads: `tp / attention DP / attention CP`.
    pub attention_tp: u32,
    /// Ranks that share one prompt's tokens.
    pub attention_cp: u32,
    /// Groups inside TP that serve their own requests.
    pub attention_dp: u32,
    /// Copies of the whole server.
    pub replicas: u32,
    /// Pipeline stages.
    pub pp: u32,
    /// Decode context parallel width.
    pub dcp: u32,
    /// Processes of one copy: `tp × pp`.
    pub world_size: u32,
    /// Processes, and so GPUs, of all copies.
    pub gpus: u32,
    /// Machines.
    pub nodes: u32,
    /// Which of them starts which ranks, on which GPUs.
    pub placement: Placement,
}

/// A rank's place in its server. The global rank of one copy is
/// `pp × tp + (attention DP × CP width + CP) × attention TP width + attention TP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coordinates {
    /// Pipeline stage.
    pub pp: u32,
    /// Attention-DP index.
    pub attention_dp: u32,
    /// Attention-CP index.
    pub attention_cp: u32,
    /// Index inside the attention-TP group.
    pub attention_tp: u32,
}

/// The widths of a server.
pub fn of(server: &Server) -> Widths {
    let [tp, attention_dp, attention_cp, pp, replicas, dcp, nodes] =
        [server.tp, server.attention_dp, server.attention_cp, server.pp, server.replicas, server.dcp, server.nodes]
            .map(super::value::Size::number);
    let world_size = tp.saturating_mul(pp);
    Widths {
        attention_tp: tp.checked_div(attention_dp).and_then(|n| n.checked_div(attention_cp)).unwrap_or_default(),
        attention_cp,
        attention_dp,
        replicas,
        pp,
        dcp,
        world_size,
        gpus: world_size.saturating_mul(replicas),
        nodes,
        placement: placement::of(server),
    }
}

impl Widths {
    /// DP groups that hold one request each: attention-DP indices, or copies.
    pub fn dp_groups(&self) -> u32 {
        if self.replicas == 1 { self.attention_dp } else { self.replicas }
    }

    /// Ranks of one pipeline stage that the coordinates number.
    pub fn stage(&self) -> u32 {
        self.attention_dp.saturating_mul(self.attention_cp).saturating_mul(self.attention_tp)
    }

    /// The coordinates of a rank of one copy; `None` past its last.
    pub fn coordinates(&self, rank: u32) -> Option<Coordinates> {
        let (pp, in_stage) = div_rem(rank, self.stage())?;
        let (groups, attention_tp) = div_rem(in_stage, self.attention_tp)?;
        let (attention_dp, attention_cp) = div_rem(groups, self.attention_cp)?;
        (pp < self.pp).then_some(Coordinates { pp, attention_dp, attention_cp, attention_tp })
    }

    /// The rank of these coordinates; `None` if the server has no such rank.
    pub fn rank(&self, at: Coordinates) -> Option<u32> {
        let inside = at.pp < self.pp
            && at.attention_dp < self.attention_dp
            && at.attention_cp < self.attention_cp
            && at.attention_tp < self.attention_tp;
        let group = at.attention_dp.checked_mul(self.attention_cp)?.checked_add(at.attention_cp)?;
        let in_stage = group.checked_mul(self.attention_tp)?.checked_add(at.attention_tp)?;
        let rank = at.pp.checked_mul(self.stage())?.checked_add(in_stage)?;
        inside.then_some(rank)
    }

    /// Where a rank of the first copy runs; `None` if no node starts it.
    pub fn spot(&self, at: Coordinates) -> Option<Spot> {
        self.placement.spot(0, at.pp, self.rank(Coordinates { pp: 0, ..at })?)
    }
}

fn div_rem(number: u32, by: u32) -> Option<(u32, u32)> {
    Some((number.checked_div(by)?, number.checked_rem(by)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::value::Size;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranks_and_coordinates_are_a_bijection(dp in 1i64..6, cp in 1i64..6, tp in 1i64..6, pp in 1i64..6) {
            let size = |n| Size::new(n).unwrap();
            let server = Server {
                tp: size(dp * cp * tp), attention_dp: size(dp), attention_cp: size(cp), pp: size(pp), ..Server::default()
            };
            let widths = of(&server);
            let mut seen = std::collections::HashSet::new();
            for rank in 0..widths.world_size {
                let at = widths.coordinates(rank).unwrap();
                prop_assert!(seen.insert(at));
                prop_assert_eq!(widths.rank(at), Some(rank));
            }
            prop_assert_eq!(widths.coordinates(widths.world_size), None);
            prop_assert_eq!(widths.rank(Coordinates { pp: widths.pp, attention_dp: 0, attention_cp: 0, attention_tp: 0 }), None);
        }

        #[test]
        fn sizes_that_do_not_divide_have_widths_and_no_panic(tp in 1i64..70, dp in 1i64..70, cp in 1i64..70, rank in any::<u32>()) {
            let size = |n| Size::new(n).unwrap();
            let widths = of(&Server { tp: size(tp), attention_dp: size(dp), attention_cp: size(cp), ..Server::default() });
            prop_assert_eq!(i64::from(widths.attention_tp), tp / dp / cp);
            if let Some(at) = widths.coordinates(rank) {
                prop_assert_eq!(widths.rank(at), Some(rank));
            }
        }
    }
}
