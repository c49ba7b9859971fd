//! What changes: between a pasted command and the printed one, and from one release to another.

mod common;

use common::{plan, plans};
use pd_planner::planner::command::{commands, diff, read};
use pd_planner::planner::plan::Plan;
use pd_planner::planner::release::Release;
use proptest::prelude::*;

/// A prefill command's changes: `pasted → printed (why)`.
fn changes(words: &str, release: Release, edit: &dyn Fn(&mut Plan)) -> Vec<String> {
    let reading = read(&format!("{words} --disaggregation-mode prefill --host 0.0.0.0 --port 30000"), release);
    let mut plan = reading.plan.clone();
    edit(&mut plan);
    let shown = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    let changes = diff(&reading, &plan).into_iter();
    changes.map(|c| format!("{} → {} ({})", shown(c.pasted), shown(c.printed), c.why)).collect()
}

#[test]
fn each_option_that_is_printed_otherwise_says_why() {
    let cases: &[(&str, &[&str])] = &[
        ("--model-path m --tp-size 8", &[]),
        ("--model-path m --tp 8", &["--tp 8 → --tp-size 8 (spelling)"]),
        (
            "--model-path m --tp-size=8 --pp-size 1",
            &["--tp-size=8 → --tp-size 8 (spelling)", "--pp-size 1 → – (default)"],
        ),
        ("--model-path m --tp-size 4 --tp-size 8", &["--tp-size 4 → – (overruled)"]),
        ("--model-path m --tp-size eight", &["--tp-size eight → – (notKept)"]),
        ("--model-path m --node-rank 0 --nnodes 1", &["--node-rank 0 → – (placeholder)", "--nnodes 1 → – (default)"]),
        (
            "--model-path m --tp-size 8 --dp-size 8 --enable-dp-attention",
            &[
                "--dp-size 8 → – (understood)",
                "--enable-dp-attention → – (understood)",
                "– → --attn-dp-size 8 (understood)",
            ],
        ),
        (
            "--model-path /models/DeepSeek-V3 --port 31000",
            &[
                "--model-path /models/DeepSeek-V3 → --model-path deepseek-ai/DeepSeek-V3 (understood)",
                "--port 31000 → – (overruled)",
            ],
        ),
        ("--model-path m stray --no-such-flag 1 2 --mem-fraction-static 0.8", &[]),
        ("--model-path m --mem-frac 0.8", &["--mem-frac 0.8 → --mem-fraction-static 0.8 (spelling)"]),
    ];
    for (words, expected) in cases {
        let words = format!("sglang serve {words}");
        assert_eq!(changes(&words, Release::V0_5_23, &|_| {}), *expected, "{words}");
    }
}

#[test]
fn variables_and_edits_are_told_and_secrets_are_not_shown() {
    let words = "HF_TOKEN=hunter2 MC_A='x y' sglang serve --model-path m --tp-size 8 --mem-fraction-static 0.8";
    assert_eq!(changes(words, Release::V0_5_23, &|_| {}), ["HF_TOKEN=… → – (notKept)"]);
    let edit = |plan: &mut Plan| {
        *plan = Plan { release: plan.release, model: plan.model.clone(), ..common::plan("p=tp16.n2&d=tp1") };
    };
    let expected = [
        "HF_TOKEN=… → – (notKept)",
        "MC_A='x y' → – (edited)",
        "--tp-size 8 → --tp-size 16 (edited)",
        "--mem-fraction-static 0.8 → – (edited)",
        "– → --nnodes 2 (edited)",
        "– → --node-rank 0 (placeholder)",
        "– → --dist-init-addr PREFILL_HOST:5000 (placeholder)",
    ];
    assert_eq!(changes(words, Release::V0_5_23, &edit), expected);
}

#[test]
fn what_is_printed_has_no_changes_when_it_is_pasted() {
    let plan = plan("sgl=0.5.18&model=nobody/knows&p=tp16.dp16.n2.env:A=x%20y.extra:stray,--page-x&d=tp8.dcp8.page64");
    let printed = commands(&plan);
    let reading = read(&[printed.prefill, printed.decode].concat().join("\n"), plan.release);
    assert_eq!(diff(&reading, &plan), []);
    assert_eq!(reading.typed.len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn printing_and_reading_come_to_rest(plan in plans()) {
        let pasted = |plan: &Plan| {
            let printed = commands(plan);
            read(&[printed.prefill, printed.decode].concat().join("\n"), plan.release)
        };
        let once = pasted(&plan);
        prop_assume!(once.plan.problem().is_none());
        let twice = pasted(&once.plan);
        prop_assert_eq!(&once.plan, &twice.plan);
        prop_assert_eq!(diff(&twice, &twice.plan), vec![]);
    }
}
