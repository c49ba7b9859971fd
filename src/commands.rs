//! Reading and printing launch commands, as a WebAssembly of its own: its functions are in
//! `js/commands.rs`.

use pd_planner as _;

fn main() {}
