//! PD planner.
pub mod planner;
