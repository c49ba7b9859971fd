//! One side as launched: its fields, the flags that set them, their defaults.

use super::record::record;
use super::release::{Range, Release};
use super::value::{Env, Size, words};

words! {
    /// What moves KV between servers (`--disaggregation-transfer-backend`).
    TransferBackend {
        /// Mooncake over RDMA.
        Mooncake = "mooncake",
        /// NIXL.
        Nixl = "nixl",
        /// Ascend.
        Ascend = "ascend",
        /// Nothing is moved; for decode benchmarks.
        Fake = "fake",
        /// MoRI.
        Mori = "mori",
        /// Mooncake over TCP.
        MooncakeTcp = "mooncake_tcp",
    }
}

words! {
    /// When decode reserves KV slots (`--disaggregation-decode-allocation-policy`).
    AllocationPolicy {
        /// Before prefill runs.
        Early = "early",
        /// After prefill has run.
        PrefillComplete = "prefill_complete",
    }
}

record! {
    /// One side as launched. Every field has a default, SGLang's own.
    Server {
        /// Tensor parallel width of the whole server; attention DP and CP are inside it.
        tp: Size = Size::ONE, "tp" "tp" "Tensor parallel" [Range::ALL => "--tp-size"];
        /// Attention data parallelism: groups of ranks inside TP that each serve their own requests.
        attention_dp: Size = Size::ONE, "attentionDp" "dp" "Attention DP" [
            Range::between(Release::V0_5_10, Release::V0_5_22) => "--dp-size … --enable-dp-attention",
            Range::since(Release::V0_5_22) => "--attn-dp-size"];
        /// Data-parallel copies of the whole server behind one address, without attention DP.
        replicas: Size = Size::ONE, "replicas" "rep" "Replicas" [Range::ALL => "--dp-size"];
        /// Attention context parallelism: ranks that share one prompt's tokens, inside TP.
        attention_cp: Size = Size::ONE, "attentionCp" "cp" "Context parallel" [Range::ALL => "--attn-cp-size"];
        /// Pipeline stages: each holds a slice of the layers.
        pp: Size = Size::ONE, "pp" "pp" "Pipeline stages" [Range::ALL => "--pp-size"];
        /// Decode context parallelism: ranks that each keep every n-th token of the MLA latent.
        dcp: Size = Size::ONE, "dcp" "dcp" "Decode context parallel" [Range::since(Release::V0_5_15) => "--dcp-size"];
        /// Expert parallel width.
        ep: Size = Size::ONE, "ep" "ep" "Expert parallel" [Range::ALL => "--ep-size"];
        /// Data parallel width of the mixture-of-experts layers.
        moe_dp: Size = Size::ONE, "moeDp" "moedp" "MoE DP" [Range::ALL => "--moe-dp-size"];
        /// Machines that the server spans.
        nodes: Size = Size::ONE, "nodes" "n" "Nodes" [Range::ALL => "--nnodes"];
        /// GPUs that each machine has.
        gpus_per_node: Size = Size::EIGHT, "gpusPerNode" "gpus" "GPUs per node" [];
        /// The GPU, such as H100 or B200. SGLang resolves some defaults by it.
        gpu: Option<String> = None, "gpu" "gpu" "GPU" [];
        /// Tokens in a KV page. Unset: what the release resolves for the model and GPU.
        page_size: Option<Size> = None, "pageSize" "page" "Page size" [Range::ALL => "--page-size"];
        /// Type of the KV cache's elements, as given on the command line.
        kv_cache_dtype: String = "auto".to_owned(), "kvCacheDtype" "dtype" "KV dtype" [Range::ALL => "--kv-cache-dtype"];
        /// What moves KV between the servers.
        transfer_backend: TransferBackend = TransferBackend::Mooncake, "transferBackend" "via" "Transfer" [
            Range::ALL => "--disaggregation-transfer-backend"];
        /// Whether prefill context parallelism is on.
        enable_prefill_cp: bool = false, "enablePrefillCp" "prefillcp" "Prefill CP" [
            Range::since(Release::V0_5_14) => "--enable-prefill-cp"];
        /// How context parallelism cuts a prompt: zigzag or interleave.
        cp_strategy: Option<String> = None, "cpStrategy" "cpstrategy" "CP strategy" [
            Range::since(Release::V0_5_14) => "--cp-strategy"];
        /// Whether each prefill rank keeps only its share of every KV page.
        enable_kv_cache_sharding: bool = false, "enableKvCacheSharding" "shard" "KV cache sharding" [
            Range::since(Release::V0_5_22) => "--enable-kv-cache-sharding"];
        /// Whether context-parallel prefill ranks split the DSA cache by layer.
        enable_dsa_cache_layer_split: bool = false, "enableDsaCacheLayerSplit" "layersplit" "DSA layer split" [
            Range::since(Release::V0_5_16) => "--enable-dsa-cache-layer-split"];
        /// When decode reserves KV slots: before prefill runs or after.
        allocation_policy: AllocationPolicy = AllocationPolicy::Early, "allocationPolicy" "alloc" "Allocation" [
            Range::since(Release::V0_5_22) => "--disaggregation-decode-allocation-policy"];
        /// How requests are spread over DP ranks.
        load_balance_method: String = "auto".to_owned(), "loadBalanceMethod" "lb" "Load balancing" [
            Range::ALL => "--load-balance-method"];
        /// Speculative decoding, such as EAGLE or DSPARK.
        speculative_algorithm: Option<String> = None, "speculativeAlgorithm" "spec" "Speculation" [
            Range::ALL => "--speculative-algorithm"];
        /// Draft tokens of speculative decoding.
        speculative_num_draft_tokens: Option<Size> = None, "speculativeNumDraftTokens" "draft" "Draft tokens" [
            Range::ALL => "--speculative-num-draft-tokens"];
        /// Byte layout of a DeepSeek-V4 KV pool, as the server logs it. Unset: not published.
        kv_layout: Option<String> = None, "kvLayout" "layout" "KV layout" [];
        /// Tokens that prefill reads at once.
        chunked_prefill_size: Option<i32> = None, "chunkedPrefillSize" "chunk" "Chunked prefill" [
            Range::ALL => "--chunked-prefill-size"];
        /// The release that this side runs, if not the plan's.
        release: Option<Release> = None, "release" "sgl" "Release of this side" [];
        /// The environment variables that SGLang reads for PD.
        env: Env = Env::default(), "env" "env" "Environment" [];
        /// Flags that have no field here: carried through, and judged where a rule names them.
        extra: Vec<String> = Vec::new(), "extra" "extra" "Other flags" [];
    }
}

impl Size {
    /// Eight, the GPUs of a common machine.
    pub const EIGHT: Size = Size::ONE.times_eight();
}

impl Server {
    /// Processes, and so GPUs, that the server runs: TP × PP × replicas.
    pub fn ranks(&self) -> u64 {
        let sizes = [self.tp, self.pp, self.replicas];
        sizes.iter().fold(1, |product: u64, size| product.saturating_mul(u64::from(size.number())))
    }

    /// Whether the backend is Mooncake, over RDMA or TCP.
    pub fn is_mooncake(&self) -> bool {
        matches!(self.transfer_backend, TransferBackend::Mooncake | TransferBackend::MooncakeTcp)
    }

    /// Whether the environment variable of that name is set to a word that SGLang's `EnvBool`
    /// reads as true. Other words, such as `on`, only make it warn.
    pub fn env_is_on(&self, name: &str) -> bool {
        let is_true = |value: &String| ["true", "1", "yes", "y"].iter().any(|word| value.eq_ignore_ascii_case(word));
        self.env.get(name).is_some_and(is_true)
    }
}
