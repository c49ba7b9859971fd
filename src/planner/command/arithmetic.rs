//! Whole-number arithmetic as in a shell's `$((…))`: `+ - * / %`, parentheses, names.

/// How deep parentheses and signs may stand in each other.
const MOST_DEPTH: u8 = 32;

/// The value of an expression; none where a name has no number, or the arithmetic fails.
pub fn value(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<i64> {
    let mut reader = Reader { rest: text, variable };
    let value = reader.sum(0)?;
    reader.rest.trim_start().is_empty().then_some(value)
}

struct Reader<'a> {
    rest: &'a str,
    variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Reader<'_> {
    fn sum(&mut self, depth: u8) -> Option<i64> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.next_of("+-") {
            let other = self.product(depth)?;
            value = if sign == '+' { value.checked_add(other) } else { value.checked_sub(other) }?;
        }
        Some(value)
    }

    fn product(&mut self, depth: u8) -> Option<i64> {
        let mut value = self.atom(depth)?;
        while let Some(sign) = self.next_of("*/%") {
            let other = self.atom(depth)?;
            value = match sign {
                '*' => value.checked_mul(other),
                '/' => value.checked_div(other),
                _ => value.checked_rem(other),
            }?;
        }
        Some(value)
    }

    /// A number, a name, a signed atom, or a sum in parentheses.
    fn atom(&mut self, depth: u8) -> Option<i64> {
        let depth = depth.checked_add(1).filter(|depth| *depth <= MOST_DEPTH)?;
        match self.next_of("(+-") {
            Some('(') => {
                let value = self.sum(depth)?;
                self.next_of(")").map(|_| value)
            }
            Some('-') => self.atom(depth)?.checked_neg(),
            Some(_) => self.atom(depth),
            None => self.word(),
        }
    }

    fn word(&mut self) -> Option<i64> {
        let is_braced = self.rest.starts_with("${");
        let start = self.rest.strip_prefix("${").or(self.rest.strip_prefix('$')).unwrap_or(self.rest);
        let length = start.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (word, rest) = start.split_at_checked(length)?;
        self.rest = if is_braced { rest.strip_prefix('}')? } else { rest };
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return word.parse().ok();
        }
        (self.variable)(word)?.trim().parse().ok()
    }

    /// The next character past blanks, if it is one of these.
    fn next_of(&mut self, characters: &str) -> Option<char> {
        self.rest = self.rest.trim_start();
        let next = self.rest.chars().next().filter(|next| characters.contains(*next))?;
        self.rest = self.rest.get(next.len_utf8()..)?;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::value;
    use proptest::prelude::*;

    fn known(name: &str) -> Option<String> {
        Some(match name {
            "N" => "8".to_owned(),
            "W" => "word".to_owned(),
            _ => return None,
        })
    }

    #[test]
    fn whole_numbers_are_computed_as_a_shell_computes_them() {
        let cases = [
            ("1 + 2", Some(3)),
            ("2*(N+1)", Some(18)),
            ("$N * ${N} / 3 % 4", Some(1)),
            ("-N - -2", Some(-6)),
            ("7/2", Some(3)),
            ("1/0", None),
            ("9223372036854775807 + 1", None),
            ("M + 1", None),
            ("W + 1", None),
            ("(1", None),
            ("1)", None),
            ("1 << 2", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text, &known), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_expression_is_read(text in "[-+*/%() $N{}0-9]{0,60}") {
            let _ = value(&text, &known);
        }
    }
}
