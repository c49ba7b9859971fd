//! What few need at first, as a WebAssembly of its own: launch commands read and printed, drawings,
//! texts, parts of a page. Its functions are in `js/commands.rs` and `js/forms.rs`.

use pd_planner as _;

fn main() {}
