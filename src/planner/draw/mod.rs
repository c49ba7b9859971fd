//! The rank map as a picture and as text: geometry first, then its forms.
//!
//! Two ordered columns, positions in closed form, so nothing jumps when a plan is edited.
//! Page, package and tests draw the same bytes. Beyond [`geometry::MOST_NODES`] ranks a side,
//! neighbours fold into one node.

pub mod geometry;
mod ink;
mod machine;
mod mermaid;
mod plain;
mod svg;

pub use ink::escape;
pub use mermaid::mermaid;
pub use plain::plain;
pub use svg::{Options, Room, Theme, inline, svg, weight};
