//! A line of words, quoted as a shell reads them: what a form shows of a list.
//!
//! It knows quotes and backslashes and nothing else of a shell ([`super::shell`] does).

use super::print::quote;

/// Words on one line.
pub fn join(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

/// The words of a line.
///
/// # Errors
/// When a quote is not closed.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match quote {
            None if c == '\\' => word.get_or_insert_default().extend(chars.next()),
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("has a {quote} that is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_survive_their_line(words in prop::collection::vec(any::<String>(), 0..5)) {
            prop_assert_eq!(split(&join(&words)), Ok(words));
        }

        #[test]
        fn any_line_is_split_or_refused(line in any::<String>()) {
            let _ = split(&line);
        }
    }
}
