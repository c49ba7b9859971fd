//! What happens when KV and states travel. [`crate::planner::transfer`] follows a transfer and names
//! the rule of each fault; here each says what it means.

use super::{Break, Judgement, Rule, decode, prefill, set_size, tp};
use crate::planner::pair::Pair;
use crate::planner::plan::TransferBackend;
use crate::planner::release::Release;
use crate::planner::report::{Edit, Finding, Fix, Outcome, Place};
use crate::planner::transfer::{Entry, Gap, Part, Strike};
use crate::planner::value::Value;

super::rules! {
    equal_dcp_needs_equal_attention_tp,
    dcp_goes_from_1_to_many,
    nixl_stages_need_layer_ids,
    nixl_needs_prefill_ranks_with_own_heads,
    stages_must_divide_the_layers,
    stages_must_split_layers_alike,
    mori_needs_pp_1_up_to_0_5_18,
    nixl_ignores_stages,
    nixl_dcp_ignores_stages,
    swa_stages_start_at_layer_0,
    hybrid_stages_need_a_newer_release,
    hybrid_latents_are_cut_like_heads,
    hybrid_states_come_from_one_rank_in_0_5_16,
    more_decode_ranks_than_heads,
    heads_land_behind_their_slot,
    draft_kv_needs_a_draft_on_decode,
    draft_on_decode_alone_shifts_values,
    draft_kv_of_stages_lands_elsewhere,
    dcp_stripes_are_not_cut,
    draft_tokens_are_striped,
    pages_are_lost_over_cp,
    ascend_0_5_17_sends_no_pages,
    ascend_0_5_15_sends_no_states,
    mori_sends_states_from_0_5_13,
    mori_knows_few_states,
    nixl_sends_block_scales_from_0_5_21,
    state_needs_equal_attention_tp,
    states_of_stages_need_layer_ids,
    mamba_needs_equal_attention_tp,
    mamba_is_cut_in_one_piece,
    unified_memory_needs_equal_shapes,
    staging_buffer_needs_both_sides,
    transfer_is_not_followed,
}

const MOONCAKE: &str = "python/sglang/srt/disaggregation/mooncake/conn.py";
const NIXL: &str = "python/sglang/srt/disaggregation/nixl/conn.py";
const MORI: &str = "python/sglang/srt/disaggregation/mori/conn.py";
const ASCEND: &str = "python/sglang/srt/disaggregation/ascend/conn.py";

const SILENT: &str = "Nobody is told: every request is answered with HTTP 200, out of wrong KV or states. No log has a \
                      word of it.";
const WORKER: &str = "The first request ends the prefill's transfer thread, which logs this text. Decode waits 300 \
                      seconds and answers HTTP 500, and so it goes with later requests. Both servers look healthy.";
const ROOM: &str = "Each request fails with this text on prefill, and with HTTP 500 on decode: at once, or after 300 \
                    seconds in earlier releases. Both servers stay up.";
const SERVER: &str = "The first request ends the prefill server: the transfer runs in its scheduler, unguarded.";
const BOOTSTRAP: &str = "The first request ends the prefill rank's bootstrap thread; only its stderr has the text. Every \
                         request to that rank, of any decode, fails after 300 seconds in Bootstrapping.";

/// What a rule finds in a pair's transfer.
pub fn findings(rule: &'static Rule, pair: &Pair<'_>, fixes: fn(&Pair<'_>) -> Vec<Fix>) -> Vec<Finding> {
    let release = pair.prefill.release;
    if let Some(Gap::Missing { rule: decided, field }) = pair.transfer.gap
        && decided == rule.id
    {
        return rule.finding(release, Place::Both, Judgement::Needs(field.to_owned())).into_iter().collect();
    }
    let Some(backend) = pair.transfer.backend else { return Vec::new() };
    let struck = pair.transfer.strikes.iter().filter(|(strike, _)| strike.rule == rule.id);
    struck
        .filter_map(|(strike, error)| {
            let (outcome, seen) = ends(strike, backend, release);
            let found = Break {
                side: Place::Both,
                message: message(rule, strike, pair),
                error: None,
                fields: fields(strike, pair),
                fixes: fixes(pair),
            };
            let finding = rule.finding(release, Place::Both, Judgement::Breaks(found))?;
            Some(Finding { outcome, seen, error: error.clone(), ..finding })
        })
        .collect()
}

/// What becomes of requests, and who sees it.
fn ends(strike: &Strike, backend: TransferBackend, release: Release) -> (Outcome, &'static str) {
    let in_scheduler = release < Release::V0_5_12;
    match (strike.error.is_some(), strike.at_registration, backend) {
        (_, true, _) => (Outcome::Hangs, BOOTSTRAP),
        (false, ..) => (Outcome::Corrupts, SILENT),
        (true, _, TransferBackend::Nixl | TransferBackend::Mori) if in_scheduler => (Outcome::Fails, SERVER),
        (true, _, TransferBackend::Nixl | TransferBackend::Mori) => (Outcome::Fails, ROOM),
        (true, ..) => (Outcome::Hangs, WORKER),
    }
}

fn message(rule: &Rule, strike: &Strike, pair: &Pair<'_>) -> String {
    let summary = rule.summary();
    if strike.buffers.is_empty() {
        return format!("{summary} Here nothing of a request arrives.");
    }
    let ranks = match &strike.ranks {
        Some(ranks) if ranks.len() < pair.decode.widths.attention_tp as usize => {
            let names: Vec<String> = ranks.iter().take(8).map(u32::to_string).collect();
            let more = if ranks.len() > 8 { " and others" } else { "" };
            format!("decode TP rank {}{more}", names.join(", "))
        }
        _ => "every decode rank".to_owned(),
    };
    if !pair.transfer.knows_layers {
        return format!("{summary} Wrong here: what arrives on {ranks}.");
    }
    format!("{summary} Wrong here: {} on {ranks}.", buffers(&strike.buffers))
}

/// Buffers in short: each part with the runs of its layers, states as a whole.
fn buffers(buffers: &[(u32, Entry)]) -> String {
    let mut entries: Vec<Entry> = buffers.iter().map(|(_, entry)| *entry).collect();
    entries.sort_unstable();
    let mut runs: Vec<(Entry, u32)> = Vec::new();
    let mut has_states = false;
    for entry in entries {
        if matches!(entry.part, Part::StateK | Part::StateV | Part::State) {
            has_states = true;
            continue;
        }
        match runs.last_mut() {
            Some((first, last)) if first.part == entry.part && entry.layer <= last.saturating_add(1) => {
                *last = entry.layer
            }
            _ => runs.push((entry, entry.layer)),
        }
    }
    let run = |(first, last): &(Entry, u32)| {
        let part = first.part.words();
        if first.layer == *last { format!("{part} {last}") } else { format!("{part}s {}\u{2013}{last}", first.layer) }
    };
    let mut shown: Vec<String> = runs.iter().take(6).map(run).collect();
    if has_states {
        shown.push("the states".to_owned());
    }
    let more = if runs.len() > 6 { " and more" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn fields(strike: &Strike, pair: &Pair<'_>) -> Vec<String> {
    let mut fields = Vec::new();
    let mut add = |differs: bool, name: &str| {
        if differs {
            fields.extend([prefill(name), decode(name)]);
        }
    };
    let [from, to] = [&pair.prefill, &pair.decode].map(|side| side.widths);
    let is_of = |word: &str| strike.rule.contains(word);
    add(is_of("dcp") || is_of("stripes"), "dcp");
    add(is_of("draft"), "speculativeAlgorithm");
    add(from.pp > 1 && (is_of("stage") || is_of("pp-1")), "pp");
    add(
        from.attention_tp != to.attention_tp
            && (is_of("heads") || is_of("attention-tp") || is_of("cut") || is_of("rank")),
        "tp",
    );
    add(is_of("mori") || is_of("nixl") || is_of("ascend"), "transferBackend");
    if fields.is_empty() {
        fields.push(prefill("transferBackend"));
    }
    fields
}

/// Edits that may help; those that do are offered.
fn edits(pair: &Pair<'_>) -> Vec<Fix> {
    let both = |title: String, name: &str, value: Value| {
        let edit = |field: String| Edit { field, value: value.clone() };
        Fix { title, edits: vec![edit(prefill(name)), edit(decode(name))] }
    };
    let mut fixes = tp::equalize(pair);
    let pp = pair.prefill.widths.pp;
    for stages in [pp / 2, 1] {
        if stages > 0 && stages < pp && pair.decode.widths.pp == 1 {
            let title = format!("Set prefill pipeline stages to {stages}");
            fixes.extend(set_size(title, prefill("pp"), stages));
        }
    }
    if pp > 1 && pair.decode.widths.pp == 1 {
        fixes.extend(set_size(format!("Set decode pipeline stages to {pp}"), decode("pp"), pp));
    }
    if pair.decode.widths.dcp > 1 {
        fixes.extend(set_size("Turn decode DCP off".to_owned(), decode("dcp"), 1));
    }
    if pair.prefill.widths.dcp > 1 {
        fixes.extend(set_size("Turn prefill DCP off".to_owned(), prefill("dcp"), 1));
    }
    if pair.prefill.server.speculative_algorithm != pair.decode.server.speculative_algorithm {
        let algorithm = pair.prefill.server.speculative_algorithm.clone();
        if let Some(algorithm) = algorithm {
            let title = format!("Speculate with {algorithm} on decode too");
            fixes.push(Fix {
                title,
                edits: vec![Edit { field: decode("speculativeAlgorithm"), value: Value::Text(algorithm) }],
            });
        }
    }
    if pair.prefill.server.speculative_algorithm.is_some() || pair.decode.server.speculative_algorithm.is_some() {
        fixes.push(both("Do without speculation on both".to_owned(), "speculativeAlgorithm", Value::Absent));
    }
    if pair.prefill.server.transfer_backend != TransferBackend::Mooncake {
        fixes.push(both("Move KV with mooncake on both".to_owned(), "transferBackend", "mooncake".into()));
    }
    if pair.prefill.server.env.contains_key(crate::planner::layers::PARTITION_ENV) {
        let without = |side: &crate::planner::pair::Side<'_>| {
            let mut env = (*side.server.env).clone();
            env.remove(crate::planner::layers::PARTITION_ENV);
            Value::Map(env)
        };
        let edits = vec![
            Edit { field: prefill("env"), value: without(&pair.prefill) },
            Edit { field: decode("env"), value: without(&pair.decode) },
        ];
        fixes.push(Fix { title: "Split layers evenly".to_owned(), edits });
    }
    if pair.prefill.release < Release::NEWEST {
        let side = |field: &str| Edit { field: field.to_owned(), value: Value::Absent };
        let plan = Edit { field: "release".to_owned(), value: Release::NEWEST.name().into() };
        let title = format!("Run SGLang {}", Release::NEWEST);
        fixes.push(Fix { title, edits: vec![plan, side("prefill.release"), side("decode.release")] });
    }
    fixes
}
