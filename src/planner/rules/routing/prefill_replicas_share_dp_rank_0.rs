//! Replicas of a prefill behind one bootstrap server.

use crate::planner::pair::Pair;
use crate::planner::release::{Range, Release};
use crate::planner::report::{Edit, Fix, Place};
use crate::planner::rules::{Break, CONN, Judgement, prefill, rule, set_size};
use crate::planner::value::Value;

rule! {
    /// A prefill behind one bootstrap server has attention DP, not replicas.
    ///
    /// Every replica takes itself for DP rank 0. A request that the prefill gives to another replica than its
    /// bootstrap room names is refused there, or looked for at replica 0, where nobody has it.
    "prefill-replicas-share-dp-rank-0", Routing Fails in Range::since(Release::V0_5_11), None,
    seen: "Requests of replica 0 work. All others fail on prefill with \"follow_bootstrap_room conflict: dispatched to \
           dp_rank 0 but bootstrap_room …\" (with another load balancing they hang), and on decode after 300 seconds. \
           A router that names the prefill DP rank of each request avoids it.",
    evidence: Read, sources: [(CONN, "CommonKVSender.__init__")],
    breaks: "sgl=0.5.23&p=tp4.rep2&d=tp4", holds: "sgl=0.5.23&p=tp8.dp2&d=tp4",
    Pair(check)
}

fn check(pair: &Pair<'_>) -> Judgement {
    let widths = pair.prefill.widths;
    if widths.replicas == 1 {
        return Judgement::Holds;
    }
    let tp = pair.prefill.server.tp.number().saturating_mul(widths.replicas);
    let one = set_size("Run one replica behind each bootstrap server".to_owned(), prefill("replicas"), 1);
    let groups = widths.attention_dp == 1;
    let edit = |field: &str, number: u32| Edit { field: prefill(field), value: Value::Number(i64::from(number)) };
    let attention = groups.then(|| Fix {
        title: format!("Make them attention DP · TP becomes {tp}, as many GPUs"),
        edits: vec![edit("replicas", 1), edit("tp", tp), edit("attentionDp", widths.replicas)],
    });
    Judgement::Breaks(Break {
        side: Place::Prefill,
        message: format!(
            "Only one in {} requests works: all {0} prefill replicas register as DP rank 0.",
            widths.replicas
        ),
        error: None,
        fields: vec![prefill("replicas")],
        fixes: attention.into_iter().chain(one).collect(),
    })
}
