//! The studio, used in a real browser as a person would.

mod browser;
mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use browser::Browser;

/// A studio of our own at any free port.
struct Studio {
    child: Child,
    address: String,
}

impl Studio {
    fn start() -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_counterplay"))
            .args(["serve", "--port", "0", "-q"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the studio starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("an address");
        Studio { child, address: line.trim().trim_end_matches('/').to_owned() }
    }

    fn at(&self, view: &str) -> String {
        format!("{}/{view}", self.address)
    }

    /// A request by hand; returns the answer as text.
    fn ask(&self, request: &str) -> String {
        let host = self.address.trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("the studio listens");
        // A studio that refuses a text need not read all of it.
        let _ = stream.write_all(request.replace("HOST", host).as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// No view may be wider than a phone, and each has a dark look.
fn looks_right(browser: &mut Browser, name: &str) {
    browser.shot(name);
    browser.size(390, 844);
    let wide = browser.eval("document.documentElement.scrollWidth - window.innerWidth");
    assert!(wide.as_f64().is_some_and(|wide| wide <= 0.0), "{name} is {wide} too wide for a phone");
    browser.scheme("dark");
    let dark = browser.eval("getComputedStyle(document.body).backgroundColor");
    browser.shot(&format!("{name}-phone-dark"));
    browser.scheme("light");
    let light = browser.eval("getComputedStyle(document.body).backgroundColor");
    assert_ne!(dark, light, "{name} looks the same by day and by night");
    browser.size(1200, 900);
}

#[test]
fn a_plan_is_found_shown_and_still_there_after_a_reload() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("plan") else { return };
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelector('textarea').value.includes('define')");
    browser.click("#start");
    browser
        .wait("document.querySelector('#headline')?.innerText.includes('optimal plan of 20 steps, cost 20')");
    assert_eq!(browser.eval("document.querySelectorAll('ol.steps li').length"), 20);
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelector('#headline')?.innerText.includes('cost 20')");
    looks_right(&mut browser, "plan");
}

#[test]
fn a_policy_is_shown_as_a_graph() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("policy") else { return };
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelectorAll('#example option').length > 3");
    browser.eval(
        "(() => { const s = document.querySelector('#example'); \
         s.value = Array.from(s.options).find((o) => o.text.includes('policy')).value; s.onchange(); })()",
    );
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.includes('policy')");
    browser.wait("document.querySelector('.picture svg') !== null");
    let words = browser.eval("document.querySelector('.picture svg').textContent");
    assert!(words.as_str().is_some_and(|text| text.contains("goal")), "{words}");
    browser.shot("plan-policy");
}

#[test]
fn an_error_is_shown_at_its_place() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("error") else { return };
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelector('textarea').value !== ''");
    browser.eval(
        "(() => { const t = document.querySelectorAll('textarea')[1]; t.focus(); \
         const at = t.value.indexOf('(:goal'); t.setSelectionRange(at, at); })()",
    );
    browser.type_text("(:gaol)");
    // The keyboard is enough to start it.
    browser.eval("document.querySelector('#start').focus()");
    browser.press("Enter");
    browser.wait("document.querySelector('#errors') !== null");
    browser.wait("document.activeElement?.dataset?.name === 'problem.pddl'");
    let marked = browser.eval(
        "(() => { const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionStart + 5); })()",
    );
    assert!(marked.as_str().is_some_and(|text| "(:gaol".contains(text) || text.contains(":gao")), "{marked}");
    browser.shot("plan-error");
}

#[test]
fn a_long_run_is_stopped() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("stop") else { return };
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelectorAll('#example option').length > 3");
    // Breadth-first search without end: a gripper with very many balls.
    browser.eval(
        "(() => { const [d, p] = document.querySelectorAll('textarea'); \
         d.value = '(define (domain c) (:predicates (on ?x)) (:action flip :parameters (?x) :effect (on ?x)) (:action back :parameters (?x) :precondition (on ?x) :effect (not (on ?x))))'; \
         const names = Array.from({length: 400}, (_, i) => 'o' + i); \
         p.value = `(define (problem p) (:domain c) (:objects ${names.join(' ')}) (:init) (:goal (and ${names.map((n, i) => i % 2 ? `(on ${n})` : `(not (on ${n}))`).join(' ')})))`; \
         d.oninput(); p.oninput(); const s = document.querySelectorAll('select')[1]; s.value = 'bfs'; s.onchange(); })()",
    );
    browser.click("#start");
    browser.wait("!document.querySelector('#stop').disabled");
    browser.click("#stop");
    browser.wait("!document.querySelector('#start').disabled");
    let text = browser.eval("document.querySelector('#answer').innerText");
    assert!(text.as_str().is_some_and(|text| text.contains("Stopped") || text.contains("Solved")), "{text}");
}

#[test]
fn kriegspiel_is_played_and_problems_are_walked_through() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("kriegspiel") else { return };
    browser.open(&studio.at("kriegspiel"));
    browser.click("#begin");
    browser.wait("document.querySelectorAll('.board button').length === 64");
    browser.click("[data-square=e2]");
    browser.click("[data-square=e4]");
    browser.wait("document.querySelectorAll('#news li').length >= 2");
    browser.wait("document.querySelector('#told').innerText.includes('Your turn')");
    browser.click("#belief");
    browser.wait("document.querySelectorAll('.shade').length > 10");
    let heard = browser.eval("document.querySelectorAll('#news li').length");
    browser.open(&studio.at("kriegspiel"));
    browser.wait("document.querySelectorAll('#news li').length >= 2");
    assert_eq!(
        browser.eval("document.querySelectorAll('#news li').length"),
        heard,
        "the game survives a reload"
    );
    browser.click("#start");
    browser.wait("document.querySelector('#answer')?.innerText.includes('figure-1: mate in 3 plies')");
    looks_right(&mut browser, "kriegspiel");
}

#[test]
fn strategies_meet_in_a_tournament_and_in_a_match() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("dilemma") else { return };
    browser.open(&studio.at("dilemma"));
    browser.click("#start");
    browser.wait("document.querySelectorAll('#ranking tr').length === 6");
    browser.wait("document.querySelectorAll('#heatmap td').length === 25");
    browser.click("#play");
    browser.wait("document.querySelector('#match input[type=range]') !== null");
    browser.eval("document.querySelector('#match input[type=range]').focus()");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    browser.wait("document.querySelector('#match')?.innerText.includes('turn 2 of')");
    browser.wait("document.querySelector('.beliefs') !== null");
    looks_right(&mut browser, "dilemma");
}

#[test]
fn a_game_is_solved_and_played() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("games") else { return };
    browser.open(&studio.at("games"));
    browser.wait("document.querySelector('textarea').value.includes('role')");
    browser.eval(
        "(() => { const s = document.querySelector('#example'); \
         s.value = [...s.options].find((o) => o.text === 'Tic-tac-toe').value; s.onchange(); })()",
    );
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.includes('5,478 positions')");
    browser.click("#begin");
    browser.wait("document.querySelectorAll('#moves button').length === 9");
    browser.click("#moves button");
    browser.wait("document.querySelectorAll('#news li').length >= 2");
    browser.wait("document.querySelectorAll('#moves button').length === 7");
    browser.open(&studio.at("games"));
    browser.wait("document.querySelectorAll('#moves button').length === 7");
    looks_right(&mut browser, "games");
}

#[test]
fn a_deal_is_planned_and_played() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("bridge") else { return };
    browser.open(&studio.at("bridge"));
    browser.wait("document.querySelector('textarea').value.includes('Deal')");
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.includes('tricks expected')");
    browser.click("#suit-start");
    browser.wait("document.querySelector('#odds')?.innerText.startsWith('51.37')");
    browser.click("#begin");
    browser.wait("document.querySelectorAll('#cards button').length > 0");
    let before = browser.eval("document.querySelectorAll('#news li').length");
    browser.click("#cards button");
    browser.wait(&format!("document.querySelectorAll('#news li').length > {before}"));
    looks_right(&mut browser, "bridge");
}

#[test]
fn a_go_problem_is_solved_and_walked_through() {
    let studio = Studio::start();
    let Some(mut browser) = Browser::start("go") else { return };
    browser.open(&studio.at("go"));
    browser.wait("document.querySelector('textarea').value.includes('SZ')");
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('D6: clean')");
    browser.wait("document.querySelector('.picture svg') !== null");
    browser.click("#walk ul button");
    browser.wait("document.querySelectorAll('#walk .moves button').length === 2");
    looks_right(&mut browser, "go");
}

/// Runs were once numbered from 1, so that a page that remembered its number saw the answer to another problem after a restart.
#[test]
fn a_restart_shows_no_answer_of_another_run() {
    let begin = |studio: &Studio| {
        let body = r#"{"offer": "dilemma-strategies"}"#;
        let length = body.len();
        let answer = studio.ask(&format!(
            "POST /api/runs HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ));
        answer.split('"').nth(3).expect("a name").to_owned()
    };
    let look = |studio: &Studio, path: &str, name: &str| {
        studio.ask(&format!("GET /api/{path}/{name} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"))
    };
    let first = Studio::start();
    let remembered = begin(&first);
    assert!(look(&first, "runs", &remembered).starts_with("HTTP/1.1 200"));
    drop(first);
    let second = Studio::start();
    let fresh = begin(&second);
    assert_ne!(remembered, fresh);
    for name in [remembered.as_str(), "1", "2"] {
        for path in ["runs", "sessions"] {
            assert!(look(&second, path, name).starts_with("HTTP/1.1 404"), "{path}/{name}");
        }
    }
}

#[test]
fn foreign_requests_are_refused() {
    let studio = Studio::start();
    let get =
        |headers: &str| studio.ask(&format!("GET /plan HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"));
    assert!(get("Host: HOST\r\n").starts_with("HTTP/1.1 200"));
    for headers in [
        "Host: evil.example\r\n",
        "Host: HOST\r\nOrigin: http://evil.example\r\n",
        "Host: HOST\r\nSec-Fetch-Site: cross-site\r\n",
    ] {
        assert!(get(headers).starts_with("HTTP/1.1 403"), "{headers}");
    }
    let post = |kind: &str, body: &str| {
        let length = body.len();
        studio.ask(&format!(
            "POST /api/runs HTTP/1.1\r\nHost: HOST\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    };
    let good = r#"{"offer": "dilemma-strategies"}"#;
    assert!(post("application/json", good).starts_with("HTTP/1.1 200"));
    assert!(post("text/plain", good).starts_with("HTTP/1.1 403"));
    assert!(post("application/json", r#"{"offer": "generate"}"#).starts_with("HTTP/1.1 400"));
    let huge = format!(r#"{{"offer": "{}"}}"#, "x".repeat(5 << 20));
    assert!(!post("application/json", &huge).starts_with("HTTP/1.1 200"), "uploads are bounded");
}
