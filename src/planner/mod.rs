//! The planner: pure functions from a plan to what SGLang does with it.
//!
//! No browser, clock, randomness or network; nothing here panics. [`check`] is the whole of
//! it: everything else is a type it takes or gives, a table it reads, or a form of its answer.

pub mod behaviour;
pub mod catalog;
mod check;
pub mod command;
pub mod draw;
pub mod heads;
pub mod json;
pub mod layers;
pub mod link;
pub mod map;
pub mod mapping;
pub mod names;
pub mod pair;
pub mod payload;
pub mod placement;
pub mod plan;
pub mod quantity;
pub mod ranks;
pub mod record;
pub mod release;
pub mod report;
pub mod rules;
pub mod schema;
pub mod server;
pub mod startup;
pub mod text;
pub mod texts;
pub mod transfer;
pub mod upgrade;
pub mod value;
pub mod value_text;
pub mod view;
pub mod widths;
pub mod words;

pub use check::{WithMap, check, check_with, judge};
pub use plan::{Plan, Role, Server};
pub use report::{Report, Verdict};
