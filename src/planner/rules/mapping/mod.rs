//! What is said while the rank mapping is worked out.

super::rules! {
    attention_tp_differs_for_heads,
    map_is_too_large_to_list,
}
