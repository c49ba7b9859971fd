//! Settings that SGLang fills in where nothing was asked for, and no other step decides.

use super::Startup;
use crate::planner::value::Value;

/// Fields and their values.
pub fn of(startup: &Startup<'_>) -> Vec<(&'static str, Value)> {
    let asked = startup.asked;
    let mut values = Vec::new();
    if asked.load_balance_method == "auto" {
        let follows = if startup.is_prefill() { "follow_bootstrap_room" } else { "round_robin" };
        values.push(("loadBalanceMethod", Value::from(follows)));
    }
    if asked.chunked_prefill_size.is_none()
        && let Some(chunk) = startup.default_chunk()
    {
        values.push(("chunkedPrefillSize", Value::from(chunk)));
    }
    if asked.speculative_num_draft_tokens.is_none()
        && let Some(tokens) = draft_tokens(startup)
    {
        values.push(("speculativeNumDraftTokens", Value::from(tokens)));
    }
    values
}

/// The tokens that a draft proposes. (`_auto_choose_speculative_params`)
fn draft_tokens(startup: &Startup<'_>) -> Option<i32> {
    let steps = startup.option("--speculative-num-steps");
    match startup.asked.speculative_algorithm.as_deref()?.to_ascii_uppercase().as_str() {
        "NGRAM" => Some(12),
        "EAGLE" | "NEXTN" | "EAGLE3" if steps.is_some() => {
            let single = startup.option("--speculative-eagle-topk") == Some("1");
            steps?.parse().ok().and_then(|steps: i32| steps.checked_add(1)).filter(|_| single)
        }
        "EAGLE" | "NEXTN" | "EAGLE3" => match startup.architecture() {
            "" => None,
            "LlamaForCausalLM" | "Grok1ForCausalLM" | "Grok1VForCausalLM" => Some(8),
            _ => Some(4),
        },
        _ => None,
    }
}
