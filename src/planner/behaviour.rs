//! What releases do differently in publishing, mapping and pulling, as rows.
//!
//! Rules carry their own ranges; these are the differences that no single rule owns.

use super::release::{Range, Release};

/// SGLang knows hybrid-MLA pools: their decode pulls from every CP rank, and their prefill
/// CP ranks all send. Before, such a pool is treated like heads.
/// (`CommonKVManager.__init__`, `is_hybrid_mla_backend`)
pub const HYBRID_MLA: Range = Range::since(Release::V0_5_16);

/// The prefill publishes whether CP ranks split the DSA cache by layer; then all of them send.
/// (`PrefillServerInfo.enable_dsa_cache_layer_split`)
pub const LAYER_SPLIT: Range = Range::since(Release::V0_5_16);

/// The prefill publishes whether its ranks keep shares of pages; then all of them send.
/// (`PrefillServerInfo.enable_kv_cache_sharding`)
pub const KV_SHARDING: Range = Range::since(Release::V0_5_23);

/// Fields of the prefill's published row beyond those of 0.5.10, in the order in which it
/// lists them, and the releases that have them. A decode builds its own record from the
/// JSON and refuses the first name it does not know. (`PrefillServerInfo`)
pub const PUBLISHED_FIELDS: &[(Published, &str, Range)] = &[
    (Published::Always, "enable_dsa_cache_layer_split", Range::since(Release::V0_5_16)),
    (Published::WithDspark, "dsv41_spec_layout", Range::since(Release::V0_5_21)),
    (Published::WithKvLayout, "kv_layout", Range::since(Release::V0_5_23)),
    (Published::Always, "decode_allocation_policy", Range::since(Release::V0_5_22)),
    (Published::Always, "enable_kv_cache_sharding", Range::since(Release::V0_5_23)),
];

/// When a prefill's row has a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// In every row.
    Always,
    /// Only with a DeepSeek-V4.1 DSpark layout.
    WithDspark,
    /// Only with a KV layout.
    WithKvLayout,
}

/// A decode with `--enable-hisparse` takes a prefill of any page size.
/// (`CommonKVManager.try_ensure_parallel_info`)
pub const HISPARSE_TAKES_ANY_PAGE: Range = Range::between(Release::V0_5_10, Release::V0_5_13);
