//! Lengths and texts as they stand in a drawing.

/// A length in a drawing, written with one decimal at most. (Rust's own way to write floats is
/// exact, and so large that it would be a twentieth of the page.)
pub(super) struct Px(pub(super) f32);

impl std::fmt::Display for Px {
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "drawings are far smaller than 2^31")]
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0) as i32;
        let (whole, tenth) = (tenths.wrapping_div(10), tenths.wrapping_rem(10));
        if tenth == 0 { write!(f, "{whole}") } else { write!(f, "{whole}.{}", tenth.unsigned_abs()) }
    }
}

/// Breaks a sentence into lines of at most `width` characters where words allow.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count().saturating_add(word.chars().count()) < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text as it may stand in an element or an attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML has no way to write these.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
