//! Texts that some builds do without: WebAssembly has a size budget, and what it does not need lies
//! in files beside it.

/// A text that is not part of the npm package's WebAssembly: its JSON files and types have it.
pub const fn outside_package(text: &str) -> &str {
    if cfg!(any(feature = "js", feature = "commands")) { "" } else { text }
}

/// A text that is part of no WebAssembly: `rules.json` and the tests have it.
pub const fn outside_wasm(text: &str) -> &str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}
