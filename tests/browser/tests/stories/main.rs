//! What a person does with the planner page, and what they must see.
//!
//! Each story has a page and a browser of its own; see the crate's documentation.

mod access;
mod answers;
mod commands;
mod safety;

/// The case that started the planner: decode with DCP meets a prefill with CP.
const SEED: &str = "#/plan?sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8.cp2&d=tp8.dcp8";
const ACCEPTED: &str = "#/plan?sgl=0.5.18&model=deepseek-ai/DeepSeek-V3&p=tp8&d=tp4";
