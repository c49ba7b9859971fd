//! What SGLang says of a command line that it refuses, and what it says first.

use crate::planner::plan::Server;
use crate::planner::record::Field;
use crate::planner::release::Release;
use crate::planner::report::SglangError;
use crate::planner::value::Kind;

/// When an error comes up: argparse looks at every option's name first, then takes the values,
/// then counts what is left over; settings are resolved after that.
pub fn turn(error: &SglangError) -> u8 {
    match error.kind {
        "SystemExit" if error.message.starts_with("ambiguous") => 0,
        "SystemExit" if error.message.starts_with("argument") => 1,
        "SystemExit" => 2,
        _ => 3,
    }
}

/// The exception and text for a value that its option does not take.
pub(super) fn refused_value(field: &Field<Server>, option: &str, text: &str) -> Option<(&'static str, String)> {
    match (field.name, field.kind) {
        (_, Kind::Text(words)) => {
            let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            let list = words.join(", ");
            Some(("SystemExit", format!("argument {option}: invalid choice: '{text}' (choose from {list})")))
        }
        ("dcp", _) => {
            let flags = "--dcp-size / --decode-context-parallel-size";
            let error = format!("Decode context parallel size ({flags}) must be >= 1, but got dcp_size={text}.");
            Some(("ValueError", error))
        }
        ("attentionDp", _) => Some(("ValueError", format!("--attn-dp-size must be positive (got {text})."))),
        _ => None,
    }
}

/// The exception and text for `--enable-dp-attention` over no DP group. (`handle_data_parallelism`)
pub(super) fn no_attention_dp(release: Release) -> (&'static str, &'static str) {
    if release < Release::V0_5_22 {
        ("ZeroDivisionError", "integer modulo by zero")
    } else {
        ("ValueError", "--attn-dp-size must be positive (got 0).")
    }
}
