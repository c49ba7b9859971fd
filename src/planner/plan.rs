//! Plans: one prefill and one decode server, a model, a release, the traffic.
//!
//! These are the types of the contract's JSON. They hold what was asked for, not what
//! SGLang makes of it: that is in `layout/` and `rules/`. A plan can name topologies that
//! no SGLang accepts; that is what the planner is for. What no plan may be is in
//! [`Plan::problem`].

use super::catalog::{Model, ModelName};
use super::record::{Record, from_object, record};
use super::release::{Range, Release};
use super::value::{Env, FieldType, Kind, LIMIT, Size, Value, words};
use serde::{Deserialize, Serialize};

/// A prefill and a decode server, a model, a release, and the traffic to size for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The SGLang release that both sides run.
    pub release: Release,
    /// The model, by its catalogue name or described.
    pub model: ModelName,
    /// The server that reads prompts and builds the KV cache.
    pub prefill: Server,
    /// The server that pulls the KV cache and writes answers.
    pub decode: Server,
    /// What to size for.
    pub traffic: Traffic,
}

/// What to size a plan for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// The tokens of one request's prompt.
    #[serde(rename = "promptTokens")]
    pub prompt_tokens: Tokens,
}

from_object!(Plan { "release" => release, "model" => model, "prefill" => prefill, "decode" => decode, "traffic" => traffic });
from_object!(Traffic { "promptTokens" => prompt_tokens });

/// A number of tokens, from 1 to 2³¹ − 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32")]
pub struct Tokens(u32);

impl Tokens {
    /// The number, if it is one from 1 to 2³¹ − 1.
    pub fn new(number: u32) -> Option<Tokens> {
        (1..=i32::MAX.unsigned_abs()).contains(&number).then_some(Tokens(number))
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Tokens {
    type Error = String;
    fn try_from(number: u32) -> Result<Self, String> {
        Tokens::new(number).ok_or_else(|| format!("must be a whole number from 1 to {}", i32::MAX))
    }
}

impl Default for Traffic {
    fn default() -> Self {
        Traffic { prompt_tokens: Tokens(4096) }
    }
}

impl FieldType for Release {
    const KIND: Kind = Kind::Text(super::release::NAMES);
    fn to_value(&self) -> Value {
        Value::Text(self.name().to_owned())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        match value {
            Value::Text(name) => Release::named(name).ok_or_else(|| super::release::unknown(name)),
            _ => Err("must name a release".to_owned()),
        }
    }
}

impl Default for Release {
    fn default() -> Self {
        Release::NEWEST
    }
}

words! {
    /// One of the two servers.
    Role {
        /// Reads the prompt, builds the KV cache.
        Prefill = "prefill",
        /// Pulls the KV cache, writes the answer.
        Decode = "decode",
    }
}

words! {
    /// What moves KV between servers (`--disaggregation-transfer-backend`).
    TransferBackend {
        /// Mooncake over RDMA.
        Mooncake = "mooncake",
        /// Mooncake over TCP.
        MooncakeTcp = "mooncake_tcp",
        /// NIXL.
        Nixl = "nixl",
        /// MoRI.
        Mori = "mori",
        /// Ascend.
        Ascend = "ascend",
        /// Nothing is moved; for decode benchmarks.
        Fake = "fake",
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
        /// Flags that are carried through without being judged.
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

    /// Whether the environment variable of that name is set to a word that SGLang's `EnvBool`
    /// reads as true. Other words, such as `on`, only make it warn.
    pub fn env_is_on(&self, name: &str) -> bool {
        let is_true = |value: &String| ["true", "1", "yes", "y"].iter().any(|word| value.eq_ignore_ascii_case(word));
        self.env.get(name).is_some_and(is_true)
    }
}

/// Why something is no plan at all: the field and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, such as `prefill.tp`.
    pub field: String,
    /// What is wrong with it, and what would fit.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl Plan {
    /// The server of a role.
    pub fn server(&self, role: Role) -> &Server {
        match role {
            Role::Prefill => &self.prefill,
            Role::Decode => &self.decode,
        }
    }

    /// The server of a role, to change.
    pub fn server_mut(&mut self, role: Role) -> &mut Server {
        match role {
            Role::Prefill => &mut self.prefill,
            Role::Decode => &mut self.decode,
        }
    }

    /// The release that a side runs.
    pub fn release_of(&self, role: Role) -> Release {
        self.server(role).release.unwrap_or(self.release)
    }

    /// The model's facts, if the catalogue has it or the plan describes it.
    pub fn model(&self) -> Option<&Model> {
        self.model.facts()
    }

    /// Why this is no plan: one side has more ranks than the planner looks at.
    pub fn problem(&self) -> Option<Problem> {
        [Role::Prefill, Role::Decode].into_iter().find_map(|role| {
            let server = self.server(role);
            let ranks = server.ranks();
            (ranks > u64::from(LIMIT)).then(|| Problem {
                field: format!("{role}.tp"),
                message: format!(
                    "TP {} × PP {} × replicas {} is {ranks} ranks; the limit is {LIMIT} ranks a side",
                    server.tp, server.pp, server.replicas
                ),
            })
        })
    }

    /// Writes a value into the field that `path` names, such as `prefill.attentionCp`.
    ///
    /// # Errors
    /// When there is no such field, or the value does not fit it.
    pub fn write(&mut self, path: &str, value: &Value) -> Result<(), Problem> {
        let problem = |message: String| Problem { field: path.to_owned(), message };
        let no_field = || problem("there is no such field".to_owned());
        let fits = match path.split_once('.') {
            Some(("prefill", name)) => {
                let field = Server::field(name).ok_or_else(no_field)?;
                (field.write)(&mut self.prefill, value)
            }
            Some(("decode", name)) => {
                let field = Server::field(name).ok_or_else(no_field)?;
                (field.write)(&mut self.decode, value)
            }
            Some(("model", name)) => {
                let field = Model::field(name).ok_or_else(no_field)?;
                let mut facts = self.model().cloned().unwrap_or_default();
                let written = (field.write)(&mut facts, value);
                self.model = ModelName::Described(facts.into());
                written
            }
            _ => match (path, value) {
                ("release", value) => Release::from_value(value).map(|release| self.release = release),
                ("model", Value::Text(name)) => {
                    self.model = ModelName::Named(name.clone());
                    Ok(())
                }
                _ => return Err(no_field()),
            },
        };
        fits.map_err(problem)
    }
}
