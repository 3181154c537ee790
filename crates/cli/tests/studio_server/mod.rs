//! A studio of our own, at any free port.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A studio that ends with the test.
pub(crate) struct Studio {
    pub(crate) child: Child,
    address: String,
}

impl Studio {
    pub(crate) fn start() -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_counterplay"))
            .args(["serve", "--port", "0", "-q"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the studio starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("an address");
        Studio { child, address: line.trim().trim_end_matches('/').to_owned() }
    }

    /// The address of a page.
    #[allow(dead_code)]
    pub(crate) fn at(&self, page: &str) -> String {
        format!("{}/{page}", self.address)
    }

    /// Host and port.
    pub(crate) fn host(&self) -> &str {
        self.address.trim_start_matches("http://")
    }

    /// A request by hand, in which `HOST` stands for host and port; returns the answer as text.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("the studio listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out can be set");
        // A studio that refuses a text need not read all of it.
        let _ = stream.write_all(request.replace("HOST", self.host()).as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Posts a text of a type.
    pub(crate) fn post(&self, path: &str, kind: &str, body: &str) -> String {
        let length = body.len();
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\nHost: HOST\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }

    /// Gets a page.
    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"))
    }

    /// Starts a task; returns its name.
    pub(crate) fn begin(&self, task: &str) -> String {
        let answer = self.post("/api/works", "application/json", &format!("{{\"task\": {task}}}"));
        let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
        body.split('"').nth(3).unwrap_or_else(|| panic!("no name in {answer}")).to_owned()
    }

    /// All events of a task, when it has ended.
    pub(crate) fn events(&self, name: &str) -> String {
        self.get(&format!("/api/works/{name}/events"))
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
