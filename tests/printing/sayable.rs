//! Plans that commands can tell, with words that shells, YAML and Kubernetes take for something else.

use super::common::plans;
use pd_planner::planner::catalog::{ModelName, find};
use pd_planner::planner::plan::{Plan, Role, Server};
use pd_planner::planner::record::Record;
use pd_planner::planner::release::Release;
use pd_planner::planner::value::Size;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;

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
pub fn sayable() -> impl Strategy<Value = Plan> {
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
            *plan.server_mut(role).env = env.into_iter().collect();
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
