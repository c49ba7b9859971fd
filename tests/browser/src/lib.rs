//! The planner page in a real Chromium: what its stories in `tests/stories/` are told with.
//!
//! A story gets a [`Page`] of its own: a site served on loopback under a sub-path ([`Site`]), a
//! fresh browser ([`Driver`]), and what a person does with them. Everything that a story awaits
//! has a deadline. A story fails on any error in the browser's console, a breach of the page's
//! Content-Security-Policy among them.
//!
//! `PD_SITE` names the folder to serve (`dist/site`), `CHROMEDRIVER` the driver to start.

mod chromium;
mod driver;
mod page;
mod site;
mod story;

pub use driver::Driver;
pub use page::{DEADLINE, Keys, Page};
pub use site::Site;
pub use story::{story, story_with_broken_site};
