//! What happens when a request is sent to a DP rank.

super::rules! {
    prefill_replicas_share_dp_rank_0,
}
