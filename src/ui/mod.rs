//! The page: Leptos, client-side. It shows what the planner says and decides nothing itself.
//!
//! State is one signal, the plan ([`session::Session`]); the rest is memos. The address is its
//! serialisation ([`address`]). Parts take props; only [`page`] reads the session's parts
//! together. Effects touch only the outside world: address, theme, marks on the drawing.

mod address;
mod page;
mod parts;
mod reader;
mod session;
mod theme;

pub use page::Page;

/// Mounts the page in place of what `index.html` shows while it loads.
pub fn mount() {
    // Nothing panics; a build for development says what did all the same.
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    if let Some(boot) = leptos::prelude::document().get_element_by_id("boot") {
        boot.remove();
    }
    leptos::mount::mount_to_body(Page);
}
