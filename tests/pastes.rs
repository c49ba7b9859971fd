//! What people paste beside commands: every format in small, what is said of each, and that no
//! text at all stops the reader.

mod common;

use common::{plan, plans};
use pd_planner::planner::command::{Format, Reading, read, read_variant};
use pd_planner::planner::link::link;
use pd_planner::planner::release::Release;
use proptest::prelude::*;
use std::time::Instant;

fn at_newest(text: &str) -> Reading {
    read(text, Release::NEWEST)
}

#[test]
fn a_plan_in_yaml_is_the_plan_of_its_link() {
    let text = "release: 0.5.18\nmodel: deepseek-ai/DeepSeek-V3\nprefill: {tp: 4, env: {A: '1'}, extra: [--x]}\ndecode:\n  tp: 8\n";
    assert_eq!(at_newest(text).plan, plan("sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp4.env:A=1.extra:--x&d=tp8"));
}

fn said(reading: &Reading) -> Vec<String> {
    let line = |line: Option<usize>| line.map_or(String::new(), |line| format!("{line}: "));
    reading.said.iter().map(|d| format!("{}{}: {}", line(d.line), d.place, d.message)).collect()
}

/// The plan as a link, without the release and the model.
fn sides(reading: &Reading) -> String {
    let link = link(&reading.plan);
    link.split_once("&p=").map(|(_, sides)| format!("p={sides}")).unwrap_or_default()
}

#[test]
fn each_format_is_read_and_told() {
    let cases: &[(&str, Format, &str)] = &[
        // One item a word, a value behind an equals sign, variables of the container.
        (
            "kind: Deployment\napiVersion: apps/v1\nmetadata: {name: x}\nspec:\n  template:\n    spec:\n      containers:\n      \
             - name: server\n        env:\n        - {name: SGLANG_A, value: '1'}\n        - {name: TP, value: '4'}\n        \
             command: [python3, -m, sglang.launch_server]\n        args:\n        - --model-path=m\n        - --tp-size=$(TP)\n        \
             - --disaggregation-mode\n        - decode\n",
            Format::Manifest,
            "p=tp1&d=tp4.env:SGLANG_A=1",
        ),
        // A script, in a block, behind `bash -c`; its own variables and the container's.
        (
            "command: [bash, -c]\nenv:\n- name: TP\n  value: \"2\"\nargs:\n- |\n  export DP=2\n  exec python3 -m sglang.launch_server --model-path m \\\n    \
             --disaggregation-mode prefill --tp $((TP * DP)) --dp-size ${DP} --enable-dp-attention\n",
            Format::Manifest,
            "p=tp4.dp2&d=tp1",
        ),
        // Compose: one text for a command, variables as a list.
        (
            "services:\n  prefill:\n    image: lmsysorg/sglang:v0.5.18\n    environment: [MC_X=1]\n    \
             command: python3 -m sglang.launch_server --model-path m --tp 2 --disaggregation-mode prefill\n",
            Format::Manifest,
            "p=tp2.env:MC_X=1&d=tp1",
        ),
        // OME: the engine is the prefill server, the leader and its workers are its machines.
        (
            "apiVersion: ome.io/v1beta1\nkind: InferenceService\nspec:\n  engine:\n    leader: {runner: {args: [--model-path, m, --tp, \
             $(PARALLELISM_SIZE)], resources: {limits: {nvidia.com/gpu: 4}}}}\n    worker: {size: 1}\n  decoder:\n    runner: {args: \
             [--model-path, m, --tp, '2']}\n",
            Format::Manifest,
            "p=tp8.n2.gpus4&d=tp2",
        ),
        ("- --model-path\n- m\n- --tp=2\n- --disaggregation-mode\n- decode\n", Format::Manifest, "p=tp1&d=tp2"),
        (
            "tp-size: 4\nmodel_path: m\ndisaggregation_mode: prefill\ntrust-remote-code: true\n---\ntp_size: 8\nmodel-path: m\n",
            Format::Config,
            "p=tp4.extra:--trust-remote-code&d=tp8",
        ),
        (
            "prefill:\n  tp-size: 4\n  enable-dp-attention: false\ndecode:\n  tensor-parallel-size: 2\n",
            Format::Config,
            "p=tp4&d=tp2",
        ),
        ("{\"prefill\": {\"tp\": 4},\n\t\"decode\": {\"tp\": 8, \"dcp\": 8}}", Format::Plan, "p=tp4&d=tp8.dcp8"),
        (
            "prefill = sgl.Engine(model_path='m', tp_size=4,  # all of them\n  disaggregation_mode=\"prefill\")\ndecode = dict(tp_size=2, \
          disaggregation_mode='decode', trust_remote_code=True)",
            Format::Python,
            "p=tp4&d=tp2.extra:--trust-remote-code",
        ),
        (
            "N=3\nsglang serve --model-path m --disaggregation-mode decode --tp $((2 * (N + 1)))",
            Format::Commands,
            "p=tp1&d=tp8",
        ),
        ("https://example.org/#/plan?p=tp3&d=tp1", Format::Link, "p=tp3&d=tp1"),
        ("```yaml\ntp-size: 4\nmodel-path: m\ndisaggregation-mode: decode\n```\n", Format::Config, "p=tp1&d=tp4"),
        ("make me a sandwich", Format::Commands, "p=tp1&d=tp1"),
    ];
    for (text, format, expected) in cases {
        let reading = at_newest(text);
        assert_eq!((reading.format, sides(&reading).as_str()), (*format, *expected), "{text}\n{:#?}", said(&reading));
    }
}

#[test]
fn what_is_wrong_or_missing_is_told_with_its_line() {
    let container = |rest: &str| {
        format!(
            "apiVersion: v1\nname: prefill-0\nargs: [-m, sglang.launch_server, --model-path, m,\n  --tp, '4']\n{rest}"
        )
    };
    let mode = "  x: y\nargs: [-m, sglang.launch_server, --model-path, m, --disaggregation-mode, decode]\n";
    let cases: &[(String, &str)] = &[
        (
            container(""),
            "3: line 3: no --disaggregation-mode is here; it was taken as prefill from \"name: prefill-0\"",
        ),
        (container("env:\n- name: SGLANG_X\n  valueFrom: {x: y}\n"), "6: line 6: SGLANG_X is taken from elsewhere"),
        (
            container("envFrom: [{configMapRef: {name: x}}]\n"),
            "5: line 5: envFrom sets variables that this text does not show",
        ),
        (
            container("image: lmsysorg/sglang:v0.5.9\n"),
            "0.5.9: SGLang 0.5.9 is not a release that the planner knows (0.5.10 to 0.5.23)",
        ),
        (container("resources: {limits: {nvidia.com/gpu: 4}}\nb: [1, 2\nc: 3"), "this is not YAML"),
        (
            format!("subComponentType: prefill\n{}", &mode[7..]),
            "--disaggregation-mode says decode, \"subComponentType: prefill\" says prefill; decode is used",
        ),
        (
            "args: [--model-path, m, --tp, '4']\nargs: [--model-path, m, --tp, '8']\n".to_owned(),
            "2: line 2: args stands here again; the last one counts",
        ),
        (
            "args:\n- --model-path\n- m\n- --tp\n- $(TP)\n".to_owned(),
            "5: $(TP): the text does not set this variable; --tp needs its value",
        ),
        (
            "args:\n- --model-path\n- m\n- --tp\n- eight\n".to_owned(),
            "4: --tp: --tp must be a whole number, got \"eight\"",
        ),
        (
            "multinode: {nodeCount: 4}\nargs: [--model-path, m, --nnodes, '2']\n".to_owned(),
            "--nnodes says 2, the text around it 4; 2 is used",
        ),
        ("tp-size: 2\nmodel-path:\n".to_owned(), "2: line 2: model-path has no value; it was left out"),
        (
            "{\"prefill\": {\"tp\": 4},\n \"decode\": {\"tp\": 0}}".to_owned(),
            "1: text: decode.tp: must be a whole number from 1 to 65536, got 0",
        ),
        (
            "\n```\nsglang serve --model-path m \\\n  --tp $N\n```".to_owned(),
            "4: $N: the text does not set this variable",
        ),
        (
            "sglang serve --model-path m \\\n  --tp $((8 / 0))".to_owned(),
            "2: $((8 / 0)): the text does not set this variable",
        ),
    ];
    for (text, expected) in cases {
        let said = said(&at_newest(text));
        assert!(said.iter().any(|said| said.contains(expected)), "{text}\n{expected}\n{said:#?}");
    }
}

#[test]
fn what_stands_before_a_mistake_is_read() {
    let reading = at_newest("args: [--model-path, m, --tp, '4', --disaggregation-mode, decode]\nb: 'open\n");
    assert_eq!(reading.plan.decode.tp.number(), 4, "{:#?}", said(&reading));
}

#[test]
fn a_recipes_variants_are_named_and_each_is_read() {
    let text = "base:\n  resources: {decode_nodes: 1}\n  backend:\n    sglang_config:\n      prefill: {tp-size: 2, served-model-name: Qwen/Qwen3-32B}\n      \
                decode: {tp-size: 2, model-path: m}\nzip_override_wide:\n  resources: {decode_nodes: [1, 2]}\n  backend:\n    sglang_config:\n      decode: {tp-size: [4, 8]}\n\
                override_mtp:\n  backend: {sglang_config: {decode: {speculative-algorithm: EAGLE}}}\n";
    let reading = at_newest(text);
    assert_eq!(reading.variants, ["zip_override_wide[0]", "zip_override_wide[1]", "override_mtp"]);
    let sides: Vec<String> = (0..3).map(|variant| sides(&read_variant(text, Release::NEWEST, variant))).collect();
    let extra = "p=tp2.extra:--served-model-name,Qwen/Qwen3-32B";
    assert_eq!(sides, [format!("{extra}&d=tp4"), format!("{extra}&d=tp8.n2"), format!("{extra}&d=tp2.spec:EAGLE")]);
}

#[test]
fn sides_of_two_releases_keep_both() {
    let text = "sudo docker run sglang:v0.5.18 sglang serve --model-path m --disaggregation-mode prefill\n\
                sudo docker run sglang:v0.5.20 sglang serve --model-path m --disaggregation-mode decode\n";
    let plan = at_newest(text).plan;
    assert_eq!((plan.release, plan.decode.release), (Release::V0_5_18, Some(Release::V0_5_20)));
}

/// Pieces of what people paste, in any order.
fn pieces(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![9 => prop::sample::select(pieces).prop_map(str::to_owned), 1 => any::<String>()],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

const YAML: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "- ",
    "a: ",
    "args: ",
    "command: ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "--tp",
    "'",
    "\"",
    "|\n  ",
    ">-\n ",
    "&a ",
    "*a",
    "<<: *a",
    "---\n",
    "...\n",
    "? ",
    ": ",
    "!!str ",
    "# c",
    "$(A)",
    "sglang.launch_server",
    "-m",
    "base: ",
    "backend: ",
    "sglang_config: ",
    "prefill: ",
    "decode: ",
    "tp-size: 8",
    "zip_override_x: ",
    "search-space: ",
    "base_flags: ",
    "env: ",
    "name: ",
    "value: ",
    "%YAML 1.2\n",
    "\t",
    "\\",
    "é",
    "null",
];
const SHELL: &[&str] = &[
    " ",
    "\n",
    "\\\n",
    "'",
    "\"",
    "$",
    "$((",
    "))",
    "${",
    "}",
    ":-",
    "A",
    "=",
    "1",
    ";",
    "&",
    "|",
    ">",
    "<<EOF",
    "#",
    "export ",
    "sglang serve ",
    "python -m sglang.launch_server ",
    "--tp ",
    "--dp=",
    "--disaggregation-mode prefill ",
    "bash -c ",
    "`",
    "(",
    ")",
    "-",
    "é",
];
const PYTHON: &[&str] = &[
    " = ",
    "prefill_args",
    "decode_env",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "'",
    "\"",
    "\"\"\"",
    ",",
    ":",
    "Engine",
    "tp_size=",
    "8",
    "-",
    "--tp",
    "#",
    "\n",
    ".",
    "True",
    "None",
    "dict",
    "\\",
    "f",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_yaml_is_read(text in pieces(YAML)) {
        let reading = at_newest(&format!("a: 1\n{text}"));
        for variant in 0..reading.variants.len().min(3) {
            let _ = read_variant(&text, Release::NEWEST, variant);
        }
        let _ = at_newest(&text);
    }

    #[test]
    fn any_shell_is_read(text in pieces(SHELL)) {
        let _ = at_newest(&text);
    }

    #[test]
    fn any_python_is_read(text in pieces(PYTHON)) {
        let _ = at_newest(&format!("x = 1\n{text}"));
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = at_newest(&String::from_utf8_lossy(&bytes));
        let _ = at_newest(&format!("a:\n- {}", String::from_utf8_lossy(&bytes)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_plans_own_json_reads_back_to_it(plan in plans()) {
        let json = serde_json::to_string_pretty(&plan).expect("a plan is written");
        let reading = at_newest(&json);
        prop_assert_eq!(reading.format, Format::Plan);
        prop_assert_eq!(reading.plan, plan, "{}\n{:#?}", json, reading.said);
    }
}

/// Texts of a megabyte that are meant to take long.
fn megabytes() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(1_000_000_usize.checked_div(piece.len()).unwrap_or(1));
    let launch = "sglang serve --model-path m --disaggregation-mode prefill ";
    let numbered = |line: &dyn Fn(usize) -> String| {
        let mut text = String::new();
        (0..)
            .map(line)
            .take_while(|line| {
                text.push_str(line);
                text.len() < 990_000
            })
            .for_each(drop);
        text.pop();
        text
    };
    vec![
        ("one line of a word", fill("a")),
        ("one YAML scalar", format!("a: {}", fill("b")[5..].to_owned())),
        ("quotes", fill("'")),
        ("quotes and blanks", fill("\"a\" ")),
        ("a launch of quotes", format!("{launch}{}", &fill("'a' ")[100..])),
        ("$((", fill("$((")),
        ("$((1)) in a launch", format!("{launch}{}", &fill("$((1)) ")[100..])),
        ("${A:-", fill("${A:-")),
        ("backslashes", fill("\\ ")),
        ("unknown options", format!("{launch}{}", numbered(&|n| format!("--x{n} ")))),
        ("prefixes of options", format!("{launch}{}", &fill("--d --e --s ")[100..])),
        ("values", format!("{launch}--tp {}", &fill("1 ")[100..])),
        ("many launches", fill(&format!("{launch}--tp 8 --dp 4\n"))),
        ("launches and exports", numbered(&|n| format!("export SGLANG_{n}=1\n{launch}--tp {n}\n"))),
        ("many exports", numbered(&|n| format!("A{n}=1\n"))),
        ("doubling variables", format!("A={}\n{}", &fill("x")[..500_000], fill("A=$A$A\n")[500_020..].to_owned())),
        ("a script in a script", fill("bash -c \"bash -c 'sglang serve --tp 1' \"\n")),
        ("flow lists, deep", fill("[")),
        ("flow lists, wide", format!("[{}]", &fill("a,")[2..])),
        ("block lists, deep", fill("- ")),
        ("block lists, wide", fill("- --tp-size\n")),
        ("mappings, deep", (0..1400).map(|n| format!("{}a:\n", " ".repeat(n))).collect()),
        ("mappings, wide", numbered(&|n| format!("a{n}: 1\n"))),
        ("options in a mapping", numbered(&|n| format!("tp-{n}: 1\n"))),
        ("documents", fill("---\n")),
        ("containers", fill("---\nargs: [--model-path, m, --tp, '8']\n")),
        ("JSON", format!("{{{}\"a\": 1}}", &fill("\"a\": [1, {\"b\": 2}], ")[30..])),
        (
            "aliases that double",
            numbered(&|n| format!("- &a{} [*a{n}, *a{n}]\n", n + 1)).replacen("[*a0, *a0]", "[--tp]", 1),
        ),
        (
            "aliases of a long text",
            format!("a: &a \"{}\"\nb:\n{}", &fill("sglang serve ")[..500_000], &fill("- *a\n")[500_030..]),
        ),
        (
            "aliases of a script",
            format!("a: &a \"{}\"\nb:\n{}", &fill("sglang serve\\n")[..5_000], &fill("- *a\n")[5_030..]),
        ),
        ("a block of commands", format!("a: |\n{}", &fill(" sglang serve --model-path m\n")[30..])),
        ("colons", fill("a:")),
        ("question marks", fill("? ")),
        ("Python calls", format!("x = 1\n{}", &fill("Engine(tp_size=1)\n")[10..])),
        ("Python brackets", format!("x = {}", &fill("[")[10..])),
        ("Python quotes", format!("x = [{}", &fill("'--tp',")[10..])),
        ("Python parentheses", format!("x = {}", &fill("(a=")[10..])),
        ("blank lines", fill("\n")),
        ("comments", fill("# a\n")),
    ]
}

/// Run it as `cargo test --release --no-default-features --test pastes -- --ignored --nocapture`.
#[test]
#[ignore = "prints times, which depend on the machine"]
fn a_megabyte_of_anything_is_read_in() {
    for (name, text) in megabytes() {
        let start = Instant::now();
        let reading = at_newest(&text);
        let time = start.elapsed().as_secs_f64() * 1000.0;
        println!("{time:8.1} ms  {name} ({} bytes, {}, {} said)", text.len(), reading.format, reading.said.len());
    }
}
