//! How shell text is split into commands.

use super::*;
use proptest::prelude::*;

fn all(text: &str) -> (Vec<Command>, Option<usize>) {
    let mut all = Vec::new();
    let open_quote = commands(text, 1, Variables::default(), |_| true, &mut |command| {
        all.push(command);
        ControlFlow::Continue(())
    });
    (all, open_quote)
}

fn words(text: &str) -> Vec<Vec<String>> {
    all(text).0.into_iter().map(|command| command.words.into_iter().map(|word| word.text).collect()).collect()
}

#[test]
fn words_are_split_as_a_shell_splits_them() {
    let cases: &[(&str, &[&[&str]])] = &[
        ("a --b 'c d' \"e f\"", &[&["a", "--b", "c d", "e f"]]),
        ("a \\\n  --b \\  \n c", &[&["a", "--b", "c"]]),
        ("a --x='{\"k\": 1}'", &[&["a", "--x={\"k\": 1}"]]),
        ("a # not this\nb", &[&["a"], &["b"]]),
        ("a > log.txt 2>&1 &\nb", &[&["a"], &["b"]]),
        ("a && b; c | d", &[&["a"], &["b"], &["c"], &["d"]]),
        ("N=8\na --tp $N ${N} ${M:-4}", &[&["a", "--tp", "8", "8", "4"]]),
        ("export X=1 Y=2; a $Y", &[&["a", "2"]]),
        ("a $HOST $(nproc) $((1 + M))", &[&["a", "$HOST", "$(nproc)", "$((1 + M))"]]),
        ("N=8 M=\na $((N / 2 + 1))x ${M-4}${M:-5} ${K:-$((N * 2))} ${K:-${N}}", &[&["a", "5x", "5", "16", "8"]]),
        ("a ${K:-$J} ${#N} $", &[&["a", "${K:-$J}", "${#N}", "$"]]),
        ("a \"\" b", &[&["a", "", "b"]]),
    ];
    for (text, expected) in cases {
        assert_eq!(words(text), *expected, "{text}");
    }
}

#[test]
fn variables_belong_to_the_command_they_stand_before() {
    let (commands, _) = all("export A=1\nB=2 run x\nrun y");
    let env = |set: &BTreeMap<String, String>| -> Vec<String> { set.iter().map(|(n, v)| format!("{n}={v}")).collect() };
    let set: Vec<_> = commands.iter().map(|c| (env(&c.before), env(&c.env))).collect();
    let a = || vec!["A=1".to_owned()];
    assert_eq!(set, [(a(), vec!["B=2".to_owned()]), (a(), Vec::new())]);
}

#[test]
fn an_open_quote_is_told() {
    assert_eq!(all("a\n 'b c").1, Some(2));
    assert_eq!(all("a 'b c'").1, None);
}

#[test]
fn words_know_their_lines() {
    let lines: Vec<usize> =
        all("a 'x\ny' \\\n b\n\n c").0.iter().flat_map(|c| c.words.iter().map(|w| w.line)).collect();
    assert_eq!(lines, [1, 1, 3, 5]);
}

#[test]
fn variables_that_grow_without_end_stay_as_they_are_written() {
    let doubled: String = (0..40).map(|n| format!("A{}=$A{n}$A{n}\n", n + 1)).collect();
    let words = words(&format!("A0={}\n{doubled}a $A40", "x".repeat(1000)));
    assert!(words[0][1].len() < 3 << 20);
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = all(&text);
    }
}
