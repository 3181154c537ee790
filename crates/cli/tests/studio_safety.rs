//! The studio under requests that no page of its own would send, and under many that it would.

mod studio_server;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use studio_server::Studio;

const STRATEGIES: &str = "\"dilemma-strategies\"";
/// Never ends by itself in the time of a test.
const LONG: &str = r#"{"dilemma-tournament": {"request": {"repetitions": 1000, "rules": {"turns": 10000}}}}"#;

/// Once, names were numbers, so that a page that remembered one saw the answer to another problem after a restart.
#[test]
fn a_restart_shows_no_answer_of_another_task() {
    let first = Studio::start();
    let remembered = first.begin(STRATEGIES);
    assert!(first.get(&format!("/api/works/{remembered}")).starts_with("HTTP/1.1 200"));
    drop(first);
    let second = Studio::start();
    assert_ne!(remembered, second.begin(STRATEGIES));
    for name in [remembered.as_str(), "1", "2", "", "../works"] {
        assert!(second.get(&format!("/api/works/{name}")).starts_with("HTTP/1.1 4"), "{name}");
    }
}

#[test]
fn foreign_requests_are_refused() {
    let studio = Studio::start();
    let get =
        |headers: &str| studio.ask(&format!("GET /plan HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"));
    assert!(get("Host: HOST\r\n").starts_with("HTTP/1.1 200"));
    for headers in [
        "",
        "Host: evil.example\r\n",
        "Host: HOST\r\nHost: HOST\r\n",
        "Host: HOST\r\nHost: evil.example\r\n",
        "Host: HOST\r\nOrigin: http://evil.example\r\n",
        "Host: HOST\r\nOrigin: null\r\n",
        "Host: HOST\r\nSec-Fetch-Site: cross-site\r\n",
    ] {
        let answer = get(headers);
        assert!(
            answer.starts_with("HTTP/1.1 403") || answer.starts_with("HTTP/1.1 400"),
            "{headers}: {answer}"
        );
    }
    let answer =
        studio.ask("GET http://evil.example/plan HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let good = format!("{{\"task\": {STRATEGIES}}}");
    assert!(studio.post("/api/works", "application/json", &good).starts_with("HTTP/1.1 200"));
    assert!(studio.post("/api/works", "text/plain", &good).starts_with("HTTP/1.1 403"));
    let huge = format!("{{\"task\": \"{}\"}}", "x".repeat(5 << 20));
    assert!(
        !studio.post("/api/works", "application/json", &huge).starts_with("HTTP/1.1 200"),
        "texts are bounded"
    );
    let answer = get("Host: HOST\r\n");
    assert!(!answer.to_lowercase().contains("access-control-allow-origin"), "no other page may read answers");
}

/// Tasks hold no address, path or command: what looks like one is refused or is a mere text.
#[test]
fn no_request_reaches_another_host_or_a_file() {
    let trap = TcpListener::bind("127.0.0.1:0").expect("a port");
    trap.set_nonblocking(true).expect("it can be set");
    let other = trap.local_addr().expect("an address");
    let studio = Studio::start();
    let tasks = [
        format!(r#"{{"game-move": {{"rules": "(role a)", "moves": [], "role": 0, "seconds": 1, "request": {{"player": "http://{other}"}}}}}}"#),
        format!(r#"{{"game-move": {{"rules": "(role a)", "moves": [], "role": 0, "seconds": 1, "players": "me,{other}"}}}}"#),
        format!(r#"{{"kriegspiel-play": {{"white": "you", "black": "{other}"}}}}"#),
        r#"{"dilemma-match": {"request": {"first": "/bin/sh", "second": "TitForTat"}}}"#.to_owned(),
        r#"{"dilemma-match": {"request": {"first": "TitForTat", "second": "TitForTat", "program": "me=/bin/sh"}}}"#.to_owned(),
        r#"{"solve": {"domain": "/etc/passwd", "problem": "/etc/passwd"}}"#.to_owned(),
        r#"{"solve": {"domain": "(define (domain d))", "problem": "x", "request": {"plan-file": "/tmp/x"}}}"#.to_owned(),
        r#"{"game-solve": {"rules": "(role a)", "request": {"store": "/tmp/x"}}}"#.to_owned(),
        r#"{"go-position": {"sgf": "../../etc/passwd"}}"#.to_owned(),
        r#""reproduce""#.to_owned(),
    ];
    for task in tasks {
        let answer = studio.post("/api/works", "application/json", &format!("{{\"task\": {task}}}"));
        if !answer.starts_with("HTTP/1.1 200") {
            continue;
        }
        let name = answer.split('"').rev().nth(1).expect("a name").to_owned();
        let events = studio.events(&name);
        assert!(events.contains("refused") && !events.contains("root:"), "{task}: {events}");
    }
    assert!(trap.accept().is_err(), "no one may have been called");
}

/// Everything is answered or closed, and the studio still works after it.
#[test]
fn a_thousand_hostile_requests_do_no_harm() {
    let studio = Studio::start();
    let deep = "[".repeat(20_000);
    let kinds: [&(dyn Fn(usize) -> String + Sync); 8] = [
        &|n| format!("GET /{} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", "%2e%2e/".repeat(n % 40)),
        &|n| format!("GET /api/works/{:032x} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", n * 7919),
        &|_| {
            format!(
                "POST /api/works HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
                deep.len(),
                deep
            )
        },
        &|n| format!("\u{0}\u{1}{n}\r\n\r\n"),
        &|n| {
            format!(
                "GET / HTTP/1.1\r\nHost: HOST\r\nX: {}\r\nConnection: close\r\n\r\n",
                "y".repeat(100 * (n % 400))
            )
        },
        &|n| format!("DELETE /api/works/{n} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"),
        &|_| {
            "POST /api/works HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 26\r\nConnection: close\r\n\r\n{\"task\": {\"solve\": 1e999}}".to_owned()
        },
        &|n| {
            format!(
                "GET /assets/..%2f..%2fetc%2fpasswd{n} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"
            )
        },
    ];
    thread::scope(|scope| {
        for part in 0..4 {
            let (studio, kinds) = (&studio, &kinds);
            scope.spawn(move || {
                for number in 0..250 {
                    let answer = studio.ask(&kinds[number % kinds.len()](number * 4 + part));
                    assert!(!answer.starts_with("HTTP/1.1 5") && !answer.contains("root:"), "{answer}");
                    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 "), "{answer}");
                }
            });
        }
    });
    assert!(studio.events(&studio.begin(STRATEGIES)).contains("TitForTat"));
}

#[test]
fn fifty_people_at_once_are_all_answered() {
    let studio = Studio::start();
    // Connections that say nothing take no place from others for long.
    let idle: Vec<TcpStream> =
        (0..50).map(|_| TcpStream::connect(studio.host()).expect("it listens")).collect();
    thread::scope(|scope| {
        let people: Vec<_> = (0..50)
            .map(|number| {
                let studio = &studio;
                scope.spawn(move || {
                    let moves = if number % 2 == 0 { "CCD" } else { "DDDD" };
                    let task =
                        format!(r#"{{"dilemma-play": {{"opponent": "TitForTat", "moves": "{moves}"}}}}"#);
                    let events = studio.events(&studio.begin(&task));
                    assert!(events.contains(&format!("\"moves\":[\"{moves}\"")), "{events}");
                })
            })
            .collect();
        people.into_iter().for_each(|person| person.join().expect("every person is answered"));
    });
    drop(idle);
}

#[test]
fn a_head_that_never_ends_is_not_waited_for() {
    let studio = Studio::start();
    let mut stream = TcpStream::connect(studio.host()).expect("it listens");
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").expect("it is heard");
    stream.set_read_timeout(Some(Duration::from_secs(40))).expect("a time-out can be set");
    let begun = Instant::now();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(begun.elapsed() < Duration::from_secs(35), "the connection is closed");
}

/// The text of a request that stays away takes no place for long either.
#[test]
fn a_text_that_never_ends_is_not_waited_for() {
    let studio = Studio::start();
    let mut stream = TcpStream::connect(studio.host()).expect("it listens");
    let head = format!(
        "POST /api/works HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{\"task",
        studio.host()
    );
    stream.write_all(head.as_bytes()).expect("it is heard");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out can be set");
    let begun = Instant::now();
    let mut answer = [0; 64];
    let length = stream.read(&mut answer).expect("an answer, or the end");
    let answer = String::from_utf8_lossy(&answer[..length]);
    assert!(length == 0 || answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(begun.elapsed() < Duration::from_secs(45), "the request is given up");
    assert!(studio.events(&studio.begin(STRATEGIES)).contains("TitForTat"));
}

#[cfg(target_os = "linux")]
fn workers_of(studio: u32) -> Vec<u32> {
    let own = |entry: std::fs::DirEntry| -> Option<u32> {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let mut rest = stat.rsplit_once(')')?.1.split_whitespace();
        let (state, parent) = (rest.next()?, rest.next()?.parse::<u32>().ok()?);
        (parent == studio && state != "Z").then_some(pid)
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(own).collect()
}

/// Waits until something is so.
#[cfg(target_os = "linux")]
fn comes_about(what: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(40) {
        if what() {
            return true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    false
}

#[cfg(target_os = "linux")]
#[test]
fn workers_end_with_the_studio_even_if_it_is_killed() {
    let mut studio = Studio::start();
    studio.begin(LONG);
    let id = studio.child.id();
    assert!(comes_about(|| !workers_of(id).is_empty()), "a worker is started");
    let workers = workers_of(id);
    studio.child.kill().expect("it can be killed");
    studio.child.wait().expect("it has ended");
    let is_alive = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.contains("(counterplay)") && !stat.contains(") Z ")
    };
    assert!(comes_about(|| !workers.iter().any(is_alive)), "the workers end too");
}

#[cfg(target_os = "linux")]
#[test]
fn a_task_that_is_stopped_leaves_no_process() {
    let studio = Studio::start();
    let name = studio.begin(LONG);
    let id = studio.child.id();
    assert!(comes_about(|| !workers_of(id).is_empty()), "a worker is started");
    assert!(
        studio.post(&format!("/api/works/{name}/stop"), "application/json", "{}").starts_with("HTTP/1.1 200")
    );
    let events = studio.events(&name);
    assert!(events.contains("answer") || events.contains("stopped"), "{events}");
    assert!(comes_about(|| workers_of(id).is_empty()), "it is waited for");
}
