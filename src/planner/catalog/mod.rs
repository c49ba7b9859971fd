//! Facts about models, each with its source.
//!
//! A plan names a model of the catalogue or describes one. Any fact may be missing; what
//! depends on it is then unknown, never guessed.

mod model;
mod models;

pub use model::{Attention, Linear, Model, ModelName};
pub use models::{MODELS, Row, find};
