//! Which environment variables of a text belong to a plan.
//!
//! Those that a text sets for a server alone are kept. Of those that a script sets for everything
//! after them, only what SGLang and its transfer engines read. Secrets stay out: a plan becomes a
//! link that people send each other.

/// How the variables begin that SGLang and its transfer engines read.
const READ: &[&str] = &["SGLANG_", "MC_", "NCCL_", "UCX_", "NVSHMEM_", "GLOO_"];

/// What the name of a secret ends with.
const SECRETS: &[&str] = &["TOKEN", "SECRET", "PASSWORD", "_KEY"];

/// Whether SGLang or a transfer engine reads a variable.
pub fn is_read(name: &str) -> bool {
    READ.iter().any(|start| name.starts_with(start))
}

/// Whether a variable holds a secret, by its name.
pub fn is_secret(name: &str) -> bool {
    SECRETS.iter().any(|end| name.to_ascii_uppercase().ends_with(end))
}

/// Whether a shell takes this for the name of a variable.
pub fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// The name and value of `NAME=value`.
pub fn assignment(word: &str) -> Option<(&str, &str)> {
    word.split_once('=').filter(|(name, _)| is_name(name))
}
