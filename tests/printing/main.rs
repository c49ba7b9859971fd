//! What a plan prints reads back to it: the commands of every node of both sides.

#[path = "../common/mod.rs"]
mod common;
mod sayable;

use common::plan;
use pd_planner::planner::command::{Format, commands, containers, read};
use pd_planner::planner::release::Release;
use proptest::prelude::*;
use sayable::sayable;

#[test]
fn commands_are_in_their_releases_spelling() {
    let at = |release: &str| commands(&plan(&format!("sgl={release}&p=tp16.dp8.n2.env:A=x%20y&d=tp8.dcp8")));
    let (old, new) = (at("0.5.18"), at("0.5.23"));
    assert_eq!(
        old.prefill[1],
        "A='x y' \\\n  python -m sglang.launch_server \\\n  --model-path deepseek-ai/DeepSeek-V3 \\\n  \
         --disaggregation-mode prefill \\\n  --tp-size 16 \\\n  --dp-size 8 --enable-dp-attention \\\n  \
         --nnodes 2 --node-rank 1 --dist-init-addr PREFILL_HOST:5000 \\\n  --host 0.0.0.0 --port 30000"
    );
    assert!(new.prefill[0].contains("--attn-dp-size 8") && !new.prefill[0].contains("--enable-dp-attention"));
    assert!(new.decode[0].contains("--dcp-size 8") && new.decode.len() == 1);
    assert!(new.router.contains("--prefill http://PREFILL_HOST:30000 8998"));
}

#[test]
fn context_parallelism_is_in_its_releases_spelling() {
    let cases = [
        ("0.5.13", "prefillcp.cpstrategy:zigzag", "--enable-prefill-context-parallel"),
        ("0.5.10", "prefillcp.cpstrategy:interleave", "--enable-nsa-prefill-context-parallel"),
        ("0.5.13", "cpstrategy:interleave", "--prefill-cp-mode round-robin-split"),
        ("0.5.14", "prefillcp.cpstrategy:zigzag", "--enable-prefill-cp \\\n  --cp-strategy zigzag"),
    ];
    for (release, fields, words) in cases {
        let printed = commands(&plan(&format!("sgl={release}&p=tp2.cp2.{fields}&d=tp2"))).prefill.concat();
        assert!(printed.contains(&format!("--attn-cp-size 2 \\\n  {words} \\\n  --host")), "{printed}");
    }
}

#[test]
fn the_router_knows_node_0_of_each_server_and_prefills_bootstrap_port() {
    let plan = plan("p=tp16.n2.extra:--disaggregation-bootstrap-port,9000&d=tp16.n2");
    let printed = commands(&plan);
    assert_eq!(
        printed.router,
        "python -m sglang_router.launch_router \\\n  --pd-disaggregation \\\n  --prefill http://PREFILL_HOST:30000 9000 \\\n  \
         --decode http://DECODE_HOST:30000 \\\n  --host 0.0.0.0 --port 8000"
    );
    assert!(printed.prefill[0].contains("--dist-init-addr PREFILL_HOST:5000"));
    let pasted =
        "sglang serve --model-path m --disaggregation-mode prefill --disaggregation-bootstrap-port=9000 --port 31000";
    assert!(commands(&read(pasted, plan.release).plan).router.contains("http://PREFILL_HOST:30000 9000"));
}

#[test]
fn a_variable_that_no_shell_sets_is_not_printed_as_a_command() {
    let printed = commands(&plan("p=tp1.env:%3B%20rm%20x%20%3B=1,A=1&d=tp1"));
    assert!(printed.prefill[0].starts_with("A=1 \\\n  python -m"), "{}", printed.prefill[0]);
}

#[test]
fn sides_of_two_releases_say_so_in_a_comment() {
    let plan = plan("sgl=0.5.18&p=tp1&d=tp8.dp8.sgl:0%2E5%2E23");
    let printed = commands(&plan);
    assert!(printed.prefill[0].starts_with("# lmsysorg/sglang:v0.5.18\npython"), "{}", printed.prefill[0]);
    assert!(printed.decode[0].starts_with("# lmsysorg/sglang:v0.5.23\npython"), "{}", printed.decode[0]);
    assert_eq!(read(&[printed.prefill, printed.decode].concat().join("\n"), plan.release).plan, plan);
}

#[test]
fn a_server_of_more_nodes_than_are_printed_reads_back_to_it() {
    let plan = plan("model=nobody/knows&p=tp800.n100.env:A=1&d=tp8.pp100.n65536");
    let printed = commands(&plan);
    assert_eq!([printed.prefill.len(), printed.decode.len()], [64, 64]);
    assert_eq!(read(&[printed.prefill, printed.decode].concat().join("\n"), plan.release).plan, plan);
}

#[test]
fn variables_set_for_a_server_are_kept_but_not_secrets() {
    let text = "export MC_A=1 B=2\nHF_TOKEN=x C=3 env D=4 sglang serve --model-path m --disaggregation-mode prefill";
    let reading = read(text, plan("p=tp1").release);
    let names: Vec<&str> = reading.plan.prefill.env.keys().map(String::as_str).collect();
    assert_eq!(names, ["C", "D", "MC_A"]);
    assert!(reading.said.iter().any(|said| said.place == "HF_TOKEN" && said.message.contains("secret")));
}

#[test]
fn containers_are_items_of_a_manifest() {
    let printed = containers(&plan("sgl=0.5.18&p=tp16.n2.env:A=1&d=tp8"));
    assert_eq!(
        printed.prefill[1],
        "- name: prefill-1\n  image: lmsysorg/sglang:v0.5.18\n  env:\n  - name: A\n    value: \"1\"\n  command:\n  - python\n  \
         - -m\n  - sglang.launch_server\n  args:\n  - --model-path\n  - deepseek-ai/DeepSeek-V3\n  - --disaggregation-mode\n  - prefill\n  \
         - --tp-size\n  - \"16\"\n  - --nnodes\n  - \"2\"\n  - --node-rank\n  - \"1\"\n  - --dist-init-addr\n  - \"PREFILL_HOST:5000\"\n  \
         - --host\n  - \"0.0.0.0\"\n  - --port\n  - \"30000\"\n"
    );
    assert!(
        printed.router.contains("  - --prefill\n  - \"http://PREFILL_HOST:30000\"\n  - \"8998\"\n"),
        "{}",
        printed.router
    );
    // Kubernetes takes only text for a variable's value.
    let values = containers(&plan("p=tp1.env:A=yes,B=null,C=-1,D=1e5,E=word&d=tp1")).prefill.concat();
    let values: Vec<&str> = values.lines().filter_map(|line| line.strip_prefix("    value: ")).collect();
    assert_eq!(values, ["\"yes\"", "\"null\"", "\"-1\"", "\"1e5\"", "word"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(700))]

    #[test]
    fn a_plans_own_commands_read_back_to_it(plan in sayable()) {
        prop_assume!(plan.problem().is_none());
        let printed = commands(&plan);
        let text = [printed.prefill, printed.decode].concat().join("\n");
        let reading = read(&text, plan.release);
        prop_assert_eq!(reading.plan, plan, "{}", text);
    }

    #[test]
    fn a_plans_own_containers_read_back_to_it(plan in sayable()) {
        prop_assume!(plan.problem().is_none());
        let printed = containers(&plan);
        let text = [printed.prefill, printed.decode, vec![printed.router]].concat().concat();
        let reading = read(&text, Release::NEWEST);
        prop_assert_eq!(reading.plan, plan, "{}\n{:?}", text, reading.said);
        prop_assert_eq!(reading.format, Format::Manifest);
    }
}
