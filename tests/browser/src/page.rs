//! The page as a person has it: to look at, click, type and press keys in.
//!
//! Looking waits: an answer that is not yet there within [`DEADLINE`] fails the story with a
//! sentence that says what was awaited.

use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Site;
use crate::chromium::{console_errors, devtools};

/// How long an answer may take. Generous: a machine that also builds is slow.
pub const DEADLINE: Duration = Duration::from_secs(10);

/// Keys that a story presses.
pub type Keys = Key;

/// One browser window with the planner in it.
pub struct Page {
    site: Site,
    client: Client,
}

impl Page {
    pub(crate) fn new(site: Site, client: Client) -> Page {
        Page { site, client }
    }

    /// Goes to an address of the site, such as `#/plan?sgl=0.5.18`, and waits for a verdict.
    pub async fn open(&self, address: &str) {
        self.go(address).await;
        self.find("#verdict[data-verdict]").await;
    }

    /// Goes to an address of the site, and waits for nothing.
    pub async fn go(&self, address: &str) {
        self.client.goto(&format!("{}{address}", self.site.url())).await.expect("the browser goes there");
    }

    /// Reloads, and waits for a verdict.
    pub async fn reload(&self) {
        self.client.refresh().await.expect("the browser reloads");
        self.find("#verdict[data-verdict]").await;
    }

    /// Goes one step back in the browser's history.
    pub async fn back(&self) {
        self.client.back().await.expect("the browser goes back");
    }

    /// Goes one step forward in the browser's history.
    pub async fn forward(&self) {
        self.client.forward().await.expect("the browser goes forward");
    }

    /// What stands in the address bar.
    pub async fn address(&self) -> String {
        self.client.current_url().await.expect("an address").to_string()
    }

    /// The requests that the site has seen so far.
    pub fn requests(&self) -> Vec<String> {
        self.site.requests()
    }

    /// The first element that a CSS selector finds, as soon as there is one.
    pub async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(DEADLINE).every(Duration::from_millis(50));
        wait.for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("no {css}: {error}"))
    }

    /// How many elements a CSS selector finds now.
    pub async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.expect("a valid selector").len()
    }

    /// The visible text of the first such element, without the space around it.
    pub async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText.trim() ?? ''";
        self.run(script, json!(css)).await
    }

    /// The value of the field with this id.
    pub async fn value(&self, id: &str) -> String {
        self.run("return document.getElementById(arguments[0])?.value ?? ''", json!(id)).await
    }

    /// Clicks the first such element.
    pub async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap_or_else(|error| panic!("{css} cannot be clicked: {error}"));
    }

    /// Replaces what stands in the field with this id by typing, and leaves the field.
    pub async fn fill(&self, id: &str, text: &str) {
        self.select_all_in(id)
            .await
            .send_keys(text)
            .await
            .unwrap_or_else(|error| panic!("#{id} takes no keys: {error}"));
        self.press(Key::Tab).await;
    }

    /// Replaces what stands in the field with this id at once, as pasting does.
    pub async fn paste(&self, id: &str, text: &str) {
        self.select_all_in(id).await;
        self.run::<Value>("document.execCommand('insertText', false, arguments[0])", json!(text)).await;
        self.press(Key::Tab).await;
    }

    async fn select_all_in(&self, id: &str) -> Element {
        self.reveal(id).await;
        let field = self.find(&format!("#{id}")).await;
        field.click().await.unwrap_or_else(|error| panic!("#{id} cannot be clicked: {error}"));
        self.chord(Key::Control, 'a').await;
        field
    }

    /// Chooses the option with this value in the list with this id.
    pub async fn choose(&self, id: &str, value: &str) {
        self.reveal(id).await;
        let chosen = self.find(&format!("#{id}")).await.select_by_value(value).await;
        chosen.unwrap_or_else(|error| panic!("#{id} has no option {value}: {error}"));
    }

    /// Opens the folded parts of the form in which the field with this id stands.
    async fn reveal(&self, id: &str) {
        self.find(&format!("#{id}")).await;
        let script = "for (let at = document.getElementById(arguments[0]); at; at = at.parentElement)
            if (at.tagName === 'DETAILS') at.open = true;";
        self.run::<Value>(script, json!(id)).await;
    }

    /// Presses one key, wherever the focus is.
    pub async fn press(&self, key: Key) {
        let keys = KeyActions::new("keyboard".to_owned());
        let keys = keys.then(KeyAction::Down { value: key.into() }).then(KeyAction::Up { value: key.into() });
        self.client.perform_actions(keys).await.expect("a key press");
    }

    async fn chord(&self, held: Key, value: char) {
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: held.into() })
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value })
            .then(KeyAction::Up { value: held.into() });
        self.client.perform_actions(keys).await.expect("two keys together");
    }

    /// Runs a script in the page with one argument.
    pub async fn run<T: DeserializeOwned>(&self, script: &str, argument: Value) -> T {
        let result = self.client.execute(script, vec![argument]).await;
        let value = result.unwrap_or_else(|error| panic!("{script}: {error}"));
        serde_json::from_value(value).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Looks until what it sees is as expected.
    pub async fn until<T: PartialEq + Debug>(&self, what: &str, expected: T, mut look: impl AsyncFnMut() -> T) {
        let start = Instant::now();
        loop {
            let seen = look().await;
            if seen == expected {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "{what}: expected {expected:?}, still see {seen:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits for this verdict (`accepted`, `rejected`, …).
    pub async fn until_verdict(&self, verdict: &str) {
        let script = "return document.getElementById('verdict')?.dataset.verdict ?? ''";
        self.until("verdict", verdict.to_owned(), async || self.run(script, Value::Null).await).await;
    }

    /// Waits until the address holds this text.
    pub async fn until_address_has(&self, part: &str) {
        self.until(&format!("{part} in the address"), true, async || self.address().await.contains(part)).await;
    }

    /// Makes the window so large, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        devtools(&self.client, "Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Lets the reader's system prefer `dark` or `light`.
    pub async fn prefer(&self, scheme: &str) {
        let preference = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        devtools(&self.client, "Emulation.setEmulatedMedia", preference).await;
    }

    /// The role and the name of every control, as a screen reader is told them.
    pub async fn controls(&self) -> Vec<(String, String)> {
        const ROLES: [&str; 8] = ["button", "checkbox", "combobox", "link", "radio", "spinbutton", "switch", "textbox"];
        let tree = devtools(&self.client, "Accessibility.getFullAXTree", json!({})).await;
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        let shown = nodes.iter().filter(|node| node["ignored"] != true);
        let text = |node: &Value, key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
        let named = shown.map(|node| (text(node, "role"), text(node, "name")));
        named.filter(|(role, _)| ROLES.contains(&role.as_str())).collect()
    }

    /// Saves a picture of what the window shows.
    pub async fn picture(&self, file: &Path) {
        let png = self.client.screenshot().await.expect("a screenshot");
        fs::write(file, png).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    /// The errors in the console since this was last asked.
    pub async fn console_errors(&self) -> Vec<String> {
        console_errors(&self.client).await
    }

    pub(crate) async fn close(self) -> Result<(), CmdError> {
        self.client.close().await
    }
}
