//! A static file server on loopback that remembers what it was asked for.
//!
//! It serves under a sub-path, as a docs page or a company's host would. It leaves out all that
//! the stories do not need: other methods than GET, ranges, caching, kept connections.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{env, fs, io, thread};

const BASE: &str = "/some/where/";

/// A folder, served for as long as the test runs.
pub struct Site {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Serves the built site: the folder in `PD_SITE`, or else `dist/site`.
    pub fn built() -> Site {
        Site::serve(&built_folder(), |_| false)
    }

    /// The same, but these files are not found.
    pub fn without(missing: fn(&str) -> bool) -> Site {
        Site::serve(&built_folder(), missing)
    }

    fn serve(folder: &Path, missing: fn(&str) -> bool) -> Site {
        let index = folder.join("index.html");
        assert!(index.is_file(), "{} does not exist; scripts/package makes it", index.display());
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let address = listener.local_addr().expect("its address");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (folder, log) = (folder.to_owned(), Arc::clone(&requests));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, log) = (folder.clone(), Arc::clone(&log));
                // A browser opens connections that it then does not use: they must not hold others up.
                thread::spawn(move || answer(stream, &folder, missing, &log));
            }
        });
        Site { address, requests }
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}{BASE}", self.address)
    }

    /// The path of every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no thread panics with the log in hand").clone()
    }
}

fn built_folder() -> PathBuf {
    match env::var_os("PD_SITE") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/site"),
    }
}

fn answer(mut stream: TcpStream, folder: &Path, missing: fn(&str) -> bool, log: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let Some(first) = lines.next().transpose()? else { return Ok(()) };
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let target = first.split(' ').nth(1).unwrap_or_default();
    log.lock().expect("no thread panics with the log in hand").push(target.to_owned());
    let path = target.split('?').next().unwrap_or_default();
    let file = file_for(path, folder).filter(|file| !missing(&file.to_string_lossy()));
    let (status, kind, body) = match file.and_then(|file| Some((media_type(&file), fs::read(file).ok()?))) {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", b"not found".to_vec()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

fn file_for(path: &str, folder: &Path) -> Option<PathBuf> {
    let inside = Path::new(path.strip_prefix(BASE)?);
    let plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
    let inside = if inside.as_os_str().is_empty() { Path::new("index.html") } else { inside };
    plain.then(|| folder.join(inside))
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}
