//! What SGLang's start-up knows of GPUs and models, as tables.

use super::{Startup, has, value};
use crate::planner::catalog::Attention;

/// A GPU: the first digit of its compute capability, and the chunk of prompt tokens that
/// SGLang defaults to for its memory. (`handle_gpu_memory_settings`)
struct Gpu {
    name: &'static str,
    generation: u8,
    chunk: i32,
}

const fn gpu(name: &'static str, generation: u8, chunk: i32) -> Gpu {
    Gpu { name, generation, chunk }
}

/// GPUs, longer names before those they begin with.
const GPUS: &[Gpu] = &[
    gpu("A100", 8, 8192),
    gpu("A800", 8, 8192),
    gpu("L40", 8, 4096),
    gpu("H20", 9, 8192),
    gpu("H100", 9, 8192),
    gpu("H800", 9, 8192),
    gpu("GH200", 9, 8192),
    gpu("B200", 10, 16_384),
    gpu("B300", 10, 16_384),
    gpu("GB200", 10, 16_384),
    gpu("GB300", 10, 16_384),
];

/// Model families for which SGLang sets topology by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// DeepSeek Sparse Attention: V3.2, GLM-5 and relatives.
    Dsa,
    /// DeepSeek-V4.
    V4,
    /// The DeepSeek-V3 family without sparse attention: V3, R1, Kimi-K2 and relatives.
    V3,
}

/// Architectures that SGLang adjusts with DeepSeek's. (`_deepseek_family_overrides`)
const DEEPSEEK: &[&str] = &[
    "DeepseekV3ForCausalLM",
    "DeepseekV32ForCausalLM",
    "KimiK25ForConditionalGeneration",
    "MistralLarge3ForCausalLM",
    "PixtralForConditionalGeneration",
    "GlmMoeDsaForCausalLM",
    "LongcatFlashForCausalLM",
];

impl Startup<'_> {
    /// The model's architecture; empty if not known.
    pub fn architecture(&self) -> &str {
        self.model.and_then(|model| model.architecture.as_deref()).unwrap_or_default()
    }

    /// The model's family, if SGLang treats it specially.
    pub fn family(&self) -> Option<Family> {
        let architecture = self.architecture();
        let has_index = self.model.is_some_and(|model| model.index_topk.is_some());
        if architecture.starts_with("DeepseekV4") {
            Some(Family::V4)
        } else if DEEPSEEK.contains(&architecture) {
            Some(if has_index { Family::Dsa } else { Family::V3 })
        } else {
            None
        }
    }

    /// The first digit of the GPU's compute capability: 9 for Hopper, 10 for Blackwell.
    pub fn generation(&self) -> Option<u8> {
        self.gpu().map(|gpu| gpu.generation)
    }

    /// The chunk of prompt tokens that SGLang defaults to.
    pub fn default_chunk(&self) -> Option<i32> {
        self.gpu().map(|gpu| gpu.chunk)
    }

    fn gpu(&self) -> Option<&'static Gpu> {
        let asked = self.asked.gpu.as_deref()?.to_ascii_uppercase();
        GPUS.iter().find(|gpu| asked.starts_with(gpu.name))
    }

    /// The prefill and decode attention backends, where they can be known.
    pub fn attention_backends(&self) -> [Option<&str>; 2] {
        let both = value(&self.flags, "--attention-backend").or_else(|| self.default_backend());
        ["--prefill-attention-backend", "--decode-attention-backend"].map(|option| value(&self.flags, option).or(both))
    }

    /// The backend that SGLang picks. (`get_default_attn_backend` and the model's own choice)
    fn default_backend(&self) -> Option<&'static str> {
        match self.family() {
            Some(Family::Dsa) => return Some("dsa"),
            Some(Family::V4) => return Some("dsv4"),
            Some(Family::V3) | None => {}
        }
        let mla = self.model?.attention? != Attention::Gqa;
        match (self.generation()?, mla) {
            (9, false) if self.server.kv_cache_dtype == "fp8_e5m2" => Some("triton"),
            (9, _) => Some("fa3"),
            (10, true) if self.family() == Some(Family::V3) => Some("trtllm_mla"),
            (10, true) => Some("flashinfer"),
            // Blackwell's choice for heads depends on more than the plan tells.
            (10, false) => None,
            (_, true) => Some("triton"),
            (_, false) => None,
        }
    }

    /// The all-to-all of the mixture of experts.
    pub fn a2a(&self) -> &str {
        value(&self.flags, "--moe-a2a-backend").unwrap_or("none")
    }

    /// Whether a switch stands in the plan's other flags.
    pub fn has(&self, option: &str) -> bool {
        has(&self.flags, option)
    }

    /// The value of an option in the plan's other flags.
    pub fn option(&self, option: &str) -> Option<&str> {
        value(&self.flags, option)
    }
}
