//! What a server refuses when it starts, as far as sizes and PD flags go.
//!
//! Model families, page sizes and node placement also decide at launch; they are not judged
//! here yet.

super::rules! {
    flag_must_exist_in_release,
    kv_sharding_only_on_prefill,
    layer_split_only_on_prefill,
    attention_dp_excludes_replicas,
    one_dp_size_for_both_kinds,
    attention_dp_must_divide_tp,
    attention_cp_must_divide_tp,
    attention_dp_and_cp_must_divide_tp,
    dp_and_cp_must_divide_tp,
    nodes_must_divide_ranks,
    nodes_start_every_rank,
    node_has_enough_gpus,
    large_server_tells_its_nodes,
    dcp_must_divide_tp,
    dcp_stays_inside_an_attention_group,
    decode_dcp_needs_mooncake_or_nixl,
    decode_dcp_needs_mooncake_nixl_or_fake,
    prefill_complete_needs_plain_or_dsa_pool,
}
