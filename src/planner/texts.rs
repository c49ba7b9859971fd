//! Texts that some builds do without: WebAssembly has a size budget, and what it does not need lies
//! in files beside it.

/// A text that is not part of the npm package's WebAssembly: its JSON files and types have it.
pub const fn outside_package(text: &str) -> &str {
    if cfg!(any(feature = "js", feature = "commands")) { "" } else { text }
}

/// A text that the verdict does without, in the npm package and in the page: `rules.json` has it,
/// and the WebAssembly that makes parts of the page.
pub const fn outside_verdict(text: &str) -> &str {
    if IS_VERDICT_ALONE { "" } else { text }
}

/// A text that is part of no WebAssembly: `rules.json` and the tests have it.
pub const fn outside_wasm(text: &str) -> &str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}

/// The places in SGLang's source: the page shows them with the reasons, and the npm package has them
/// from `rules.json`.
pub const fn outside_verdicts<T>(places: &'static [T]) -> &'static [T] {
    if IS_VERDICT_ALONE { &[] } else { places }
}

/// A rule's summary, which no message on a start-up has.
pub const fn summary<'a>(kind: &str, text: &'a str) -> &'a str {
    if matches!(kind.as_bytes(), b"Start") { outside_verdict(text) } else { text }
}

const IS_VERDICT_ALONE: bool = cfg!(any(feature = "js", feature = "ui")) && !cfg!(feature = "commands");
