//! A story's frame: sets the scene, tells the story, looks at the console, clears up.

use std::fs;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;
use std::thread;

use futures_util::FutureExt;

use crate::{Driver, Page, Site};

/// Tells one story. Should it fail, a picture of the page is left in `dist/stories/`.
pub async fn story(body: impl AsyncFnOnce(&Page)) {
    tell(Site::built(), true, body).await;
}

/// Tells a story of a host that lacks these files; the console may complain.
pub async fn story_with_broken_site(missing: fn(&str) -> bool, body: impl AsyncFnOnce(&Page)) {
    tell(Site::without(missing), false, body).await;
}

async fn tell(site: Site, quiet_console: bool, body: impl AsyncFnOnce(&Page)) {
    let driver = Driver::start();
    let page = Page::new(site, driver.browser().await);
    let told = AssertUnwindSafe(async {
        body(&page).await;
        let errors = page.console_errors().await;
        assert!(!quiet_console || errors.is_empty(), "errors in the console:\n{}", errors.join("\n"));
    });
    let Err(failure) = told.catch_unwind().await else {
        page.close().await.expect("the browser closes");
        return;
    };
    // The browser itself may be what failed; that is no reason to hide the story's own failure.
    let _ = AssertUnwindSafe(leave_picture(&page)).catch_unwind().await;
    let _ = page.close().await;
    resume_unwind(failure);
}

async fn leave_picture(page: &Page) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/stories");
    let name = thread::current().name().unwrap_or("story").replace("::", "-");
    if fs::create_dir_all(&folder).is_ok() {
        let file = folder.join(name).with_extension("png");
        page.picture(&file).await;
        eprintln!("address: {}\npicture: {}", page.address().await, file.display());
        eprintln!("console: {:#?}", page.console_errors().await);
    }
}
