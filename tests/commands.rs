//! Launch commands: what people paste becomes the plan that they mean, and a plan becomes
//! commands. That these read back to it is in `printing.rs`.

use pd_planner::planner::command::parse;
use pd_planner::planner::link::{link, open};
use pd_planner::planner::release::Release;
use pd_planner::planner::value::Size;
use proptest::prelude::*;

/// Two nodes of a prefill server and a decode server, as a runbook has them.
const RUNBOOK: &str = r#"
# node 0 of prefill
export SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER=1
python3 -m sglang.launch_server \
  --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode prefill \
  --disaggregation-ib-device mlx5_0 --host 0.0.0.0 --port 30000 --trust-remote-code \
  --dist-init-addr HOST_P:5000 --nnodes 2 --node-rank 0 --tp 16 --dp-size 8 --enable-dp-attention \
  --mem-fraction-static 0.8 --kv-cache-dtype=bf16 > prefill0.log 2>&1 &
# node 1
python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode prefill \
  --disaggregation-ib-device mlx5_0 --host 0.0.0.0 --port 30000 --trust-remote-code \
  --dist-init-addr HOST_P:5000 --nnodes 2 --node-rank 1 --tp 16 --dp-size 8 --enable-dp-attention \
  --mem-fraction-static 0.8 --kv-cache-dtype=bf16
unset X
python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --disaggregation-mode decode \
  --host 0.0.0.0 --tensor-parallel-size 8 --page-size "64" --kv-cache-dtype bf16
"#;

fn read(text: &str, release: Release) -> (String, Vec<String>) {
    let (plan, said) = parse(text, release);
    (link(&plan), said.iter().map(|d| format!("{}: {}", d.place, d.message)).collect())
}

#[test]
fn a_runbook_with_two_nodes_and_a_decode_server_is_one_plan() {
    let (plan, said) = parse(RUNBOOK, Release::V0_5_18);
    let (prefill, decode) = (&plan.prefill, &plan.decode);
    assert_eq!([prefill.tp, prefill.attention_dp, prefill.replicas, prefill.nodes].map(Size::number), [16, 8, 1, 2]);
    assert_eq!([decode.tp.number(), decode.page_size.map_or(0, Size::number)], [8, 64]);
    assert_eq!(prefill.kv_cache_dtype, "bf16");
    assert!(prefill.env_is_on("SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER"));
    assert_eq!(
        prefill.extra,
        ["--disaggregation-ib-device", "mlx5_0", "--trust-remote-code", "--mem-fraction-static", "0.8"]
    );
    let said: Vec<String> = said.into_iter().map(|d| format!("{}: {}", d.place, d.message)).collect();
    assert_eq!(said, ["prefill: node ranks 0, 1 were merged into one server"]);
}

#[test]
fn both_spellings_of_attention_dp_mean_the_same_where_the_release_has_both() {
    let command =
        |flags: &str| format!("python -m sglang.launch_server --model m --disaggregation-mode prefill {flags}");
    let old = read(&command("--tp-size 8 --dp-size 8 --enable-dp-attention"), Release::V0_5_23);
    assert_eq!(old, read(&command("--tp-size 8 --attn-dp-size 8"), Release::V0_5_23));
    let (plan, said) = parse(&command("--tp-size 8 --attn-dp-size 8"), Release::V0_5_18);
    assert_eq!(plan.prefill.attention_dp, Size::ONE);
    assert!(said.iter().any(|d| d.message.contains("0.5.22 is the first release that has it")), "{said:?}");
}

#[test]
fn what_a_release_refuses_is_told_with_the_place() {
    let cases = [
        (
            "--pp 2",
            "--pp",
            "ambiguous option: --pp could match --pp-async-batch-depth, --pp-max-micro-batch-size, --pp-size",
        ),
        ("--tp-size 0", "--tp-size", "must be a whole number from 1 to 65536"),
        ("--tp-size eight", "--tp-size", "must be a whole number, got \"eight\""),
        (
            "--enable-nsa-prefill-context-parallel",
            "--enable-nsa-prefill-context-parallel",
            "0.5.19 was the last release",
        ),
        ("--no-such-flag 3", "--no-such-flag", "no release that the planner knows has it"),
        ("--tp-size $N", "$N", "the text does not set this variable"),
        ("stray", "stray", "belongs to no option"),
        ("--disaggregation-transfer-backend pigeon", "--disaggregation-transfer-backend", "must be one of mooncake"),
    ];
    for (flags, place, message) in cases {
        let text = format!("python -m sglang.launch_server --model m --disaggregation-mode decode {flags}");
        let (_, said) = parse(&text, Release::V0_5_23);
        assert!(said.iter().any(|d| d.place == place && d.message.contains(message)), "{flags}: {said:?}");
    }
}

#[test]
fn an_ambiguous_size_is_still_understood() {
    let (plan, _) = parse("sglang serve --model-path m --disaggregation-mode prefill --pp 2 --dcp 4", Release::V0_5_23);
    assert_eq!([plan.prefill.pp.number(), plan.prefill.dcp.number()], [2, 4]);
}

#[test]
fn commands_are_found_where_people_keep_them() {
    let cases = [
        "docker run -e A=1 lmsysorg/sglang:v0.5.18 python3 -m sglang.launch_server --model-path m --disaggregation-mode decode --tp 4",
        "bash -c 'python -m sglang.launch_server --model-path m --disaggregation-mode decode --tp 4'",
        "sudo nohup sglang serve --model-path m --disaggregation-mode decode --tp=4 &",
        "python /opt/sglang/launch_server.py --model-path m --disaggregation-mode decode --tensor-parallel-size 4",
        "python -m dynamo.sglang --model-path m --disaggregation-mode decode --tp-size 4",
    ];
    for text in cases {
        let (plan, _) = parse(text, Release::V0_5_18);
        assert_eq!((plan.decode.tp.number(), plan.release), (4, Release::V0_5_18), "{text}");
    }
    assert!(read("make me a sandwich", Release::V0_5_18).1[0].contains("no command here starts a server"));
    assert_eq!(parse("see https://example.org/#/plan?p=tp3", Release::V0_5_18), open("#/plan?p=tp3"));
}

#[test]
fn contradicting_nodes_are_told() {
    let one = |rank: u32, tp: u32| {
        format!("sglang serve --model-path m --disaggregation-mode prefill --nnodes 2 --node-rank {rank} --tp {tp}\n")
    };
    let (plan, said) = parse(&(one(0, 16) + &one(1, 8)), Release::V0_5_23);
    assert_eq!(plan.prefill.tp.number(), 16);
    assert!(said.iter().any(|d| d.place == "prefill" && d.message.contains("differ in tp")), "{said:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        let _ = parse(&text, Release::NEWEST);
    }

    #[test]
    fn any_arguments_are_read(words in prop::collection::vec("(--)?[a-z-]{0,12}(=[0-9a-z$'\"{]{0,4})?|[0-9-]{1,4}|[$'\"\\\\#;&|<>\n]", 0..20)) {
        let _ = parse(&format!("sglang serve {}", words.join(" ")), Release::NEWEST);
    }
}

#[test]
fn a_megabyte_is_read_and_more_is_refused() {
    let line = "python -m sglang.launch_server --model-path m --disaggregation-mode prefill --tp 8 --foo 'x' # y\n";
    let text = line.repeat(1_000_000 / line.len());
    assert_eq!(parse(&text, Release::NEWEST).0.prefill.tp.number(), 8);
    assert!(read(&line.repeat(20_000), Release::NEWEST).1[0].contains("at most 1048576 are read"));
}
