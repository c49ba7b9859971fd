//! Light, dark, or as the system says; remembered in this browser alone.

use leptos::prelude::*;

/// The colours of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

const KEY: &str = "pd-planner-theme";

impl Theme {
    /// The theme after this one.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    /// What the button says.
    pub fn label(self) -> &'static str {
        match self {
            Theme::System => "Theme: system",
            Theme::Light => "Theme: light",
            Theme::Dark => "Theme: dark",
        }
    }

    fn attribute(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }
}

/// The theme that was chosen before, if the browser lets pages remember.
pub fn remembered() -> Theme {
    let word = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    match word.as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    }
}

/// Puts a theme on the page and remembers it.
pub fn put(theme: Theme) {
    if let Some(root) = document().document_element() {
        let _ = match theme.attribute() {
            Some(word) => root.set_attribute("data-theme", word),
            None => root.remove_attribute("data-theme"),
        };
    }
    if let Some(storage) = storage() {
        let _ = match theme.attribute() {
            Some(word) => storage.set_item(KEY, word),
            None => storage.remove_item(KEY),
        };
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
