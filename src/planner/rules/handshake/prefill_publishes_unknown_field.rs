//! Different releases on the two sides.

use crate::planner::behaviour::{PUBLISHED_FIELDS, Published};
use crate::planner::pair::Pair;
use crate::planner::release::Range;
use crate::planner::report::Place;
use crate::planner::rules::{Break, CONN, Judgement, decode, prefill, rule, set};
use crate::planner::value::{FieldType, Value};

rule! {
    /// A prefill must not publish a field that decode's release does not know.
    ///
    /// Decode builds its own record from the JSON that the bootstrap server answers, and
    /// refuses a name it does not know. Fields were added in 0.5.16, 0.5.21 (with DSpark),
    /// 0.5.22 and 0.5.23. A decode newer than its prefill reads the shorter answer without
    /// trouble.
    "prefill-publishes-unknown-field", Handshake Fails in Range::ALL, Some("TypeError"),
    seen: "Every request fails after about 15 seconds: decode asks 15 times, then aborts the request with \
           \"Could not fetch prefill parallel info\". Only decode's ERROR log names the field: \"Error fetching \
           prefill server info from bootstrap: …\". Both servers stay up.",
    evidence: Executed, sources: [(CONN, "PrefillServerInfo")],
    breaks: "sgl=0.5.18&p=tp8.sgl:0%2E5%2E22&d=tp8.sgl:0%2E5%2E21",
    holds: "sgl=0.5.18&p=tp8.sgl:0%2E5%2E21&d=tp8.sgl:0%2E5%2E22",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let (there, here) = (pair.prefill.release, pair.decode.release);
    let is_published = |when: Published| match when {
        Published::Always => Some(true),
        Published::WithKvLayout => Some(pair.prefill.server.kv_layout.is_some()),
        Published::WithDspark => pair.prefill.dspark,
    };
    let unknown = PUBLISHED_FIELDS.iter().filter(|(.., range)| range.contains(there) && !range.contains(here));
    for (when, field, _) in unknown {
        match is_published(*when) {
            Some(false) | None => {}
            Some(true) => {
                let text = format!("PrefillServerInfo.__init__() got an unexpected keyword argument '{field}'");
                let to = |side: &str, release| format!("Run {release} on {side} too");
                return Judgement::Breaks(Break {
                    side: Place::Decode,
                    message: format!("Prefill runs {there} and publishes `{field}`; decode runs {here} and does not know it."),
                    error: Some(text),
                    fields: vec![prefill("release"), decode("release")],
                    fixes: vec![
                        set(to("decode", there), decode("release"), there.to_value()),
                        set(to("prefill", here), prefill("release"), Value::Text(here.name().to_owned())),
                    ],
                });
            }
        }
    }
    Judgement::Holds
}
