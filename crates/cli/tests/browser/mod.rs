//! A real browser, driven as a person would: headless Chromium over its DevTools protocol.
//!
//! The protocol is JSON over a web socket, and the tests need six of its methods; a crate with all of them takes
//! longer to build than everything else together.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use crate::common::Folder;

/// How long the page may take for anything.
const PATIENCE: Duration = Duration::from_secs(90);

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    shots: PathBuf,
    /// Errors of scripts in the page.
    faults: Vec<String>,
    _folder: Folder,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The first of these that is installed.
fn program() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

impl Browser {
    /// Starts a browser; none if none is installed.
    pub(crate) fn start(name: &str) -> Option<Browser> {
        let program = program()?;
        let folder = Folder::new(&format!("browser-{name}"));
        let mut child = Command::new(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", folder.path("profile")))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let errors = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut lines = errors.lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("the browser tells its address");
        std::thread::spawn(move || lines.for_each(drop));
        let host = address.trim_start_matches("ws://").split('/').next().expect("a host");
        let stream = TcpStream::connect(host).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out can be set");
        let (socket, _) = tungstenite::client(&address, stream).expect("the browser shakes hands");
        let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&shots).expect("a folder for screenshots");
        let mut browser = Browser {
            child,
            socket,
            session: String::new(),
            next: 0,
            shots,
            faults: Vec::new(),
            _folder: folder,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let target = target["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        browser.call("Runtime.enable", json!({}));
        browser.size(1280, 900);
        Some(browser)
    }

    /// Calls a method and waits for its answer.
    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut request = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            request["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(request.to_string())).expect("the browser hears");
        loop {
            let message = self.socket.read().expect("the browser answers");
            let Message::Text(text) = message else { continue };
            let answer: Value = serde_json::from_str(&text).expect("an object");
            if answer["method"] == "Runtime.exceptionThrown" {
                self.faults.push(answer["params"]["exceptionDetails"].to_string());
            }
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    /// Opens an address and waits until it is loaded.
    pub(crate) fn open(&mut self, address: &str) {
        // A change of the part after `#` alone would load nothing.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.call("Page.navigate", json!({"url": address}));
        self.wait("document.readyState === 'complete' && document.querySelector('main .panel, main .door, main article') !== null");
    }

    /// Loads the page again.
    pub(crate) fn reload(&mut self) {
        let address = self.eval("location.href");
        self.open(address.as_str().expect("an address"));
    }

    /// Errors of scripts since the last call.
    pub(crate) fn faults(&mut self) -> Vec<String> {
        std::mem::take(&mut self.faults)
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, script: &str) -> Value {
        let parameters = json!({"expression": script, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, script: &str) {
        let begun = Instant::now();
        while self.eval(&format!("Boolean({script})")) != true {
            if begun.elapsed() > PATIENCE {
                let text = self.eval("document.body.innerText");
                panic!("waited in vain for {script}; the page says: {}", text.as_str().unwrap_or(""));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Clicks where an element is, with the mouse.
    pub(crate) fn click(&mut self, selector: &str) {
        self.wait(&format!(
            "document.querySelector({selector:?}) && !document.querySelector({selector:?}).disabled"
        ));
        let (x, y) = self.middle(selector);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    /// The middle of an element, in view, once it has stopped moving: a page that is still being painted moves what is below.
    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const e = document.querySelector({selector:?}); if (!e) return null; e.scrollIntoView({{block: 'center'}}); \
             const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let begun = Instant::now();
        let mut before = Value::Null;
        loop {
            let place = self.eval(&script);
            if place == before
                && let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64())
            {
                return (x, y);
            }
            assert!(begun.elapsed() < PATIENCE, "{selector} does not come to rest");
            before = place;
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let buttons = i32::from(kind != "mouseReleased");
        let event =
            json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Drags from one element to another.
    pub(crate) fn drag(&mut self, from: &str, to: &str) {
        let (x, y) = self.middle(from);
        self.mouse("mousePressed", x, y);
        let (u, v) = self.middle(to);
        for step in 1..=5 {
            let share = f64::from(step) / 5.0;
            self.mouse("mouseMoved", x + (u - x) * share, y + (v - y) * share);
        }
        self.mouse("mouseReleased", u, v);
    }

    /// Types text where the cursor is.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Presses a key, such as `Enter` or `Tab`.
    pub(crate) fn press(&mut self, key: &str) {
        self.press_with(key, 0);
    }

    /// Presses a key together with Ctrl.
    pub(crate) fn press_ctrl(&mut self, key: &str) {
        self.press_with(key, 2);
    }

    fn press_with(&mut self, key: &str, modifiers: u32) {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "ArrowRight" => 39,
            "ArrowLeft" => 37,
            "ArrowDown" => 40,
            "ArrowUp" => 38,
            _ => 0,
        };
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": key, "code": key, "text": text, "modifiers": modifiers,
                "windowsVirtualKeyCode": code});
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// The size of the window.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let parameters =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", parameters);
    }

    /// Light or dark.
    pub(crate) fn scheme(&mut self, scheme: &str) {
        let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": feature}));
    }

    /// Keeps a picture of the page.
    pub(crate) fn shot(&mut self, name: &str) {
        let answer = self.call("Page.captureScreenshot", json!({"captureBeyondViewport": true}));
        let data = answer["data"].as_str().expect("a picture");
        let bytes = data_encoding::BASE64.decode(data.as_bytes()).expect("base 64");
        std::fs::write(self.shots.join(format!("{name}.png")), bytes).expect("the picture is written");
    }
}
