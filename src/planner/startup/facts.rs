//! What SGLang's start-up knows of GPUs and models, as tables.

use super::{Startup, has, value};
use crate::planner::catalog::Attention;
use crate::planner::plan::Server;
use crate::planner::release::Release;
use crate::planner::value::Size;

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

/// Architectures without latent attention for which the choice of a backend was run.
const PLAIN: &[&str] = &[
    "LlamaForCausalLM",
    "LlamaForCausalLMEagle3",
    "Qwen3ForCausalLM",
    "Qwen3MoeForCausalLM",
    "Qwen3NextForCausalLM",
    "Glm4MoeForCausalLM",
    "GptOssForCausalLM",
    "MiniMaxM2ForCausalLM",
];

/// The options for prefill's and decode's own attention backend.
const BOTH: [&str; 2] = ["--prefill-attention-backend", "--decode-attention-backend"];

fn gpu_of(server: &Server) -> Option<&'static Gpu> {
    let asked = server.gpu.as_deref()?.to_ascii_uppercase();
    GPUS.iter().find(|gpu| asked.starts_with(gpu.name))
}

/// The first digit of a server's compute capability, if its GPU is known.
pub fn generation(server: &Server) -> Option<u8> {
    gpu_of(server).map(|gpu| gpu.generation)
}

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
        generation(self.asked)
    }

    /// The chunk of prompt tokens that SGLang defaults to.
    pub fn default_chunk(&self) -> Option<i32> {
        gpu_of(self.asked).map(|gpu| gpu.chunk)
    }

    /// The attention backends, where they can be known: the common one, prefill's, decode's.
    /// (`handle_attention_backend_compatibility`)
    pub fn attention_backends(&self) -> [Option<&str>; 3] {
        let [mut prefill, mut decode] = BOTH.map(|option| self.option(option));
        if self.server.kv_cache_dtype == "nvfp4" && self.release >= Release::V0_5_21 {
            let through_fp8 = self.chosen_backend() == Some("flashinfer") || self.generation() < Some(10);
            prefill = Some(if through_fp8 { "flashinfer" } else { "trtllm_mha" });
            decode = Some("trtllm_mha");
        }
        let mut common = match prefill {
            Some(_) if prefill == decode => prefill,
            _ => self.option("--attention-backend").or_else(|| self.own_backend()).or_else(|| self.default_backend()),
        };
        if self.family() == Some(Family::V4) || common == Some("compressed") {
            common = Some("dsv4");
        }
        if common == Some("fa3") && self.server.kv_cache_dtype == "fp8_e5m2" {
            common = Some("triton");
        }
        if prefill.is_none() && [common, decode].contains(&Some("cutedsl_mla")) {
            prefill = Some("trtllm_mla");
        }
        [common, prefill.or(common), decode.or(common)]
    }

    /// The backend for prefill that was asked for, or that the model comes with.
    pub fn chosen_backend(&self) -> Option<&str> {
        let asked =
            ["--prefill-attention-backend", "--attention-backend"].iter().find_map(|option| self.option(option));
        asked.or_else(|| self.own_backend())
    }

    /// The common backend that the model comes with. (`model_overrides`)
    fn own_backend(&self) -> Option<&'static str> {
        let open = !BOTH.iter().any(|option| self.has(option));
        let blackwell = self.generation() == Some(10);
        match (self.architecture(), self.family()) {
            (_, Some(Family::Dsa)) if open => Some("dsa"),
            (_, Some(Family::V3)) | ("KimiK3ForConditionalGeneration", _) if open && blackwell => Some("trtllm_mla"),
            ("GptOssForCausalLM", _) if open => match self.generation()? {
                10 => Some("trtllm_mha"),
                9 => Some("fa3"),
                _ => Some("triton"),
            },
            ("Qwen3NextForCausalLM", _) if blackwell => {
                let stateless = self.server.speculative_algorithm.is_some() || !self.keeps_prefixes();
                Some(if stateless && self.default_backend() == Some("trtllm_mha") { "trtllm_mha" } else { "triton" })
            }
            _ => None,
        }
    }

    /// The common backend of other models. (`get_default_attn_backend`)
    fn default_backend(&self) -> Option<&'static str> {
        let drafts = self.server.speculative_algorithm.is_some();
        let topk = self.option("--speculative-eagle-topk");
        // Trees of drafts, or drafts over larger pages, fit few backends.
        let plain = topk.is_none() || topk == Some("1") && self.asked.page_size.is_none_or(|page| page == Size::ONE);
        let latent = self.model?.attention? != Attention::Gqa;
        Some(match self.generation()? {
            9 if latent || plain => "fa3",
            10 if latent => "flashinfer",
            _ if latent => "triton",
            // Other models may come with a backend of their own.
            _ if !PLAIN.contains(&self.architecture()) => return None,
            10 if plain && (!drafts || topk.is_some()) => "trtllm_mha",
            _ if self.architecture() == "GptOssForCausalLM" => "triton",
            _ => "flashinfer",
        })
    }

    /// Whether the radix cache is on: decode has none, unless asked for.
    pub fn keeps_prefixes(&self) -> bool {
        let off = self.is_decode() && !self.has("--disaggregation-decode-enable-radix-cache");
        !off && !self.has("--disable-radix-cache")
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
