//! A rule's documentation, cut at compile time into its summary and why.
//!
//! The npm package reads why and the examples from `rules.json`, which lies beside its
//! WebAssembly; so the WebAssembly has none of them, nor the memory that holds both.

/// Where the first paragraph ends.
pub(super) const fn summary_end(docs: &str) -> usize {
    let mut end: usize = 0;
    let mut rest = docs.as_bytes();
    while let [_, after @ ..] = rest {
        if let [b'\n', b'\n', ..] = rest {
            return end;
        }
        end = end.saturating_add(1);
        rest = after;
    }
    end
}

/// The first bytes as memory of their own: a slice would keep all of the text.
pub(super) const fn head<const N: usize>(docs: &str) -> [u8; N] {
    match docs.as_bytes().first_chunk() {
        Some(head) => *head,
        None => [b' '; N],
    }
}

/// Bytes that were cut from a text at a line's end.
pub(super) const fn text(bytes: &[u8]) -> &str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

/// What follows the first paragraph.
pub(super) const fn after_summary(docs: &str) -> &str {
    docs.split_at(summary_end(docs)).1
}
