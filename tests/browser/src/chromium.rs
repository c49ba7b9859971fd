//! What chromedriver offers beyond the WebDriver standard: DevTools commands and the console.

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

/// Sends one command of the DevTools protocol.
pub async fn devtools(client: &Client, command: &str, parameters: Value) -> Value {
    let body = json!({ "cmd": command, "params": parameters });
    let sent = client.issue_cmd(Extension { path: "goog/cdp/execute", body }).await;
    sent.unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// The errors in the console since this was last asked, the browser's own among them.
pub async fn console_errors(client: &Client) -> Vec<String> {
    let body = json!({ "type": "browser" });
    let log = client.issue_cmd(Extension { path: "se/log", body }).await.expect("the console's log");
    let entries = log.as_array().map(Vec::as_slice).unwrap_or_default();
    let errors = entries.iter().filter(|entry| entry["level"] == "SEVERE");
    errors.filter_map(|entry| Some(entry["message"].as_str()?.to_owned())).collect()
}
