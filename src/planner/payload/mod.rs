//! What one request moves from prefill to decode, in bytes.
//!
//! Counted are a pair's connections one by one, as `transfer::carried` says what each carries, and
//! their sums over ranks. A request is a prompt of so many tokens, and meets one DP group of each
//! side. `tests/transfer.rs` holds what a connection carries against SGLang's own transfers.

mod sizes;
pub mod words;

use super::heads::Slice;
use super::layers;
use super::map::Map;
use super::mapping::Mapping;
use super::pair::Pair;
use super::quantity::Bytes;
use super::report::{Outcome, Report, Stage};
use super::transfer::{self, At, Carried, Gap, Planned, Run, Transfer, carried, held};
use serde::Serialize;
use sizes::Sizes;
use std::collections::BTreeMap;

/// What one request moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// The tokens of its prompt.
    pub prompt_tokens: u32,
    /// The speed of each GPU's network, in gigabits a second.
    pub network_gbps: u32,
    /// Bytes of the request's KV and states, once.
    pub request_bytes: Bytes,
    /// Bytes that the ranks of decode must hold of it, together.
    pub needed_bytes: Bytes,
    /// Bytes that are moved.
    pub moved_bytes: Bytes,
    /// Bytes that a rank of decode gets more than once.
    pub repeated_bytes: Bytes,
    /// Seconds that the busiest rank needs at least.
    pub seconds: f64,
    /// What each prefill rank sends, by stage, CP rank, TP rank.
    pub senders: Vec<RankBytes>,
    /// What each decode rank receives, by stage, TP rank.
    pub receivers: Vec<RankBytes>,
    /// What is assumed, and what is left out.
    pub notes: Vec<String>,
}

/// The bytes of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "coordinates")]
pub struct RankBytes {
    pub pp: u32,
    pub cp: u32,
    pub tp: u32,
    /// Bytes that it sends or receives.
    pub bytes: Bytes,
}

/// What one connection carries.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// The first layer of the prefill stage, and the one after its last.
    pub layers: [u32; 2],
    /// How many of them have KV that is sent.
    pub kv_layers: u32,
    /// Which heads, unless the KV is a latent.
    pub kv_heads: Option<Slice>,
    /// Which tokens.
    pub tokens: Run,
    /// The states beside the KV.
    pub states: Vec<StateShare>,
    /// All of it, in bytes.
    pub bytes: Bytes,
}

/// A state, or the part of it that one connection carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateShare {
    /// SGLang's name of it.
    pub kind: String,
    /// Its bytes.
    pub bytes: Bytes,
}

/// Why nothing is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Uncounted {
    /// The reason, as a sentence's part.
    pub reason: String,
    /// The fields that would tell.
    pub fields: Vec<String>,
}

impl Uncounted {
    fn because(reason: impl Into<String>) -> Uncounted {
        Uncounted { reason: reason.into(), fields: Vec::new() }
    }

    fn needs(field: &str) -> Uncounted {
        Uncounted { fields: vec![format!("model.{field}")], ..Uncounted::because("a fact of the model is missing") }
    }
}

/// What is counted of a plan: its sums, and what each connection carries.
pub struct Counted {
    /// The sums.
    pub payload: Payload,
    /// What connections carry; each of them once.
    pub shares: Vec<Share>,
    /// For every connection of the map its share; none for dummies.
    pub of: Vec<Option<usize>>,
}

impl Counted {
    /// The bytes of a connection, by its place in the map.
    pub fn bytes(&self, connection: usize) -> Bytes {
        let share = self.of.get(connection).copied().flatten().and_then(|share| self.shares.get(share));
        share.map_or(Bytes::NONE, |share| share.bytes)
    }
}

/// Counts what travels over a report's map.
///
/// # Errors
/// When nothing arrives as it should, or a size is not known.
pub fn count(pair: &Pair<'_>, report: &Report) -> Result<Counted, Uncounted> {
    let Some(map) = &report.map else { return Err(Uncounted::because("there is no rank map")) };
    let breaks = |outcome| matches!(outcome, Outcome::Fails | Outcome::Hangs | Outcome::Corrupts);
    if report
        .findings
        .iter()
        .any(|finding| finding.stage > Stage::Handshake && finding.stage < Stage::Routing && breaks(finding.outcome))
    {
        return Err(Uncounted::because("requests do not arrive as they should"));
    }
    let Some(model) = pair.model else {
        return Err(Uncounted { fields: vec!["model".to_owned()], ..Uncounted::because("the model is not known") });
    };
    let Planned { mut transfer, knows_layers } = match transfer::of(pair) {
        Ok(Some(planned)) => planned,
        Ok(None) => return Err(Uncounted::because("the planner does not follow this transfer")),
        Err(Gap::Missing { field, .. }) => {
            return Err(Uncounted { fields: vec![field.to_owned()], ..Uncounted::because("a fact is missing") });
        }
        Err(Gap::Unfollowed(what)) => return Err(Uncounted::because(format!("the planner does not follow {what}"))),
    };
    let mut sizes = sizes::sizes(pair, model, &mut transfer)?;
    if !knows_layers && transfer.prefill.pp() > 1 {
        sizes.notes.push("which stage has which KV layers is not known: they are counted as spread evenly".to_owned());
    }
    let Some(mapping) = &pair.mapping else { return Err(Uncounted::because("there is no rank map")) };
    Ok(sum(pair, mapping, map, &transfer, sizes))
}

fn sum(pair: &Pair<'_>, mapping: &Mapping, map: &Map, transfer: &Transfer, sizes: Sizes) -> Counted {
    let tokens = pair.plan.traffic.prompt_tokens.number();
    let mut shares: Vec<Share> = Vec::new();
    let mut known: BTreeMap<(u32, Carried), usize> = BTreeMap::new();
    // What a stage sent last it often sends again.
    let mut last: Vec<Option<(Carried, usize)>> = vec![None; mapping.prefill_pp as usize];
    let mut senders = Ranks::new(mapping.prefill_pp, mapping.prefill_cp, mapping.prefill_tp);
    let mut receivers = Ranks::new(mapping.decode_pp, 1, mapping.decode_tp);
    let stages = layers::of(&pair.prefill.server, pair.model.and_then(|model| model.layers).unwrap_or_default());
    let of = map.connections.iter().map(|connection| {
        if connection.dummy {
            return None;
        }
        let from = At { pp: connection.prefill.pp, cp: connection.prefill.cp, tp: connection.prefill.tp };
        let to = At { pp: connection.decode.pp, cp: 0, tp: connection.decode.tp };
        let carried = carried(transfer, tokens, from, to);
        let last = last.get_mut(from.pp as usize)?;
        let index = match last {
            Some((same, index)) if *same == carried => *index,
            _ => {
                let index = *known.entry((from.pp, carried.clone())).or_insert_with(|| {
                    let stage = stages.as_ref().ok().and_then(|stages| stages.get(from.pp as usize).cloned());
                    let stage = stage.unwrap_or_default();
                    shares.push(share(transfer, [stage.start, stage.end], &carried, sizes.bytes(&carried)));
                    shares.len().saturating_sub(1)
                });
                *last = Some((carried, index));
                index
            }
        };
        let bytes = shares.get(index).map_or(Bytes::NONE, |share| share.bytes);
        senders.add(from, bytes);
        receivers.add(to, bytes);
        Some(index)
    });
    let of = of.collect();
    let (senders, receivers) = (senders.listed(), receivers.listed());
    let hold = |rank: &RankBytes| sizes.bytes(&held(transfer, tokens, At { pp: rank.pp, cp: 0, tp: rank.tp }));
    let needed = receivers.iter().map(hold).sum::<Bytes>();
    let moved = senders.iter().map(|rank| rank.bytes).sum::<Bytes>();
    let busiest = senders.iter().chain(&receivers).map(|rank| rank.bytes).max().unwrap_or_default();
    let network_gbps = pair.plan.traffic.network_gbps.number();
    let payload = Payload {
        prompt_tokens: tokens,
        network_gbps,
        request_bytes: sizes.bytes(&held(&alone(transfer), tokens, At { pp: 0, cp: 0, tp: 0 })),
        needed_bytes: needed,
        moved_bytes: moved,
        repeated_bytes: moved.without(needed),
        seconds: seconds(busiest, network_gbps),
        senders,
        receivers,
        notes: sizes.notes,
    };
    Counted { payload, shares, of }
}

/// The bytes of every rank of one side's DP group.
struct Ranks {
    cp: u32,
    tp: u32,
    bytes: Vec<Bytes>,
}

impl Ranks {
    fn new(pp: u32, cp: u32, tp: u32) -> Ranks {
        Ranks { cp, tp, bytes: vec![Bytes::NONE; pp.saturating_mul(cp).saturating_mul(tp) as usize] }
    }

    fn add(&mut self, at: At, bytes: Bytes) {
        let place = at.pp.saturating_mul(self.cp).saturating_add(at.cp).saturating_mul(self.tp).saturating_add(at.tp);
        if let Some(sum) = self.bytes.get_mut(place as usize) {
            *sum = sum.and(bytes);
        }
    }

    fn listed(self) -> Vec<RankBytes> {
        let (cp, tp) = (self.cp.max(1), self.tp.max(1));
        let rank = |(place, bytes): (u32, Bytes)| {
            let group = place.checked_div(tp).unwrap_or_default();
            RankBytes {
                pp: group.checked_div(cp).unwrap_or_default(),
                cp: group.checked_rem(cp).unwrap_or_default(),
                tp: place.checked_rem(tp).unwrap_or_default(),
                bytes,
            }
        };
        (0..).zip(self.bytes).map(rank).collect()
    }
}

impl Sizes {
    fn bytes(&self, carried: &Carried) -> Bytes {
        carried.states.iter().copied().sum::<Bytes>().and(carried.kv_bytes(self.token))
    }
}

fn share(transfer: &Transfer, layers: [u32; 2], carried: &Carried, bytes: Bytes) -> Share {
    let states = transfer.states.iter().zip(&carried.states).filter(|(_, bytes)| **bytes > Bytes::NONE);
    Share {
        layers,
        kv_layers: carried.layers,
        kv_heads: carried.heads,
        tokens: carried.tokens,
        states: states.map(|(state, bytes)| StateShare { kind: state.kind.clone(), bytes: *bytes }).collect(),
        bytes,
    }
}

/// The same request on one rank of decode.
fn alone(transfer: &Transfer) -> Transfer {
    let mut alone = transfer.clone();
    let layers = alone.decode.stages.iter().sum();
    for end in [&mut alone.prefill, &mut alone.decode] {
        end.tp = 1;
        end.cp = 1;
        end.dcp = 1;
    }
    alone.decode.stages = vec![layers];
    alone
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "a time is shown with three digits")]
fn seconds(bytes: Bytes, gbps: u32) -> f64 {
    bytes.number() as f64 * 8.0 / (f64::from(gbps) * 1e9)
}
