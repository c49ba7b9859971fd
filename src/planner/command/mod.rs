//! Launch commands: text → words → options → plan, and a plan → commands.

pub mod launch;
pub mod options;
pub mod print;
pub mod read;
pub mod shell;

pub use print::{Commands, commands};
pub use read::parse;
