//! A pair: a plan with everything derived that rules and the mapping ask for.
//!
//! Facts are `Option`: `None` means that the plan and the catalogue do not tell.

use super::behaviour;
use super::catalog::{Attention, Model};
use super::mapping::{self, Mapping};
use super::plan::{Plan, Role, Server};
use super::release::Release;
use super::report::Finding;
use super::startup::Startup;
use super::transfer::{self, Travels};
use super::widths::Widths;

/// The variable that makes every CP rank take part in transfers, on the side that sets it.
pub const ALL_CP_RANKS_ENV: &str = "SGLANG_DISAGGREGATION_ALL_CP_RANKS_TRANSFER";

/// A plan and what follows from it.
pub struct Pair<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The model's facts, if known.
    pub model: Option<&'a Model>,
    /// The prefill side.
    pub prefill: Side<'a>,
    /// The decode side. Its release is the one whose handshake judges the pair.
    pub decode: Side<'a>,
    /// The rank mapping; `None` when the model's attention is not known or a width is 0.
    pub mapping: Option<Mapping>,
    /// What is to be said of the servers' start-ups, prefill's first.
    pub startup: Vec<Finding>,
    /// What goes wrong when KV and states travel.
    pub transfer: Travels,
}

/// One server of a pair.
pub struct Side<'a> {
    /// Which one.
    pub role: Role,
    /// The server as it runs: as asked for, and as SGLang resolved it.
    pub server: Server,
    /// The release it runs.
    pub release: Release,
    /// Its widths.
    pub widths: Widths,
    /// Whether every CP rank takes part in transfers, as this side decides it. On prefill:
    /// whether all of them send. On decode: whether it pulls from all of them, apart from
    /// what the prefill publishes.
    pub all_cp_ranks: Option<bool>,
    /// Whether it has a DeepSeek-V4.1 DSpark layout.
    pub dspark: Option<bool>,
    /// The state kinds of its KV pool, by the newest release's names.
    pub states: Option<Vec<&'a str>>,
}

impl<'a> Pair<'a> {
    /// Derives everything from a plan.
    pub fn of(plan: &'a Plan) -> Pair<'a> {
        let model = plan.model();
        let (prefill, mut said) = Startup::of(plan, Role::Prefill, Some(Role::Prefill)).run();
        let (decode, more) = Startup::of(plan, Role::Decode, Some(Role::Decode)).run();
        said.extend(more);
        let mut pair = Pair {
            plan,
            model,
            prefill: side(prefill),
            decode: side(decode),
            mapping: None,
            startup: said,
            transfer: Travels::default(),
        };
        pair.mapping = mapping::of(&pair);
        pair.transfer = transfer::travels(&pair);
        pair
    }

    /// A side.
    pub fn side(&self, role: Role) -> &Side<'a> {
        match role {
            Role::Prefill => &self.prefill,
            Role::Decode => &self.decode,
        }
    }

    /// The model's attention, if known.
    pub fn attention(&self) -> Option<Attention> {
        self.model.and_then(|model| model.attention)
    }

    /// Whether decode's SGLang sees an MLA pool (`is_mla_backend`).
    pub fn is_mla(&self) -> Option<bool> {
        self.attention().map(|attention| attention == Attention::Mla)
    }

    /// Whether decode's SGLang sees an MLA or hybrid-MLA pool.
    pub fn has_latent(&self) -> Option<bool> {
        let hybrid_is_known = behaviour::HYBRID_MLA.contains(self.decode.release);
        self.attention().map(|attention| match attention {
            Attention::Mla => true,
            Attention::HybridMla => hybrid_is_known,
            Attention::Gqa => false,
        })
    }

    /// Whether the attention TP widths differ.
    pub fn tp_differs(&self) -> bool {
        self.prefill.widths.attention_tp != self.decode.widths.attention_tp
    }

    /// Whether the prefill publishes that its ranks keep shares of pages, and decode reads it.
    pub fn publishes_sharding(&self) -> bool {
        self.prefill.server.enable_kv_cache_sharding
            && [self.prefill.release, self.decode.release].into_iter().all(|r| behaviour::KV_SHARDING.contains(r))
    }

    /// Whether the prefill publishes that its CP ranks split the cache by layer, and decode reads it.
    pub fn publishes_layer_split(&self) -> bool {
        self.prefill.server.enable_dsa_cache_layer_split
            && [self.prefill.release, self.decode.release].into_iter().all(|r| behaviour::LAYER_SPLIT.contains(r))
    }
}

fn side(startup: Startup<'_>) -> Side<'_> {
    let Startup { role, release, server, widths, model, .. } = startup;
    let attention = model.and_then(|model| model.attention);
    Side {
        all_cp_ranks: all_cp_ranks(role, &server, release, widths, attention),
        dspark: dspark(&server, model),
        states: model.and_then(|model| states(model, &server)),
        role,
        server,
        release,
        widths,
    }
}

/// `enable_all_cp_ranks_for_transfer` of `CommonKVManager.__init__`.
fn all_cp_ranks(
    role: Role,
    server: &Server,
    release: Release,
    widths: Widths,
    attention: Option<Attention>,
) -> Option<bool> {
    let sharded = server.enable_kv_cache_sharding && behaviour::KV_SHARDING.contains(release);
    let split = server.enable_dsa_cache_layer_split && behaviour::LAYER_SPLIT.contains(release);
    if server.env_is_on(ALL_CP_RANKS_ENV) || widths.attention_cp > 1 && (split || sharded) {
        return Some(true);
    }
    let attention = attention?;
    let hybrid = attention == Attention::HybridMla && behaviour::HYBRID_MLA.contains(release);
    let hybrid_takes_all = hybrid && (role == Role::Decode || widths.attention_cp > 1);
    let shards_over_tp = sharded && attention == Attention::Mla && widths.attention_tp > 1;
    Some(hybrid_takes_all || shards_over_tp)
}

/// `get_dsv41_spec_layout`: a model with compression ratio 2, and DSpark.
fn dspark(server: &Server, model: Option<&Model>) -> Option<bool> {
    if !server.speculative_algorithm.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("DSPARK")) {
        return Some(false);
    }
    let model = model?;
    match (&model.compress_ratios, &model.architecture, model.attention) {
        (Some(ratios), ..) => Some(ratios.contains(&2)),
        (None, _, Some(Attention::Gqa | Attention::HybridMla)) => Some(false),
        (None, Some(architecture), _) if !architecture.starts_with("DeepseekV4") => Some(false),
        (None, ..) => None,
    }
}

/// The model's states, and those that an MXFP8 cache of heads adds.
pub fn states<'a>(model: &'a Model, server: &Server) -> Option<Vec<&'a str>> {
    let mut states: Vec<&str> = model.states.as_ref()?.iter().map(String::as_str).collect();
    if server.kv_cache_dtype == "mxfp8" && model.attention == Some(Attention::Gqa) && !states.contains(&"block_scale") {
        if states.contains(&"swa") {
            states.extend(["block_scale", "block_scale_swa"]);
        } else {
            states.insert(0, "block_scale");
        }
    }
    Some(states)
}
