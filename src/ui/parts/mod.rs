//! The page's parts. Each takes what it shows as props.

pub mod field;
pub mod form;
pub mod header;
pub mod map;
pub mod model;
pub mod rank;
pub mod verdict;
