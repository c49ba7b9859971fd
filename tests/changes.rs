//! What changes: between a pasted command and the printed one, and from one release to another.

mod common;

use common::{plan, plans};
use pd_planner::planner::command::{commands, diff, read};
use pd_planner::planner::plan::Plan;
use pd_planner::planner::release::Release;
use pd_planner::planner::upgrade::upgrade;
use pd_planner::planner::{WithMap, check_with};
use proptest::prelude::*;
use proptest::sample::select;

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

/// What an upgrade changes: verdicts, findings, options and settings.
fn upgraded(query: &str, to: Release) -> Vec<String> {
    let upgrade = upgrade(&plan(query), to);
    let mut all = vec![format!("{} → {}", upgrade.before, upgrade.after)];
    all.extend(upgrade.gone.iter().map(|finding| format!("gone {} {}", finding.side, finding.rule)));
    all.extend(upgrade.new.iter().map(|finding| format!("new {} {}", finding.side, finding.rule)));
    let shown = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    all.extend(upgrade.options.into_iter().map(|o| format!("{} {} → {}", o.side, shown(o.before), shown(o.after))));
    let resolved = upgrade.settings.iter();
    all.extend(resolved.map(|s| format!("{} {}: {} → {}", s.side, s.field, s.before.text(), s.after.text())));
    all
}

#[test]
fn an_upgrade_tells_what_it_changes() {
    let cases: &[(&str, Release, &[&str])] = &[
        (
            "sgl=0.5.18&p=tp8.dp8&d=tp8.dp8",
            Release::V0_5_23,
            &[
                "accepted → accepted",
                "prefill --dp-size 8 --enable-dp-attention → --attn-dp-size 8",
                "decode --dp-size 8 --enable-dp-attention → --attn-dp-size 8",
            ],
        ),
        (
            "sgl=0.5.18&p=tp8.extra:--nsa-prefill-backend,fa3&d=tp8",
            Release::V0_5_23,
            &["accepted → rejected", "new prefill flag-must-exist-in-release", "prefill --nsa-prefill-backend fa3 → –"],
        ),
        (
            "sgl=0.5.18&p=tp8.extra:--speculative-dflash-draft-window-size=8&d=tp8",
            Release::V0_5_23,
            &[
                "accepted → accepted",
                "prefill --speculative-dflash-draft-window-size 8 → --speculative-draft-window-size 8",
            ],
        ),
        (
            "sgl=0.5.22&p=tp8&d=tp8.dcp8",
            Release::V0_5_14,
            &[
                "accepted → rejected",
                "new decode flag-must-exist-in-release",
                "new both start-up-is-recorded-from-0-5-15",
                "new both dcp-stripes-are-not-cut",
                "decode --dcp-size 8 → –",
            ],
        ),
        // The rules leave prefill's context parallelism as asked from 0.5.22 on.
        (
            "sgl=0.5.18&model=DeepSeek-V3.2&p=tp8.cp4.prefillcp.cpstrategy:interleave.gpu:H100&d=tp8.gpu:H100",
            Release::V0_5_23,
            &["accepted → accepted", "gone prefill prefill-cp-sets-the-widths", "prefill attentionCp: 8 → 4"],
        ),
        ("sgl=0.5.18&p=tp8&d=tp8.sgl:0%2E5%2E20", Release::V0_5_20, &["accepted → accepted"]),
    ];
    for (query, to, expected) in cases {
        assert_eq!(upgraded(query, *to), *expected, "{query}");
    }
}

#[test]
fn context_parallelism_of_old_is_spelled_anew() {
    let upgraded = upgraded("sgl=0.5.13&p=tp8.cp2.prefillcp.cpstrategy:zigzag&d=tp8", Release::V0_5_20);
    let respelled =
        ["prefill --enable-prefill-context-parallel → --enable-prefill-cp", "prefill – → --cp-strategy zigzag"];
    assert!(respelled.iter().all(|line| upgraded.iter().any(|other| other == line)), "{upgraded:#?}");
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

    #[test]
    fn an_upgrade_to_the_release_that_runs_changes_nothing(mut plan in plans(), to in select(Release::ALL)) {
        let upgraded = upgrade(&plan, to);
        prop_assert_eq!(upgraded.after, check_with(&upgraded.plan, WithMap::No).verdict);
        plan = upgraded.plan;
        let again = upgrade(&plan, to);
        prop_assert_eq!((again.gone.len(), again.new.len()), (0, 0));
        prop_assert_eq!((again.before, again.options, again.settings), (again.after, vec![], vec![]));
        prop_assert_eq!(again.plan, plan);
    }
}
