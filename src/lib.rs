//! PD planner.
pub mod planner;
/// The functions of the npm package.
#[cfg(feature = "js")]
pub mod js;
