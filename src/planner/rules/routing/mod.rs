//! What happens when a request is sent to a DP rank.

super::rules! {
    prefill_replicas_share_dp_rank_0,
    forced_dp_rank_query_is_never_answered,
}
