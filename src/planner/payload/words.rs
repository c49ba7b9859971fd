//! Quantities and slices in words.

use super::{Payload, RankBytes, Share, Uncounted};
use crate::planner::quantity::Bytes;

/// Bytes, in units of a thousand.
pub fn bytes(bytes: Bytes) -> String {
    scaled(bytes.number(), &["B", "kB", "MB", "GB", "TB", "PB", "EB"])
}

/// A time.
pub fn time(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::as_conversions,
        reason = "casts saturate"
    )]
    let nanoseconds = (seconds * 1e9) as u64;
    if nanoseconds < 999_950_000 {
        return scaled(nanoseconds, &["ns", "µs", "ms"]);
    }
    scaled(nanoseconds.div_euclid(1_000_000), &["ms", "s", "ks"])
}

/// A number in the unit that leaves it below 1000, to one decimal; to two below 10.
fn scaled(number: u64, units: &[&str]) -> String {
    let mut divisor = 1_u128;
    let mut names = units.iter();
    let mut unit = names.next().copied().unwrap_or_default();
    for next in names {
        // What rounds to 1000 of a unit is 1 of the next.
        if u128::from(number).saturating_mul(20) < divisor.saturating_mul(19_999) {
            break;
        }
        divisor = divisor.saturating_mul(1000);
        unit = next;
    }
    let number = u128::from(number);
    let rounded = |parts: u128| {
        let twice = number.saturating_mul(parts).saturating_mul(2).saturating_add(divisor);
        twice.checked_div(divisor.saturating_mul(2)).unwrap_or_default()
    };
    if divisor == 1 {
        return format!("{number} {unit}");
    }
    if rounded(100) < 1000 {
        let hundredths = rounded(100);
        return format!("{}.{:02} {unit}", hundredths.div_euclid(100), hundredths.rem_euclid(100));
    }
    let tenths = rounded(10);
    format!("{}.{} {unit}", tenths.div_euclid(10), tenths.rem_euclid(10))
}

/// How many times some bytes are others, with one decimal.
pub fn ratio(bytes: Bytes, of: Bytes) -> String {
    let tenths = u128::from(bytes.number()).saturating_mul(10).checked_div(of.number().into()).unwrap_or_default();
    format!("{}.{}", tenths.div_euclid(10), tenths.rem_euclid(10))
}

/// What one connection carries: layers, heads, tokens, states, bytes.
pub fn share(share: &Share) -> String {
    let [first, end] = share.layers;
    let mut parts = Vec::new();
    if share.kv_layers > 0 {
        let last = end.saturating_sub(1);
        let layers = if first == last { format!("layer {first}") } else { format!("layers {first}–{last}") };
        let all = end.abs_diff(first) == share.kv_layers;
        parts.push(if all { layers } else { format!("{} KV layers of {layers}", share.kv_layers) });
        parts.push(match share.kv_heads {
            Some(slice) => {
                let thing = if slice.count == 1 { "head" } else { "heads" };
                format!("{thing} {} into {}", run(slice.source, slice.count), run(slice.destination, slice.count))
            }
            None => "the whole latent".to_owned(),
        });
        let tokens = share.tokens;
        parts.push(match (tokens.every, tokens.offset) {
            (1, 0) => format!("{} tokens", tokens.count),
            (1, first) => format!("{} tokens from {first} on", tokens.count),
            (every, first) => format!("{} tokens, every {every}th from {first} on", tokens.count),
        });
    }
    parts.extend(share.states.iter().map(|state| format!("state {} ({})", state.kind, bytes(state.bytes))));
    format!("{}: {}", parts.join(", "), bytes(share.bytes))
}

fn run(first: u32, count: u32) -> String {
    match count {
        1 => first.to_string(),
        _ => format!("{first}–{}", first.saturating_add(count).saturating_sub(1)),
    }
}

/// The sums in a sentence.
pub fn summary(payload: &Payload) -> String {
    let busiest = payload.senders.iter().chain(&payload.receivers).map(|rank| rank.bytes).max().unwrap_or_default();
    format!(
        "A prompt of {} tokens moves {}, {} times its own {}; the busiest rank {}, at {} Gb/s in {} at least.",
        payload.prompt_tokens,
        bytes(payload.moved_bytes),
        ratio(payload.moved_bytes, payload.request_bytes),
        bytes(payload.request_bytes),
        bytes(busiest),
        payload.network_gbps,
        time(payload.seconds),
    )
}

/// Why nothing is counted, in a sentence.
pub fn uncounted(why: &Uncounted) -> String {
    let tell = match why.fields.as_slice() {
        [] => String::new(),
        fields => format!(" Tell me {}.", fields.join(", ")),
    };
    format!("What a request moves is not counted: {}.{tell}", why.reason)
}

/// Ranks of a stage and CP rank with as many bytes, as one line: which they are, how many, the bytes of each.
pub fn runs(ranks: &[RankBytes]) -> Vec<(String, usize, Bytes)> {
    let mut groups: Vec<(RankBytes, Vec<u32>)> = Vec::new();
    for rank in ranks {
        let is_alike = |(first, _): &&mut (RankBytes, Vec<u32>)| {
            (first.pp, first.cp, first.bytes) == (rank.pp, rank.cp, rank.bytes)
        };
        match groups.iter_mut().rev().find(is_alike) {
            Some((_, tps)) => tps.push(rank.tp),
            None => groups.push((*rank, vec![rank.tp])),
        }
    }
    let (has_pp, has_cp) = (ranks.iter().any(|rank| rank.pp > 0), ranks.iter().any(|rank| rank.cp > 0));
    let name = |first: &RankBytes, tps: &[u32]| {
        let pp = if has_pp { format!("PP {}, ", first.pp) } else { String::new() };
        let cp = if has_cp { format!("CP {}, ", first.cp) } else { String::new() };
        format!("{pp}{cp}TP {}", evenly(tps))
    };
    groups.iter().map(|(first, tps)| (name(first, tps), tps.len(), first.bytes)).collect()
}

/// Numbers in rising order, in short where they are evenly spaced.
fn evenly(numbers: &[u32]) -> String {
    let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else { return String::new() };
    let step = numbers.get(1).map_or(1, |second| second.saturating_sub(*first));
    let is_even = numbers.windows(2).all(|pair| matches!(pair, [one, next] if next.saturating_sub(*one) == step));
    match (numbers, step) {
        ([one], _) => one.to_string(),
        (_, 1) if is_even => format!("{first}–{last}"),
        ([one, next, _, _, ..], _) if is_even => format!("{one}, {next}, …, {last}"),
        _ => numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_rounded_in_a_fitting_unit() {
        let texts = [0, 999, 1000, 12_345, 999_949, 999_950, 287_834_112, 2_302_672_896, u64::MAX]
            .map(|number| bytes(Bytes::new(number)));
        let expected = ["0 B", "999 B", "1.00 kB", "12.3 kB", "999.9 kB", "1.00 MB", "287.8 MB", "2.30 GB", "18.4 EB"];
        assert_eq!(texts, expected);
        assert_eq!([0.000_719_585_28, 0.0057, 1.5, 1234.0].map(time), ["719.6 µs", "5.70 ms", "1.50 s", "1.23 ks"]);
        assert_eq!(ratio(Bytes::new(2_302_672_896), Bytes::new(287_834_112)), "8.0");
    }

    #[test]
    fn numbers_are_listed_in_short() {
        let texts: [(&[u32], &str); 5] = [
            (&[3], "3"),
            (&[0, 1, 2], "0–2"),
            (&[0, 2, 4, 6], "0, 2, …, 6"),
            (&[1, 5], "1, 5"),
            (&[0, 1, 5], "0, 1, 5"),
        ];
        for (numbers, text) in texts {
            assert_eq!(evenly(numbers), text);
        }
    }
}
