//! How the options of the releases are found.

use super::*;

fn release(name: &str) -> Release {
    Release::named(name).unwrap()
}

/// `find`, written as one line.
fn told(name: &str, typed: &str) -> String {
    match find(release(name), typed) {
        Found::Exact(argument) => format!("{} {:?}", argument.name, argument.kind),
        Found::Prefix(argument) => format!("short for {} {:?}", argument.name, argument.kind),
        Found::Ambiguous(strings) => format!("ambiguous: {}", strings.join(" ")),
        Found::Unknown { before, since } => {
            let name = |release: Option<Release>| release.map_or("-", Release::name);
            format!("unknown: before {}, since {}", name(before), name(since))
        }
    }
}

#[test]
fn every_line_of_the_table_is_read() {
    let table = include_str!("../options.txt");
    let (comments, lines): (Vec<_>, Vec<_>) = table.lines().partition(|line| line.starts_with('#'));
    assert_eq!((comments.len(), lines.len()), (1, ROWS.len()));
    assert!(lines.is_sorted_by_key(|line| line.split(' ').next()), "run tests/oracle/options.py anew");
}

#[test]
fn every_string_means_one_option_in_each_release() {
    for release in Release::ALL {
        for row in ROWS.iter().filter(|row| row.held_by(*release)) {
            let same = ROWS.iter().filter(|other| other.string == row.string && other.held_by(*release));
            assert_eq!(same.count(), 1, "{} in {release}", row.string);
            let argument = row.argument(*release).unwrap();
            assert_eq!(find(*release, row.string), Found::Exact(argument), "{} in {release}", row.string);
        }
    }
}

#[test]
fn the_releases_have_as_many_strings_as_their_parsers() {
    let counts = Release::ALL.iter().map(|release| ROWS.iter().filter(|row| row.held_by(*release)).count());
    let parsers = [367, 367, 389, 404, 404, 421, 421, 435, 453, 453, 478, 493, 508, 523, 515, 534, 546, 561];
    assert_eq!(counts.collect::<Vec<_>>(), parsers);
}

#[test]
fn an_option_is_found_as_argparse_finds_it() {
    for (release, typed, answer) in [
        ("0.5.23", "--tp-size", "--tp-size One"),
        ("0.5.23", "--tp-size=8", "--tp-size One"),
        ("0.5.10", "--tensor-parallel-size", "--tp-size One"),
        ("0.5.23", "--tp", "short for --tp-size One"),
        ("0.5.23", "--tp=8", "short for --tp-size One"),
        ("0.5.23", "--tensor=8", "short for --tp-size One"),
        ("0.5.23", "--ep", "--ep-size One"),
        ("0.5.23", "--dp", "short for --dp-size One"),
        ("0.5.18", "--pp", "ambiguous: --pp-async-batch-depth --pp-max-micro-batch-size --pp-size"),
        ("0.5.23", "--dcp", "ambiguous: --dcp-comm-backend --dcp-replicate-q-proj --dcp-size"),
        ("0.5.22", "--page", "short for --page-size One"),
        ("0.5.23", "--page", "ambiguous: --page-size --paged-experts-num-resident"),
        ("0.5.23", "--trust-remote-code", "--trust-remote-code Switch"),
        ("0.5.23", "--no-dcp-replicate-q-proj", "--no-dcp-replicate-q-proj Switch"),
        ("0.5.23", "--log-requests-target", "--log-requests-target Several"),
        ("0.5.23", "--config", "--config One"),
        ("0.5.23", "-h", "--help Switch"),
        ("0.5.23", "-host", "short for --help Switch"),
        ("0.5.23", "--enable-expert-parallel", "unknown: before -, since -"),
        ("0.5.23", "-tp", "unknown: before -, since -"),
        ("0.5.23", "--", "unknown: before -, since -"),
        ("0.5.23", "-", "unknown: before -, since -"),
        ("0.5.23", "-é", "unknown: before -, since -"),
        ("0.5.23", "8", "unknown: before -, since -"),
        ("0.5.18", "--attn-dp-size", "unknown: before -, since 0.5.22"),
        ("0.5.18", "--attn-dp=2", "unknown: before -, since 0.5.22"),
        ("0.5.18", "--enable-kv-cache-sharding", "unknown: before -, since 0.5.22"),
        ("0.5.23", "--nsa-prefill-cp-mode", "unknown: before 0.5.19, since -"),
        // A string may move to another option.
        ("0.5.15", "--grpc-http-sidecar-port", "--grpc-http-sidecar-port One"),
        ("0.5.16", "--grpc-http-sidecar-port", "--smg-http-sidecar-port One"),
    ] {
        assert_eq!(told(release, typed), answer, "{typed} in {release}");
    }
}

#[test]
fn a_malformed_line_is_none() {
    for line in ["", "# --x v", "--x", "--x y", "--x v 0.5.9-", "--x v 0.5.10", "--x v 0.5.10- more"] {
        assert!(Row::read(line).is_none(), "{line}");
    }
}
