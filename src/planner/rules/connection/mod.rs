//! What happens when decode ranks look prefill ranks up and register with them.

super::rules! {
    allocation_policy_must_match,
    prefill_complete_needs_one_rank,
    decode_rank_has_no_prefill_rank,
    prefill_rank_has_no_decode_rank,
    all_cp_ranks_only_on_prefill,
    all_cp_ranks_only_on_decode,
}
