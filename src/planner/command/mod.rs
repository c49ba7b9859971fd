//! Launch commands: text → words → options → plan, and a plan → commands.
//!
//! `read.rs` tells the format (`format.rs`) and hands the text to its reader: `script.rs` over
//! `shell.rs` for commands, `manifest.rs`, `recipe.rs`, `sweep.rs` and `plan_text.rs` over
//! `yaml.rs`, `python.rs`; a model's `config.json` has its own (`model_config.rs`). Each finds the starts of servers (`start.rs`), whose options
//! (`typed.rs`) `launch.rs` reads by each release's table (`options.rs`, `legacy.rs`) and says
//! what refuses them (`refusal.rs`); `sides.rs` makes them one plan. `print.rs` writes a plan's
//! commands, `containers.rs` the same for Kubernetes; `diff.rs` tells what they have otherwise
//! than a paste.

pub mod arithmetic;
pub mod containers;
pub mod diff;
pub mod environment;
pub mod expand;
pub mod flags;
pub mod format;
pub mod launch;
pub mod legacy;
pub mod line;
pub mod manifest;
pub mod model_config;
pub mod node;
pub mod options;
pub mod plan_text;
pub mod print;
pub mod python;
pub mod python_words;
pub mod read;
pub mod recipe;
pub mod refusal;
pub mod script;
pub mod shell;
pub mod sides;
pub mod start;
pub mod sweep;
pub mod typed;
pub mod yaml;

pub use containers::containers;
pub use diff::{Change, Why, diff};
pub use format::Format;
pub use print::{Commands, commands};
pub use read::{Reading, parse, read, read_variant};
