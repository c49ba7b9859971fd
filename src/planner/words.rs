//! Sentences that more than one view shows.

use super::mapping::{Mapping, Tp};
use super::pair::Pair;
use super::report::{Finding, Outcome, Stage, Verdict};

/// The verdict in one sentence.
pub fn headline(pair: &Pair<'_>, verdict: Verdict, findings: &[Finding]) -> String {
    let is_worst = |finding: &&Finding| {
        matches!(
            (verdict, finding.outcome),
            (Verdict::Rejected, Outcome::Rejects)
                | (Verdict::Unknown, Outcome::Needs)
                | (Verdict::BreaksLater, Outcome::Fails | Outcome::Hangs | Outcome::Corrupts)
                | (Verdict::AcceptedWithWarnings, Outcome::Warns)
        )
    };
    let release = pair.decode.release;
    match findings.iter().find(is_worst) {
        Some(finding) => format!("{}: {}", title(verdict, Some(finding)), finding.message),
        None => match &pair.mapping {
            Some(mapping) => format!("Accepted by SGLang {release}: {}", pulls(mapping)),
            None => format!("Accepted by SGLang {release}: the map has no ranks."),
        },
    }
}

/// A verdict as a title, with what decides it.
pub fn title(verdict: Verdict, worst: Option<&Finding>) -> &'static str {
    match (verdict, worst.map(|finding| (finding.stage, finding.outcome))) {
        (Verdict::Accepted, _) => "Accepted",
        (Verdict::AcceptedWithWarnings, _) => "Accepted, with a warning",
        (Verdict::Rejected, Some((Stage::Launch, _))) => "Rejected at launch",
        (Verdict::Rejected, Some((Stage::Handshake, _))) => "Rejected at the handshake",
        (Verdict::Rejected, _) => "Rejected",
        (Verdict::BreaksLater, Some((Stage::Launch, Outcome::Hangs))) => "Accepted, then hangs at launch",
        (Verdict::BreaksLater, Some((Stage::Launch, Outcome::Fails))) => "Accepted, then dies at launch",
        (Verdict::BreaksLater, Some((Stage::Routing, _))) => "Accepted, then some requests fail",
        (Verdict::BreaksLater, Some((_, Outcome::Hangs))) => "Accepted, then every request hangs",
        (Verdict::BreaksLater, Some((_, Outcome::Corrupts))) => "Accepted, then wrong output",
        (Verdict::BreaksLater, _) => "Accepted, then every request fails",
        (Verdict::Unknown, _) => "Unknown",
    }
}

/// Who pulls from whom, in a sentence.
pub fn pulls(mapping: &Mapping) -> String {
    let tp = match mapping.tp {
        Tp::Sharded => {
            format!("each decode rank pulls its share of every page from all {} prefill ranks", mapping.prefill_tp)
        }
        Tp::Fan(1) => "each decode rank pulls from the prefill rank of the same number".to_owned(),
        Tp::Fan(decode_ranks) => format!("each prefill rank serves {decode_ranks} decode ranks"),
        Tp::Gather(prefill_ranks) if mapping.has_dummies => {
            let dummies = prefill_ranks.saturating_sub(1);
            let plural = if dummies == 1 { "" } else { "s" };
            format!(
                "each decode rank reads a full copy from one prefill rank and keeps {dummies} dummy connection{plural}"
            )
        }
        Tp::Gather(prefill_ranks) => format!("each decode rank gathers from {prefill_ranks} prefill ranks"),
    };
    let cp = match (mapping.prefill_cp, mapping.pulled_cp) {
        (1, _) => String::new(),
        (cp, 1) => format!(", of CP rank 0 alone (of {cp})"),
        (cp, _) => format!(", of all {cp} CP ranks"),
    };
    let pp = if mapping.prefill_pp == mapping.decode_pp {
        String::new()
    } else {
        format!(", of all {} stages", mapping.prefill_pp)
    };
    format!("{tp}{cp}{pp}.")
}
