//! A chromedriver of one's own, on a port that it chooses itself, and a browser in it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::{env, thread};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};

/// A running chromedriver, which ends with this value.
pub struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    /// Starts the chromedriver that `CHROMEDRIVER` names, or the one on `PATH`.
    pub fn start() -> Driver {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut process = Command::new(&program)
            .args(["--port=0", "--log-level=WARNING"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start ({error}); scripts/setup --browser installs it"));
        let output = process.stdout.take().expect("its output is piped");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse().ok())
            .unwrap_or_else(|| panic!("{program} ended without naming its port"));
        // It goes on talking, and would end if nobody listened.
        thread::spawn(move || lines.for_each(drop));
        Driver { process, port }
    }

    /// Opens a browser with a profile of its own, 1440 pixels wide, that reaches out to nobody.
    pub async fn browser(&self) -> Client {
        ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities())
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await
            .expect("chromedriver starts a browser")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Nothing is left to be done about a process that has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn capabilities() -> Map<String, Value> {
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--window-size=1440,900",
    ];
    let mut wanted = Map::new();
    wanted.insert("goog:chromeOptions".to_owned(), json!({ "args": arguments }));
    wanted.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    wanted
}
