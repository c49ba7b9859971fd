//! What `try_ensure_parallel_info` and `_resolve_rank_mapping` refuse, in their order.

super::rules! {
    prefill_publishes_unknown_field,
    page_size_must_match,
    kv_dtype_must_match,
    minimax_needs_equal_attention_tp,
    kv_layout_must_match,
    dspark_layout_must_match,
    dspark_needs_equal_attention_tp,
    dspark_needs_equal_or_cp_aligned_attention_tp,
    mxfp8_needs_equal_attention_tp,
    decode_dcp_needs_latent_pool,
    decode_dcp_needs_prefill_cp_1,
    decode_dcp_excludes_kv_sharding,
    kv_sharding_needs_equal_attention_tp,
    decode_cp_must_be_1,
    pp_must_match_or_decode_be_1,
}
