//! Which KV heads a rank holds, and which of them travel from one rank to another, as SGLang
//! computes it since the slices are right. (`compute_head_slice_params`)

/// The heads of one connection. Source and destination count from the rank's own first head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Slice {
    /// The first head in the prefill rank's cache.
    pub source: u32,
    /// How many.
    pub count: u32,
    /// The first head in the decode rank's cache.
    pub destination: u32,
}

/// The heads that each of `tp` ranks holds of `heads`; where there are more ranks, several
/// neighbours hold the same one.
pub fn per_rank(heads: u32, tp: u32) -> u32 {
    heads.checked_div(tp).unwrap_or_default().max(1)
}

/// How many neighbouring ranks hold the same heads.
pub fn copies(heads: u32, tp: u32) -> u32 {
    tp.checked_div(heads).unwrap_or_default().max(1)
}

/// The first head that a rank holds, among all heads of the model.
pub fn first(heads: u32, tp: u32, rank: u32) -> u32 {
    let group = rank.checked_div(copies(heads, tp)).unwrap_or_default();
    group.saturating_mul(per_rank(heads, tp))
}

/// What prefill's TP rank `from` sends to decode's TP rank `to` when the two meet in the rank mapping.
pub fn slice(heads: u32, prefill_tp: u32, decode_tp: u32, from: u32, to: u32) -> Slice {
    let (source, destination) = (per_rank(heads, prefill_tp), per_rank(heads, decode_tp));
    let (start, held) = (first(heads, prefill_tp, from), first(heads, decode_tp, to));
    if prefill_tp > decode_tp {
        Slice { source: 0, count: source, destination: start.checked_rem(destination).unwrap_or_default() }
    } else if prefill_tp < decode_tp {
        Slice { source: held.checked_rem(source).unwrap_or_default(), count: destination, destination: 0 }
    } else {
        Slice { source: 0, count: source, destination: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_cut_and_copied_as_in_sglang() {
        let slice = |heads, prefill, decode, from, to| {
            let Slice { source, count, destination } = super::slice(heads, prefill, decode, from, to);
            (source, count, destination)
        };
        // P > D: every rank sends all it has.
        assert_eq!(slice(8, 4, 2, 1, 0), (0, 2, 2));
        assert_eq!(slice(8, 4, 2, 2, 1), (0, 2, 0));
        assert_eq!(slice(4, 8, 2, 3, 0), (0, 1, 1));
        // P < D: a decode rank gets its share; with more ranks than heads, a copy.
        assert_eq!(slice(8, 2, 4, 0, 1), (2, 2, 0));
        assert_eq!(slice(4, 2, 8, 0, 2), (1, 1, 0));
        assert_eq!(slice(8, 4, 4, 3, 3), (0, 2, 0));
    }
}
