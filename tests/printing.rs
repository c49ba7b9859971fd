//! What a plan prints reads back to it: the commands of every node of both sides.

mod common;

use common::{plan, plans};
use pd_planner::planner::catalog::{ModelName, find};
use pd_planner::planner::command::{Format, commands, containers, read};
use pd_planner::planner::plan::{Plan, Role, Server};
use pd_planner::planner::record::Record;
use pd_planner::planner::release::Release;
use pd_planner::planner::value::Size;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

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
}

/// Words that shells, YAML and Kubernetes take for something else.
fn odd_words() -> impl Strategy<Value = String> {
    const ODD: &[&str] = &[
        "it's",
        "\"quoted\"",
        "a b",
        " a",
        "a\nb",
        "a\r\n b",
        "\t",
        "\\",
        "\\\n",
        "$HOME",
        "$(A)",
        "$$(A)",
        "$$",
        "`ls`",
        "#",
        "a # b",
        ";",
        "&&",
        "|",
        "<",
        ">",
        "*",
        "~",
        "!",
        "%",
        "@",
        "- a",
        "a: b",
        "a:",
        ": ",
        "[a]",
        "{a: b}",
        "&a",
        "*a",
        "null",
        "true",
        "no",
        "0x1f",
        "1e5",
        "-1",
        "8",
        ".5",
        "=",
        "é",
        "\u{2028}",
        "\u{feff}",
        "\u{7f}",
        "{\"a\": [1, \"b\"]}",
        "---",
        "...",
        "",
        "-",
        "-x",
        "--tp=9",
        "'",
        "''",
        "?",
        "!!str",
    ];
    prop_oneof![2 => select(ODD).prop_map(str::to_owned), 1 => any::<String>()]
}

/// Words that no field holds: first those that belong to no option, then options of every
/// release, each with its values.
fn extras() -> impl Strategy<Value = Vec<String>> {
    let value = || odd_words().prop_filter("it is an option", |word| !word.starts_with('-'));
    let options = prop_oneof![
        Just(vec!["--trust-remote-code".to_owned()]),
        value().prop_map(|word| vec!["--mem-fraction-static".to_owned(), word]),
        odd_words().prop_map(|word| vec![format!("--json-model-override-args={word}")]),
        prop::collection::vec(value(), 1..4).prop_map(|values| [
            vec!["--bucket-e2e-request-latency".to_owned()],
            values
        ]
        .concat()),
        prop::collection::vec(value(), 0..3).prop_map(|values| [vec!["--no-such-flag".to_owned()], values].concat()),
        odd_words().prop_map(|word| vec![format!("--no-such-flag={word}")]),
    ];
    (prop::collection::vec(value(), 0..3), prop::collection::vec(options, 0..4))
        .prop_map(|(strays, options)| [strays, options.concat()].concat())
}

/// Variables with names that a shell takes and that do not end like a secret's, which are not kept.
fn variables() -> impl Strategy<Value = BTreeMap<String, String>> {
    prop::collection::btree_map("[A-Z_][A-Z0-9_]{0,8}X|SGLANG_[A-Z]{1,4}X", odd_words(), 0..4)
}

/// Any plan that commands can tell, in the form in which reading gives it.
fn sayable() -> impl Strategy<Value = Plan> {
    let sides = || (extras(), variables());
    (plans(), odd_words(), sides(), sides()).prop_map(|(mut plan, model, prefill, decode)| {
        // Commands do not describe a model; one that the catalogue knows goes by its name there.
        if plan.model.facts().is_none() || matches!(plan.model, ModelName::Described(_)) {
            plan.model = ModelName::Named(model);
        }
        if let ModelName::Named(name) = &mut plan.model {
            let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or(name);
            if let Some(row) = find(name).or_else(|| find(last)) {
                *name = row.name.to_owned();
            }
        }
        // How much to size for is no setting of a server.
        plan.traffic = Plan::default().traffic;
        // Of two releases, reading takes prefill's for the plan's.
        let (of_prefill, of_decode) = (plan.release_of(Role::Prefill), plan.release_of(Role::Decode));
        plan.release = of_prefill;
        plan.prefill.release = None;
        plan.decode.release = Some(of_decode).filter(|release| *release != of_prefill);
        for (role, (extra, env)) in [(Role::Prefill, prefill), (Role::Decode, decode)] {
            let release = plan.release_of(role);
            *plan.server_mut(role) = of_flags(plan.server(role), release);
            plan.server_mut(role).extra = extra;
            *plan.server_mut(role).env = env;
        }
        plan
    })
}

/// A server without what no flag of its release says.
fn of_flags(server: &Server, release: Release) -> Server {
    let mut own = server.clone();
    let default = Server::default();
    for field in Server::FIELDS {
        // Facts of the machine and what a server logs have no flag in any release.
        if field.flag(release).is_none() && field.name != "release" {
            (field.write)(&mut own, &(field.read)(&default)).expect("a default fits");
        }
    }
    // Before 0.5.22 one flag is the size of both.
    if own.attention_dp != Size::ONE
        && Server::field("attentionDp").is_none_or(|field| field.flag(release) != Some("--attn-dp-size"))
    {
        own.replicas = Size::ONE;
    }
    // Older releases have one option for each strategy, which turns it on as well.
    if Server::field("cpStrategy").is_some_and(|field| field.flag(release).is_none()) {
        own.cp_strategy = server
            .cp_strategy
            .as_ref()
            .map(|word| if word.len() % 2 == 0 { "zigzag" } else { "interleave" }.to_owned());
        own.enable_prefill_cp = own.cp_strategy.is_some() && server.enable_prefill_cp;
    }
    own
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
