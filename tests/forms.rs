//! The forms of a report: they show what the report says, whatever is in the plan.

mod common;

use common::{plan, plans};
use pd_planner::planner::command::parse;
use pd_planner::planner::draw::{Options, Theme, svg};
use pd_planner::planner::release::Release;
use pd_planner::planner::text::{Format, text};
use pd_planner::planner::{Plan, check};
use proptest::prelude::*;

const HOSTILE: &str = "model=%3Cscript%3Ealert(1)%3C/script%3E%22%20onload=x&p=tp2&d=tp2.page1.gpu:%3Cb%3E%7C%60";

/// The tags of a document in order, with a check that every one is closed.
fn tags(document: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for part in document.split('<').skip(1) {
        let tag = part.split('>').next().unwrap_or_default();
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "{document}");
        } else {
            all.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} stay open");
    all
}

#[test]
fn a_drawing_shows_every_rank_and_connection() {
    let cases = [("p=tp8&d=tp4", 12, 8), ("p=tp4.pp2&d=tp4", 12, 8), ("p=tp8.cp2&d=tp8.dcp8", 16, 0)];
    for (query, ranks, connections) in cases {
        let drawing = svg(&plan(query), &Options::default());
        assert_eq!(drawing.matches("data-rank=").count(), ranks, "{query}");
        assert_eq!(drawing.matches("data-edge=").count(), connections, "{query}");
        assert_eq!(drawing.matches("data-no-map").count(), usize::from(connections == 0), "{query}");
    }
}

#[test]
fn a_drawing_of_many_ranks_folds_neighbours() {
    let drawing = svg(&plan("p=tp2048&d=tp1024"), &Options { theme: Theme::Dark });
    assert_eq!(drawing.matches("data-rank=").count(), 256);
    assert!(drawing.contains("TP 16–31"), "neighbours share a node");
    assert!(drawing.starts_with("<svg ") && drawing.contains("data-theme=\"dark\""));
}

#[test]
fn a_dummy_connection_is_told_apart_in_every_form() {
    let plan = plan("p=tp8&d=tp4");
    assert_eq!(svg(&plan, &Options::default()).matches("class=\"edge dummy\"").count(), 4);
    assert_eq!(text(&plan, Format::Mermaid).matches("-. dummy .->").count(), 4);
    assert!(text(&plan, Format::Ascii).contains("decode tp3 <- tp6 (tp7)"));
    assert!(text(&plan, Format::Markdown).contains("decode tp0 <- tp0 (tp1)"));
}

#[test]
fn a_server_on_several_nodes_shows_them_in_every_form() {
    let plan = plan("p=tp16.dp2.n4.gpus4&d=tp4.pp3.n2");
    let drawing = svg(&plan, &Options::default());
    assert_eq!(drawing.matches("class=\"machine\"").count(), 4, "two nodes run DP group 0 of prefill, two decode");
    assert!(drawing.contains("TP 5 rank 5, Prefill, node 1, GPU 1"));
    assert_eq!(drawing.matches("PP 2 · TP 0 no node starts it, Decode rank 8").count(), 1);
    let lines = ["prefill node 3: pp0-0 tp12-15 on gpu0-3", "decode node 1: pp1-1 tp0-3 on gpu0-3"];
    for format in [Format::Ascii, Format::Markdown] {
        assert!(lines.iter().all(|line| text(&plan, format).contains(line)), "{}", text(&plan, format));
    }
    assert!(!text(&common::plan("p=tp8&d=tp8"), Format::Ascii).contains("node"), "one node goes without saying");
}

#[test]
fn a_rejected_plan_tells_sglangs_words_in_every_text() {
    let plan = plan("sgl=0.5.18&p=tp8.cp2&d=tp8.dcp8");
    let words = "RuntimeError: PD decode DCP currently requires prefill attention CP=1, got 2.";
    assert!(text(&plan, Format::Markdown).contains(words));
    assert!(text(&plan, Format::Ascii).contains(words));
    assert!(text(&plan, Format::Mermaid).contains("the handshake stops here"));
}

#[test]
fn a_hostile_plan_is_shown_as_text() {
    let plan = plan(HOSTILE);
    let drawing = svg(&plan, &Options::default());
    assert!(!tags(&drawing).iter().any(|tag| tag == "script" || tag == "b"), "{drawing}");
    let markdown = text(&plan, Format::Markdown);
    assert!(!markdown.contains("<script>") && markdown.contains("\\<script\\>"), "{markdown}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_plan_has_every_form(plan in plans()) {
        let report = check(&plan);
        let drawing = svg(&plan, &Options::default());
        prop_assert!(tags(&drawing).first().is_some_and(|tag| tag == "svg"));
        prop_assert!(text(&plan, Format::Ascii).is_ascii());
        let mermaid = text(&plan, Format::Mermaid);
        prop_assert!(mermaid.starts_with("flowchart LR\n"));
        prop_assert_eq!(report.map.is_none(), mermaid.contains("  stop["));
    }
}

#[test]
fn a_drawing_and_the_json_of_a_plan_read_as_the_plan_again() {
    let links = [
        "sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8",
        "model=<b>\"&amp;'&p=tp4.env:A=x%20y%26.extra:--flag,%3Cx%3E&d=tp2.gpu:H100&tokens=7&gbps=100",
        "m=attention:hybridMla.layers:27.kvlayerids:3,7.states:mamba.linear:kind=kda,layers=20,ssmDtype=float32&p=tp2&d=tp4",
    ];
    for link in links {
        let (plan, _) = pd_planner::planner::link::open(link);
        let drawing = svg(&plan, &Options::default());
        assert_eq!(parse(&drawing, Release::NEWEST), (plan.clone(), Vec::new()), "the drawing of {link}");
        let json = text(&plan, Format::Json);
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan, "{json}");
        assert_eq!(parse(&json, Release::NEWEST).0, plan, "{json}");
    }
    let (_, said) = parse("<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>", Release::NEWEST);
    assert!(said[0].message.contains("holds no plan"));
}

#[test]
fn every_connection_is_a_line_of_the_csv() {
    let plan = plan("sgl=0.5.23&model=Qwen3-8B&p=tp2.pp2&d=tp4");
    let csv = text(&plan, Format::Csv);
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    assert_eq!(lines.len(), 1 + check(&plan).map.unwrap().connections.len());
    assert_eq!(lines[1][..9], ["1", "0", "0", "0", "0", "false", "18", "36", "18"]);
    let dummies = text(&common::plan("p=tp4&d=tp2"), Format::Csv);
    assert!(dummies.lines().nth(2).unwrap().ends_with("true,,,,,,,,,,,"), "{dummies}");
}
