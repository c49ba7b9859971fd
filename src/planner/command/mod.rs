//! Launch commands: text → words → options → plan, and a plan → commands.
//!
//! `read.rs` tells the format (`format.rs`) and hands the text to its reader: `script.rs` over
//! `shell.rs` for commands, `manifest.rs`, `recipe.rs`, `sweep.rs` and `plan_text.rs` over
//! `yaml.rs`, `python.rs`. Each finds the starts of servers (`start.rs`), whose options
//! `launch.rs` reads by each release's table (`options.rs`) and says what refuses them
//! (`refusal.rs`); `sides.rs` makes them one plan.

pub mod arithmetic;
pub mod expand;
pub mod flags;
pub mod format;
pub mod launch;
pub mod manifest;
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
pub mod yaml;

pub use format::Format;
pub use print::{Commands, commands};
pub use read::{Reading, parse, read, read_variant};
