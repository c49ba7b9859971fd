//! A model's facts, as far as PD depends on them, and how a plan names a model.

use crate::planner::json::{FromJson, Json, ReadRecord, record};
use crate::planner::plan::Problem;
use crate::planner::record::{self, Record};
use crate::planner::value::{FieldType, Kind, Value, words};
use serde::{Serialize, Serializer};

words! {
    /// The KV pool that SGLang builds for the model.
    Attention {
        /// Heads that are split over attention TP (MHA, GQA, MQA).
        Gqa = "gqa",
        /// A latent that every rank holds whole: SGLang's `is_mla_backend`.
        Mla = "mla",
        /// Linear attention over an MLA pool: SGLang's `is_hybrid_mla_backend`.
        HybridMla = "hybridMla",
    }
}

impl Attention {
    /// The name that people use.
    pub fn label(self) -> &'static str {
        match self {
            Attention::Gqa => "GQA",
            Attention::Mla => "MLA",
            Attention::HybridMla => "hybrid MLA",
        }
    }
}

record::record! {
    /// What is known of a model. A missing fact is `None`.
    Model {
        /// The KV pool: gqa, mla or hybridMla.
        attention: Option<Attention> = None, "attention" "attention" "Attention" [];
        /// `architectures[0]` of the checkpoint.
        architecture: Option<String> = None, "architecture" "arch" "Architecture" [];
        /// Layers of the model.
        layers: Option<u32> = None, "layers" "layers" "Layers" [];
        /// Layers that keep full-attention KV.
        kv_layers: Option<u32> = None, "kvLayers" "kvlayers" "KV layers" [];
        /// Which layers keep full-attention KV, from 0.
        kv_layer_ids: Option<Vec<i64>> = None, "kvLayerIds" "kvlayerids" "KV layer ids" [];
        /// Query heads.
        query_heads: Option<u32> = None, "queryHeads" "qheads" "Query heads" [];
        /// KV heads.
        kv_heads: Option<u32> = None, "kvHeads" "kvheads" "KV heads" [];
        /// Elements of a query or key head.
        head_dim: Option<u32> = None, "headDim" "headdim" "Head size" [];
        /// Elements of a value head, where it differs.
        v_head_dim: Option<u32> = None, "vHeadDim" "vheaddim" "Value head size" [];
        /// Elements of the MLA latent.
        kv_lora_rank: Option<u32> = None, "kvLoraRank" "kvlora" "KV LoRA rank" [];
        /// Elements of the rotary part that is kept beside the latent.
        qk_rope_head_dim: Option<u32> = None, "qkRopeHeadDim" "rope" "Rope head size" [];
        /// Elements of the part without position.
        qk_nope_head_dim: Option<u32> = None, "qkNopeHeadDim" "nope" "Nope head size" [];
        /// Elements of a DSA index head.
        index_head_dim: Option<u32> = None, "indexHeadDim" "indexdim" "Index head size" [];
        /// DSA index heads.
        index_heads: Option<u32> = None, "indexHeads" "indexheads" "Index heads" [];
        /// Tokens that the DSA index selects.
        index_topk: Option<u32> = None, "indexTopk" "indextopk" "Index top-k" [];
        /// Layers that store index keys.
        index_layers: Option<u32> = None, "indexLayers" "indexlayers" "Index layers" [];
        /// Pooling of index keys.
        index_kpool: Option<u32> = None, "indexKpool" "indexkpool" "Index pooling" [];
        /// Compression ratio of each layer (DeepSeek-V4).
        compress_ratios: Option<Vec<i64>> = None, "compressRatios" "ratios" "Compression ratios" [];
        /// Sliding-window layers.
        swa_layers: Option<u32> = None, "swaLayers" "swalayers" "SWA layers" [];
        /// Tokens of the window.
        window: Option<u32> = None, "window" "window" "Window" [];
        /// Whether sliding-window layers have a pool of their own.
        swa_pool: Option<bool> = None, "swaPool" "swapool" "SWA pool" [];
        /// Query heads of sliding-window layers, where they differ.
        swa_query_heads: Option<u32> = None, "swaQueryHeads" "swaqheads" "SWA query heads" [];
        /// KV heads of sliding-window layers, where they differ.
        swa_kv_heads: Option<u32> = None, "swaKvHeads" "swakvheads" "SWA KV heads" [];
        /// Head size of sliding-window layers, where it differs.
        swa_head_dim: Option<u32> = None, "swaHeadDim" "swaheaddim" "SWA head size" [];
        /// Value head size of sliding-window layers, where it differs.
        swa_v_head_dim: Option<u32> = None, "swaVHeadDim" "swavheaddim" "SWA value head size" [];
        /// States that travel beside the KV, by SGLang's wire names of the newest release, in its order.
        states: Option<Vec<String>> = None, "states" "states" "States" [];
        /// Linear-attention layers.
        linear: Option<Linear> = None, "linear" "linear" "Linear attention" [];
    }
}

record::record! {
    /// Linear-attention layers and the state that a request holds in each, at TP 1.
    Linear {
        /// gdn, kda, mamba2 or lightning.
        kind: Option<String> = None, "kind" "kind" "Kind" [];
        /// How many layers.
        layers: Option<u32> = None, "layers" "layers" "Layers" [];
        /// Width of the convolution.
        conv_kernel: Option<u32> = None, "convKernel" "conv" "Convolution" [];
        /// Key heads.
        k_heads: Option<u32> = None, "kHeads" "kheads" "Key heads" [];
        /// Value heads.
        v_heads: Option<u32> = None, "vHeads" "vheads" "Value heads" [];
        /// Elements of a key head.
        k_head_dim: Option<u32> = None, "kHeadDim" "kdim" "Key head size" [];
        /// Elements of a value head.
        v_head_dim: Option<u32> = None, "vHeadDim" "vdim" "Value head size" [];
        /// Heads (Mamba 2).
        heads: Option<u32> = None, "heads" "heads" "Heads" [];
        /// Elements of a head (Mamba 2).
        head_dim: Option<u32> = None, "headDim" "dim" "Head size" [];
        /// Elements of a state (Mamba 2).
        state_size: Option<u32> = None, "stateSize" "state" "State size" [];
        /// Groups (Mamba 2).
        groups: Option<u32> = None, "groups" "groups" "Groups" [];
        /// Elements of the convolution state in one layer.
        conv_elems_per_layer: Option<u32> = None, "convElemsPerLayer" "convelems" "Convolution state" [];
        /// Elements of the recurrent state in one layer.
        ssm_elems_per_layer: Option<u32> = None, "ssmElemsPerLayer" "ssmelems" "Recurrent state" [];
        /// Type of the recurrent state's elements.
        ssm_dtype: Option<String> = None, "ssmDtype" "ssmdtype" "Recurrent state type" [];
        /// Type of the convolution state's elements.
        conv_dtype: Option<String> = None, "convDtype" "convdtype" "Convolution state type" [];
    }
}

impl FieldType for Linear {
    const KIND: Kind = Kind::Map;
    const RECORD: Option<ReadRecord> =
        Some(|json, place| record::<Linear>(json, place).map(|linear| linear.to_value()));
    fn to_value(&self) -> Value {
        let known = Linear::FIELDS.iter().filter_map(|field| match (field.read)(self) {
            Value::Absent => None,
            value => Some((field.name.to_owned(), value.text())),
        });
        Value::Map(known.collect())
    }
    fn from_value(value: &Value) -> Result<Self, String> {
        let Value::Map(map) = value else { return Err("must be names with values".to_owned()) };
        let mut linear = Linear::default();
        for (name, text) in map.iter() {
            let field = Linear::field(name).ok_or_else(|| format!("there is no linear.{name}"))?;
            (field.write)(&mut linear, &Value::parse(field.kind, text)?)?;
        }
        Ok(linear)
    }
}

/// How a plan names its model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// By a name or alias of the catalogue; others are kept, and unknown.
    Named(String),
    /// By its facts.
    Described(Box<Model>),
}

impl ModelName {
    /// The model's facts, if they are known.
    pub fn facts(&self) -> Option<&Model> {
        match self {
            ModelName::Named(name) => super::find(name).map(|row| &row.facts),
            ModelName::Described(model) => Some(model),
        }
    }

    /// A short text for it: the name, or what the description says.
    pub fn label(&self) -> String {
        match self {
            ModelName::Named(name) => name.clone(),
            ModelName::Described(model) => match (model.attention, model.kv_heads) {
                (Some(Attention::Gqa), Some(heads)) => format!("described model (GQA, {heads} KV heads)"),
                (Some(attention), _) => format!("described model ({})", attention.label()),
                (None, _) => "described model".to_owned(),
            },
        }
    }
}

impl Default for ModelName {
    fn default() -> Self {
        ModelName::Named("deepseek-ai/DeepSeek-V3".to_owned())
    }
}

impl Serialize for ModelName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ModelName::Named(name) => serializer.serialize_str(name),
            ModelName::Described(model) => model.serialize(serializer),
        }
    }
}

impl FromJson for ModelName {
    fn from_json(json: &Json, place: &str) -> Result<Self, Problem> {
        match json {
            Json::Value(Value::Text(name)) => Ok(ModelName::Named(name.clone())),
            Json::Object(_) => record(json, place).map(|model: Model| ModelName::Described(model.into())),
            other => Err(other.misfit(place, "must be a model's name or its description".to_owned())),
        }
    }
}
