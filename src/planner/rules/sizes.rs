//! What the rules on sizes that must divide share.

use super::{Break, set_size};
use crate::planner::plan::Server;
use crate::planner::record::Record;
use crate::planner::release::{Range, Release};
use crate::planner::report::Fix;
use crate::planner::startup::Startup;

/// What a refused launch does.
pub(super) const WONT_START: &str = "Strikes when the server starts: it logs the error and exits.";

/// What a silent change leaves behind.
pub(super) const IN_THE_LOG: &str = "Strikes when the server starts: at most a line in its log tells.";

/// The file of the adjustments to models.
pub(super) const MODEL_HOOK: &str = "python/sglang/srt/arg_groups/model_hook.py";

/// The file of the checks of resolved settings.
pub(super) const VALIDATION: &str = "python/sglang/srt/arg_groups/validation_hook.py";

/// The file of the settings that override what was asked for.
pub(super) const OVERRIDES: &str = "python/sglang/srt/arg_groups/overrides.py";

/// The file of the settings that override what was asked for, for the DeepSeek family.
pub(super) const DEEPSEEK_OVERRIDES: &str = "python/sglang/srt/arg_groups/model_overrides/deepseek_v2.py";

/// The file of what DeepSeek-V4 starts with.
pub(super) const DEEPSEEK_V4: &str = "python/sglang/srt/arg_groups/deepseek_v4_hook.py";

/// The file of the attention backends.
pub(super) const ATTENTION_HOOK: &str = "python/sglang/srt/arg_groups/attention_hook.py";

/// The file of the KV cache's settings.
pub(super) const KV_CACHE_HOOK: &str = "python/sglang/srt/arg_groups/kv_cache_hook.py";

/// The file of the settings of speculative decoding.
pub(super) const SPECULATIVE_HOOK: &str = "python/sglang/srt/arg_groups/speculative_hook.py";

/// The file of the launch arguments, and of their checks until those moved to files of their own.
pub(super) const SERVER_ARGS: &str = "python/sglang/srt/server_args.py";

/// The releases whose checks stand in [`SERVER_ARGS`].
pub(super) const BEFORE_HOOKS: Range = Range::between(Release::V0_5_10, Release::V0_5_19);

/// The releases whose checks have files of their own.
pub(super) const HOOKS: Range = Range::since(Release::V0_5_19);

/// The file of SGLang's size checks.
pub(super) const PARALLEL_HOOK: &str = "python/sglang/srt/arg_groups/parallel_hook.py";

/// The file of SGLang's PD checks at launch.
pub(super) const PD_HOOK: &str = "python/sglang/srt/arg_groups/pd_disaggregation_hook.py";

/// A field of a side, as a path.
pub(super) fn field(side: &Startup<'_>, name: &str) -> String {
    format!("{}.{name}", side.role)
}

/// The flag that sets a field in the side's release.
pub(super) fn flag(side: &Startup<'_>, name: &str) -> &'static str {
    Server::field(name).and_then(|field| field.flag(side.release)).unwrap_or_default()
}

/// Fixes for a size that must divide another: the largest smaller one that does, and 1.
pub(super) fn shrink(side: &Startup<'_>, name: &str, size: u32, divided: u32) -> Vec<Fix> {
    let divides = |candidate: &u32| divided.checked_rem(*candidate) == Some(0);
    let nearest = (2..size).rev().find(divides);
    let title = |number: u32| format!("Set {} {} to {number}", side.role, flag(side, name));
    nearest.into_iter().chain([1]).filter_map(|number| set_size(title(number), field(side, name), number)).collect()
}

/// A size that does not divide another, as a break.
pub(super) fn does_not_divide(
    side: &Startup<'_>,
    names: &[&str],
    message: String,
    error: String,
    fixes: Vec<Fix>,
) -> Break {
    Break {
        side: side.role.into(),
        message,
        error: Some(error),
        fields: names.iter().map(|name| field(side, name)).collect(),
        fixes,
    }
}
