//! Which layers a pipeline stage holds. (`get_pp_indices`)

use super::server::Server;
use std::ops::Range;

/// The variable that splits layers over stages by hand.
pub const PARTITION_ENV: &str = "SGLANG_PP_LAYER_PARTITION";

/// The layers of each stage, or SGLang's text for a partition that does not fit.
///
/// # Errors
/// When the server's partition has another number of stages or of layers, or is no list of numbers.
pub fn of(server: &Server, layers: u32) -> Result<Vec<Range<u32>>, String> {
    let stages = server.pp.number();
    let sizes: Vec<u32> = match server.env.get(PARTITION_ENV) {
        Some(text) => partition(text, stages, layers)?,
        None => sizes(layers, stages),
    };
    let mut end = 0_u32;
    let stage = |size: &u32| {
        let start = end;
        end = end.saturating_add(*size);
        start..end
    };
    Ok(sizes.iter().map(stage).collect())
}

/// Even sizes; the last stages hold one more where it does not divide.
fn sizes(layers: u32, stages: u32) -> Vec<u32> {
    let base = layers.checked_div(stages).unwrap_or_default();
    let larger = layers.checked_rem(stages).unwrap_or_default();
    (0..stages).map(|stage| base.saturating_add(u32::from(stage >= stages.saturating_sub(larger)))).collect()
}

fn partition(text: &str, stages: u32, layers: u32) -> Result<Vec<u32>, String> {
    let sizes: Vec<u32> = text
        .split(',')
        .map(|word| word.trim().parse().map_err(|_| format!("Invalid partition string: {text}")))
        .collect::<Result<_, _>>()?;
    if sizes.len() != stages as usize {
        return Err(format!("len(partitions)={} does not match pp_size={stages}.", sizes.len()));
    }
    let sum = sizes.iter().fold(0_u32, |sum, size| sum.saturating_add(*size));
    if sum != layers {
        return Err(format!("sum(partitions)={sum} does not match num_hidden_layers={layers}."));
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(layers: u32, stages: i64) -> Vec<u32> {
        let pp = crate::planner::value::Size::new(stages).unwrap_or(crate::planner::value::Size::ONE);
        let stages = of(&Server { pp, ..Server::default() }, layers).unwrap_or_default();
        stages.iter().map(|stage| stage.end).collect()
    }

    #[test]
    fn the_last_stages_hold_one_more() {
        assert_eq!(ends(94, 4), [23, 46, 70, 94]);
        assert_eq!(ends(36, 8), [4, 8, 12, 16, 21, 26, 31, 36]);
        assert_eq!(ends(61, 1), [61]);
        assert_eq!(ends(2, 4), [0, 0, 1, 2]);
    }
}
