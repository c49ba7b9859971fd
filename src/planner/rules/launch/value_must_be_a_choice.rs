//! Words that an option takes.

use super::super::sizes::{SERVER_ARGS, WONT_START};
use crate::planner::plan::Server;
use crate::planner::record::Record;
use crate::planner::release::{Range, Release};
use crate::planner::report::Fix;
use crate::planner::rules::{Judgement, rule};
use crate::planner::startup::Startup;
use crate::planner::value::Value;

rule! {
    /// An option that takes one of a few words takes those of its release.
    ///
    /// The command line compares the word with a list, and lists change: the KV type fp4_e2m1
    /// became nvfp4 and fp4_mx_block16, and the attention backend cutlass_mla is gone.
    "value-must-be-a-choice", Launch Rejects in Range::since(Release::V0_5_15), Some("SystemExit"),
    seen: WONT_START,
    evidence: Executed, sources: [(SERVER_ARGS, "ServerArgs.add_cli_args")],
    breaks: "sgl=0.5.23&model=Llama-3.1-70B&p=tp8.dtype:fp4_e2m1&d=tp8.dtype:auto",
    holds: "sgl=0.5.20&model=Llama-3.1-70B&p=tp8.dtype:fp4_e2m1&d=tp8.dtype:fp4_e2m1",
    Start(check)
}

fn check(start: &Startup<'_>) -> Judgement {
    let wrong: Vec<Wrong> = CHOICES.iter().filter_map(|(flag, choices)| wrong(start, flag, choices)).collect();
    let Some(first) = wrong.first() else { return Judgement::Holds };
    let titles: Vec<&str> = wrong.iter().map(|wrong| wrong.fix.title.as_str()).collect();
    let edits = wrong.iter().flat_map(|wrong| wrong.fix.edits.clone()).collect();
    let fields: Vec<&str> = wrong.iter().map(|wrong| wrong.field).collect();
    start.refuses(
        format!("In SGLang {} {} cannot be {}.", start.release, first.flag, first.asked),
        format!("argument {}: invalid choice: '{}' (choose from {})", first.flag, first.asked, first.list),
        &fields,
        vec![Fix { title: titles.join("; "), edits }],
    )
}

struct Wrong {
    flag: &'static str,
    field: &'static str,
    asked: String,
    list: String,
    fix: Fix,
}

fn wrong(start: &Startup<'_>, flag: &'static str, choices: &[(Range, &str)]) -> Option<Wrong> {
    let held = choices.iter().filter(|(range, _)| range.contains(start.release));
    let words: Vec<&str> = held.flat_map(|(_, words)| words.split(' ')).collect();
    let field = Server::FIELDS.iter().find(|field| field.flags.iter().any(|(_, sets)| *sets == flag));
    let asked = match field.map(|field| (field.read)(start.asked)) {
        Some(Value::Text(word)) => word,
        Some(_) => return None,
        None => start.option(flag)?.to_owned(),
    };
    if words.is_empty() || words.contains(&asked.as_str()) {
        return None;
    }
    let list: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let fix = match field {
        Some(field) => start.set(field.name, (field.read)(&Server::default())),
        None => start.without(&[flag]),
    };
    Some(Wrong { flag, field: field.map_or("extra", |field| field.name), asked, list: list.join(", "), fix })
}

/// Options and the words they take, in SGLang's order. An option without words is not judged.
const CHOICES: &[(&str, &[(Range, &str)])] = &[
    (
        "--kv-cache-dtype",
        &[
            (Range::since(Release::V0_5_15), "auto fp8_e5m2 fp8_e4m3"),
            (Range::since(Release::V0_5_16), "mxfp8"),
            (Range::since(Release::V0_5_15), "bf16 bfloat16"),
            (Range::since(Release::V0_5_16), "nvfp4 fp4_mx_block16"),
            (Range::between(Release::V0_5_15, Release::V0_5_21), "fp4_e2m1"),
        ],
    ),
    ("--cp-strategy", &[(Range::since(Release::V0_5_15), "zigzag interleave")]),
    (
        "--load-balance-method",
        &[(
            Range::since(Release::V0_5_15),
            "auto round_robin follow_bootstrap_room total_requests total_tokens",
        )],
    ),
    (
        "--attention-backend",
        &[
            (
                Range::since(Release::V0_5_20),
                "triton torch_native flex_attention dsa nsa qsa dsv4 compressed fa3 fa4 flashinfer",
            ),
            (Range::since(Release::V0_5_22), "llada2_cfg_flashinfer"),
            (
                Range::since(Release::V0_5_20),
                "flashmla trtllm_mla cutedsl_mla tokenspeed_mla trtllm_mha hpc_ops minicpm_flashattn \
                 minicpm_flashinfer aiter wave intel_amx ascend intel_xpu",
            ),
        ],
    ),
];
