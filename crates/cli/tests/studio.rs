//! The studio, used in a real browser as a person would.
//!
//! This test has a harness of its own: without a browser its cases are counted as skipped, not as passed. Arguments are parts of names.
//! Pictures of the views are kept under `target/tmp/screenshots`.

mod browser;
mod common;
#[allow(dead_code, reason = "each test file uses a part of it")]
mod studio_server;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use browser::Browser;
use studio_server::Studio;

type Case = (&'static str, fn(&mut Browser, &Studio));

const CASES: &[Case] = &[
    ("the_front_door_opens_six_views", the_front_door_opens_six_views),
    ("a_plan_is_found_replayed_and_still_there_after_a_reload", a_plan_is_found),
    ("an_error_is_shown_at_its_place_while_typing", an_error_is_shown),
    ("in_a_policy_one_is_nature", in_a_policy_one_is_nature),
    ("preferences_are_a_balance_sheet", preferences_are_a_balance_sheet),
    ("a_long_run_is_stopped", a_long_run_is_stopped),
    ("a_bridge_board_is_played_to_its_result", a_bridge_board_is_played),
    ("a_wrong_go_move_is_refuted", a_wrong_go_move_is_refuted),
    ("a_man_is_dragged_in_kriegspiel", a_man_is_dragged),
    ("a_game_is_played_and_solved", a_game_is_played_and_solved),
    ("a_tournament_is_run_on_a_phone", a_tournament_is_run_on_a_phone),
    ("the_documentation_is_served", the_documentation_is_served),
    ("plans_come_first_and_a_certificate_last", plans_come_first),
    ("a_link_shows_the_same_answer", a_link_shows_the_same_answer),
    ("every_answer_can_be_taken_along", every_answer_can_be_taken_along),
    ("known_games_are_drawn_and_played", known_games_are_drawn),
    ("after_a_restart_nothing_foreign_appears", after_a_restart),
];

/// Texts with too little contrast.
const CONTRAST: &str = include_str!("browser/contrast.js");

fn main() {
    let arguments = Arguments::read(std::env::args().skip(1));
    let cases: Vec<&Case> = CASES.iter().filter(|(name, _)| arguments.wants(name)).collect();
    if arguments.is_list {
        cases.iter().for_each(|(name, _)| println!("{name}: test"));
        return;
    }
    println!("\nrunning {} tests in a browser", cases.len());
    let (mut passed, mut failed, mut skipped) = (0, Vec::new(), 0);
    for (name, case) in cases {
        let Some(mut browser) = Browser::start(name) else {
            println!("test {name} ... skipped: no browser (Debian: apt-get install chromium)");
            skipped += 1;
            continue;
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            case(&mut browser, &Studio::start());
            let faults = browser.faults();
            assert!(faults.is_empty(), "scripts fail: {}", faults.join("\n"));
        }));
        match outcome {
            Ok(()) => {
                println!("test {name} ... ok");
                passed += 1;
            }
            Err(_) => {
                browser.shot(&format!("failed-{name}"));
                println!("test {name} ... FAILED");
                failed.push(*name);
            }
        }
    }
    let result = if failed.is_empty() { "ok" } else { "FAILED" };
    println!("\ntest result: {result}. {passed} passed; {} failed; {skipped} skipped\n", failed.len());
    if !failed.is_empty() {
        std::process::exit(101);
    }
}

/// What the test is called with, as far as it concerns which cases run.
#[derive(Default)]
struct Arguments {
    filters: Vec<String>,
    skipped: Vec<String>,
    is_list: bool,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Arguments {
        let mut arguments = Arguments::default();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--list" => arguments.is_list = true,
                "--skip" => arguments.skipped.extend(words.next()),
                "--test-threads" | "--format" | "--color" | "-Z" => drop(words.next()),
                flag if flag.starts_with('-') => {}
                _ => arguments.filters.push(word),
            }
        }
        arguments
    }

    fn wants(&self, name: &str) -> bool {
        let in_name = |part: &String| name.contains(part.as_str());
        (self.filters.is_empty() || self.filters.iter().any(in_name)) && !self.skipped.iter().any(in_name)
    }
}

/// No view may be wider than a phone, each has a dark look, every text can be read, and every control has a name.
fn looks_right(browser: &mut Browser, name: &str) {
    browser.shot(name);
    let faint = browser.eval(CONTRAST);
    assert_eq!(faint, serde_json::json!([]), "{name} by day: too little contrast");
    browser.scheme("dark");
    let faint = browser.eval(CONTRAST);
    assert_eq!(faint, serde_json::json!([]), "{name} by night: too little contrast");
    let dark = browser.eval("getComputedStyle(document.body).backgroundColor");
    browser.shot(&format!("{name}-dark"));
    browser.size(390, 844);
    browser.shot(&format!("{name}-phone-dark"));
    let wide = browser.eval("document.documentElement.scrollWidth - window.innerWidth");
    let hidden = browser.eval(
        "[...document.querySelectorAll('nav a')].filter((a) => a.getBoundingClientRect().right > innerWidth).map((a) => a.innerText)",
    );
    assert_eq!(hidden, serde_json::json!([]), "{name}: views that a phone does not show");
    browser.scheme("light");
    browser.shot(&format!("{name}-phone"));
    let light = browser.eval("getComputedStyle(document.body).backgroundColor");
    assert!(wide.as_f64().is_some_and(|wide| wide <= 0.0), "{name} is {wide} too wide for a phone");
    assert_ne!(dark, light, "{name} looks the same by day and by night");
    browser.size(1280, 900);
    let nameless = browser.eval(
        "[...document.querySelectorAll('button, input, select, textarea')].filter((e) => e.offsetParent && \
         !((e.tagName === 'BUTTON' && e.textContent.trim()) || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML.slice(0, 120))",
    );
    assert_eq!(nameless, serde_json::json!([]), "{name}: controls without a name");
    let odd =
        browser.eval("document.body.innerText.match(/\\bundefined\\b|\\bNaN\\b|\\[object /)?.[0] ?? ''");
    assert_eq!(odd, "", "{name} shows something that is no text");
}

fn text(browser: &mut Browser, selector: &str) -> String {
    let found = browser.eval(&format!("document.querySelector({selector:?})?.innerText ?? ''"));
    found.as_str().unwrap_or_default().to_owned()
}

fn the_front_door_opens_six_views(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at(""));
    browser.wait("document.querySelectorAll('.door .mini-box svg, .door .mini-box .chess, .door .mini-box .felt').length >= 6");
    browser.wait(
        "document.querySelector('#door-policy .node') && document.querySelector('#door-dilemma .line')",
    );
    looks_right(browser, "front");
    browser.click("#door-bridge");
    browser.wait("location.pathname === '/bridge' && document.querySelectorAll('#table .card').length > 20");
}

fn a_plan_is_found(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("plan"));
    browser.wait("document.querySelectorAll('.stage .block').length === 7");
    browser.press_ctrl("Enter");
    browser.wait("document.querySelector('#headline')?.innerText === 'Optimal plan: 20 steps, cost 20.'");
    assert_eq!(browser.eval("document.querySelectorAll('ol.steps li').length"), 20);
    assert_eq!(browser.eval("document.querySelector('.seal').innerText"), "proved");
    browser.click("ol.steps li:nth-child(3) button");
    browser.wait("location.hash.includes('step=3') && document.querySelector('ol.steps li.here') !== null");
    browser.reload();
    browser.wait("document.querySelector('#headline')?.innerText.includes('cost 20')");
    browser.wait("document.querySelector('.replay:not([hidden]) .count')?.innerText === '3 / 20'");
    browser.wait("document.querySelectorAll('[data-download]').length === 4");
    looks_right(browser, "plan");
    // Another input: the old answer goes.
    browser.eval(
        "(() => { const s = document.querySelector('#example'); s.value = 'sokoban'; s.onchange(); })()",
    );
    browser.wait("document.querySelector('#headline') === null && document.querySelectorAll('.stage .piece').length === 3");
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Optimal plan')");
    browser.shot("plan-sokoban");
}

fn an_error_is_shown(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("plan#tab=texts"));
    browser.wait("document.querySelector('#text-problem').value !== ''");
    browser.eval(
        "(() => { const t = document.querySelector('#text-problem'); t.focus(); \
         const at = t.value.indexOf('(:goal'); t.setSelectionRange(at, at); })()",
    );
    browser.type_text("(:gaol)");
    browser.wait("document.querySelector('#findings-problem .error') !== null");
    browser.wait("document.querySelector('.wavy-error')?.innerText.includes('gaol')");
    browser.click("#findings-problem button");
    let marked = browser.eval("(() => { const t = document.activeElement; return t.value.slice(t.selectionStart, t.selectionEnd); })()");
    assert!(marked.as_str().is_some_and(|text| text.contains("gaol")), "{marked}");
    browser.shot("plan-error");
    // The text is part of the address.
    browser.reload();
    browser.wait("document.querySelector('#text-problem').value.includes('gaol')");
}

fn in_a_policy_one_is_nature(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("plan#example=slippery"));
    browser.wait("document.querySelectorAll('.stage .place').length === 4");
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText.includes('strong-cyclic policy')");
    browser.wait("document.querySelectorAll('.outcome').length === 2");
    // Nature lets the first step fail, and then has no better idea than to let all succeed.
    browser.eval(
        "[...document.querySelectorAll('.outcome')].find((b) => b.innerText === 'nothing changes').click()",
    );
    browser.wait("document.querySelector('#caption').innerText.startsWith('After 1 step')");
    looks_right(browser, "policy");
    for _ in 0..12 {
        if text(browser, "#nature").contains("goal is reached") {
            return;
        }
        browser.eval("[...document.querySelectorAll('.outcome')].find((b) => b.innerText !== 'nothing changes').click()");
    }
    panic!("the policy does not reach the goal: {}", text(browser, "#nature"));
}

fn preferences_are_a_balance_sheet(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("plan#example=club"));
    browser.wait("document.querySelector('#text-domain').value !== ''");
    browser.click("#start");
    browser.wait("document.querySelector('#balance') !== null");
    assert!(text(browser, "#balance").contains("-3"));
    browser.open(&studio.at("plan#example=errands"));
    browser.wait("document.querySelector('#text-domain').value !== ''");
    browser.click("#start");
    browser.wait("document.querySelector('#decomposition details') !== null");
}

fn a_long_run_is_stopped(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("games#example=connect-four&think=false"));
    browser.wait("document.querySelectorAll('.gameboard .cell').length === 42");
    browser.click("#solve");
    browser.wait("document.querySelector('#solve-stop') && !document.querySelector('#solve-stop').hidden");
    browser.wait("document.querySelector('#solve-status').innerText.length > 12");
    browser.click("#solve-stop");
    browser.wait(
        "document.querySelector('#solve-error') !== null || document.querySelector('#headline') !== null",
    );
    browser.wait("document.querySelector('#solve-stop').hidden");
}

fn a_bridge_board_is_played(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("bridge"));
    browser.wait("document.querySelectorAll('button.card.legal').length > 0");
    assert_eq!(
        browser.eval("document.querySelectorAll('#table .hand.backs').length"),
        2,
        "defenders are hidden"
    );
    browser.click("#hint");
    browser.wait("document.querySelector('#hint-box .headline')?.innerText.startsWith('Play the')");
    looks_right(browser, "bridge");
    // One card by keyboard, taken back.
    browser.eval("document.querySelector('button.card.legal').focus()");
    browser.press("Enter");
    browser.wait("Number(document.querySelector('#table').dataset.played) > 1 && !document.querySelector('#table').hasAttribute('aria-busy')");
    browser.click("#undo");
    browser.wait("JSON.parse(new URLSearchParams(location.hash.slice(1)).get('play') ?? '[]').length === 1");
    browser.wait("document.querySelector('#table').dataset.played === '1' && !document.querySelector('#table').hasAttribute('aria-busy')");
    browser.wait("document.querySelectorAll('button.card.legal').length > 0");
    for _ in 0..26 {
        if browser.eval("document.querySelector('#final') !== null") == true {
            break;
        }
        let before = browser.eval("document.querySelector('#table').dataset.played");
        let before = before.as_str().unwrap_or_default().to_owned();
        browser.eval("document.querySelector('button.card.legal').click()");
        browser.wait(&format!(
            "document.querySelector('#final') !== null || (Number(document.querySelector('#table').dataset.played) > {before} && !document.querySelector('#table').hasAttribute('aria-busy') && document.querySelector('button.card.legal') !== null)"
        ));
    }
    browser.wait("document.querySelector('#final') !== null");
    let result = text(browser, "#final");
    assert!(result.contains("at this table") && result.contains("all hands open"), "{result}");
    assert_eq!(
        browser.eval("document.querySelectorAll('#table .hand.backs').length"),
        0,
        "all hands are shown"
    );
    browser.shot("bridge-result");
}

fn a_wrong_go_move_is_refuted(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("go"));
    browser.wait("document.querySelectorAll('.goban .stone').length === 31");
    assert!(text(browser, "#told").contains("Black to move: kill the marked group"));
    browser.click("[data-point=D7]");
    browser.wait("document.querySelector('#headline')?.innerText.includes('move fails')");
    browser.shot("go-refuted");
    browser.click("#undo");
    browser.wait("document.querySelectorAll('.goban .stone').length === 31");
    browser.click("#solve");
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Black kills with D6')");
    browser.wait("document.querySelector('#tree button') !== null");
    looks_right(browser, "go");
    browser.click("#tree button");
    browser.wait("document.querySelectorAll('.goban .stone').length === 32");
    // The keyboard plays too.
    browser.eval("document.querySelector('.goban').focus()");
    browser.press("ArrowRight");
    browser.wait("document.querySelector('.goban').getAttribute('aria-label').includes(';')");
}

fn a_man_is_dragged(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("kriegspiel"));
    browser.wait("document.querySelectorAll('.chess .square').length === 64");
    browser.drag("[data-square=e2]", "[data-square=e4]");
    browser.wait("document.querySelectorAll('#log li').length >= 2");
    browser.wait("document.querySelector('#told').innerText.startsWith('Your move')");
    browser.wait("document.querySelectorAll('.ghost').length > 10");
    browser.click("[data-square=d2]");
    browser.wait("document.querySelectorAll('.square.open').length >= 2");
    let heard = browser.eval("document.querySelectorAll('#log li').length");
    looks_right(browser, "kriegspiel");
    browser.reload();
    browser.wait("document.querySelectorAll('#log li').length >= 2");
    assert_eq!(
        browser.eval("document.querySelectorAll('#log li').length"),
        heard,
        "the game survives a reload"
    );
    browser.click("#resign");
    browser.wait("document.querySelector('#told').innerText.includes('You resigned')");
    assert!(
        browser.eval("document.querySelectorAll('.man.black').length").as_u64().is_some_and(|men| men >= 15)
    );
    browser.wait("document.querySelector('[data-download=PGN]') !== null");
    browser.open(&studio.at("kriegspiel#tab=problems"));
    browser.click("#solve");
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Mate in 3 plies')");
    browser.wait("document.querySelector('#walk .walk-step') !== null");
    browser.shot("kriegspiel-problem");
}

fn a_game_is_played_and_solved(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("games#example=tic-tac-toe&seconds=0.3"));
    browser.wait("document.querySelectorAll('.gameboard .cell.open').length === 9");
    browser.wait("document.querySelectorAll('#values .bar').length > 0");
    browser.click(".gameboard .cell.open");
    browser.wait("document.querySelectorAll('.gameboard .piece').length === 2");
    browser.wait("document.querySelectorAll('.gameboard .cell.open').length === 7");
    browser.click("#solve");
    browser.wait("document.querySelector('#headline')?.innerText.includes('5,478 positions')");
    browser.wait("document.querySelectorAll('.cell.value.proved').length > 0");
    looks_right(browser, "games");
    browser.reload();
    browser.wait("document.querySelectorAll('.gameboard .piece').length === 2");
    browser.open(&studio.at("games"));
    browser.wait("document.querySelectorAll('.gameboard .cell').length === 42");
    browser.click("[data-cell=\"4 1\"]");
    browser.wait("document.querySelectorAll('.gameboard .piece').length === 2");
    browser.shot("games-connect-four");
    for (game, cells) in [("sheep-and-wolf", 64), ("clobber", 20), ("eight-puzzle", 9), ("lights-out", 9)] {
        browser.open(&studio.at(&format!("games#example={game}&think=false")));
        browser.wait(&format!("document.querySelectorAll('.gameboard .cell').length === {cells}"));
        browser.shot(&format!("games-{game}"));
    }
}

fn a_tournament_is_run_on_a_phone(browser: &mut Browser, studio: &Studio) {
    browser.size(390, 844);
    browser.open(&studio.at("dilemma#repetitions=1&turns=30"));
    browser.wait("document.querySelectorAll('#ranking tr').length === 9");
    browser.wait("document.querySelectorAll('.heat rect').length === 64");
    assert!(!text(browser, "#ranking").contains("NaN"));
    browser
        .eval("(() => { const f = document.querySelector('#find'); f.value = 'Gradual'; f.oninput(); })()");
    browser.click("#strategies button");
    browser.wait("document.querySelector('#headline') === null && document.querySelectorAll('#chosen .chip').length === 9");
    browser.click("#start");
    browser.wait("document.querySelectorAll('#ranking tr').length === 10");
    looks_right(browser, "dilemma");
    // Who clicks faster than the answers come sees the answer to the last click, whichever comes last.
    browser.eval("for (const id of ['tab-you', 'cooperate', 'defect', 'cooperate']) document.getElementById(id).click()");
    browser.wait("document.querySelectorAll('#you .strip i').length === 6");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.eval("document.querySelectorAll('#you .strip i').length"), 6);
    browser.click("#defect");
    browser.wait("document.querySelectorAll('#you .strip i').length === 8");
    browser.click("#defect");
    browser.wait("document.querySelectorAll('#you .strip i').length === 10 && document.querySelector('#you .beliefs') !== null");
    browser.shot("dilemma-you");
    browser.click("#tab-match");
    browser.wait("document.querySelectorAll('#match .strip i').length > 20");
    browser.click("#tab-own");
    browser.click("#add-table");
    browser.wait("document.querySelector('#own-list')?.innerText.includes('Mine')");
}

fn the_documentation_is_served(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("docs"));
    browser.eval("document.querySelector('main a[href=\"/docs/evidence\"]').click()");
    browser.wait("document.querySelector('main h1')?.innerText.toLowerCase().includes('rests on')");
    browser.open(&studio.at("docs/json"));
    browser.wait("document.querySelectorAll('main table').length > 20");
    browser.size(390, 844);
    let wide = browser.eval("document.documentElement.scrollWidth - window.innerWidth");
    assert!(wide.as_f64().is_some_and(|wide| wide <= 0.0), "{wide}");
}

/// A first plan at once, cost, bound and gap while it is improved, the proof, and a certificate that is checked.
fn plans_come_first(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("plan#example=logistics-7&seconds=120"));
    browser.wait("document.querySelectorAll('.stage .shape').length > 8");
    browser.click("#start");
    browser.wait("document.querySelector('#found')?.innerText.startsWith('Plan so far')");
    browser.wait("document.querySelector('.replay:not([hidden])') !== null");
    browser.wait("document.querySelector('#gap')?.innerText.startsWith('gap')");
    browser.wait("document.querySelector('#curve svg') !== null");
    browser.shot("plan-curve");
    browser.wait("document.querySelector('#headline')?.innerText === 'Optimal plan: 51 steps, cost 51.'");
    browser.wait(
        "document.querySelector('#gap').innerText === 'no gap' && document.querySelector('#found') === null",
    );
    browser.open(&studio.at("plan#example=grid"));
    browser.wait("document.querySelectorAll('.stage .icon').length === 7");
    browser.click("#start");
    browser.wait("document.querySelector('#headline')?.innerText === 'Optimal plan: 32 steps, cost 32.'");
    browser.click("#make-certificate");
    browser.wait("document.querySelector('#certificate')?.innerText.includes('valid: the plan is optimal')");
    browser.wait("document.querySelector('#certificate [data-download=\"task.sas\"]') !== null");
    looks_right(browser, "plan-grid");
}

/// What was asked is part of the address: a reload asks it again, and goes to the same place in the answer.
fn a_link_shows_the_same_answer(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("go"));
    browser.wait("document.querySelectorAll('.goban .stone').length === 31");
    browser.click("#solve");
    browser.click("#tree button");
    browser.wait("document.querySelectorAll('.goban .stone').length === 32");
    browser.reload();
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Black kills with D6')");
    browser.wait("document.querySelectorAll('.goban .stone').length === 32");
    browser.open(&studio.at("kriegspiel#tab=problems"));
    browser.click("#solve");
    browser.click("[data-way]");
    browser.wait("document.querySelectorAll('.walk-step').length === 2");
    browser.reload();
    browser.wait("document.querySelectorAll('.walk-step').length === 2");
    browser.open(&studio.at("games#example=nim&think=false"));
    browser.wait("document.querySelectorAll('.gameboard .piece').length === 12");
    browser.click("#solve");
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Solved')");
    browser.reload();
    browser.wait("document.querySelector('#headline')?.innerText.startsWith('Solved')");
    browser.open(&studio.at("bridge#tab=suit"));
    browser.click("#suit");
    browser.wait("document.querySelector('#suit-answer .headline') !== null");
    browser.reload();
    browser.wait("document.querySelector('#suit-answer .headline')?.innerText.startsWith('51.37')");
    // Another input: the answer goes, and does not come back.
    browser.click("[aria-label=\"north's cards\"]");
    browser.type_text("9");
    browser
        .wait("document.querySelector('#suit-answer .headline') === null && !location.hash.includes('run')");
}

/// Clicks all buttons that offer a file; the names of the files that come, and none of them is empty.
fn files(browser: &mut Browser) -> Vec<String> {
    let named = browser.eval(
        "(async () => { const found = []; const make = URL.createObjectURL; \
         HTMLAnchorElement.prototype.click = function () { if (this.download) found.push([this.download, kept]); }; \
         let kept = null; URL.createObjectURL = (blob) => { kept = blob; return make.call(URL, blob); }; \
         for (const button of document.querySelectorAll('[data-download]')) button.click(); \
         const list = []; for (const [name, blob] of found) { const text = await blob.text(); \
         list.push(text.trim().length > 20 && !/undefined|null$/.test(text) ? name : `${name} is empty`); } return list; })()",
    );
    let list = named.as_array().cloned().unwrap_or_default();
    list.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn every_answer_can_be_taken_along(browser: &mut Browser, studio: &Studio) {
    let cases = [
        (
            "plan#example=blocks&run=true",
            "#headline",
            vec!["two-towers.plan", "two-towers.json", "two-towers-scene.svg", "two-towers.svg"],
        ),
        ("go#run=true", "#headline", vec!["answer.sgf", "answer.json", "board.svg"]),
        ("games#example=nim&think=false&run=true", "#headline", vec!["game.json"]),
        ("kriegspiel#tab=problems&run=true", "#headline", vec!["mate.json", "mate.svg"]),
        (
            "dilemma#turns=20&repetitions=2",
            "#ranking",
            vec![
                "ranking.csv",
                "tournament.json",
                "ranking.svg",
                "boxes.svg",
                "heat-map.svg",
                "population.svg",
                "population.csv",
            ],
        ),
        ("dilemma#tab=match&turns=20", "#match .strip", vec!["match.json", "match.csv"]),
        ("bridge", "button.card.legal", vec!["board-1.pbn", "board-1.lin", "board-1.json"]),
    ];
    for (address, ready, wanted) in cases {
        browser.open(&studio.at(address));
        browser.wait(&format!("document.querySelector('{ready}') !== null"));
        let found = files(browser);
        for name in wanted {
            assert!(found.iter().any(|own| own == name), "{address} has no {name}: {found:?}");
        }
        assert!(!found.iter().any(|name| name.ends_with("is empty")), "{address}: {found:?}");
    }
}

fn known_games_are_drawn(browser: &mut Browser, studio: &Studio) {
    for (game, pieces, first) in [("breakthrough", 32, "4 2"), ("checkers", 24, "1 3"), ("reversi", 4, "4 3")]
    {
        browser.open(&studio.at(&format!("games#example={game}&seconds=0.5")));
        browser.wait(&format!("document.querySelectorAll('.gameboard .piece').length === {pieces}"));
        browser.wait("document.querySelectorAll('#values .bar').length > 0");
        browser.shot(&format!("games-{game}"));
        let cell = format!("[data-cell=\"{first}\"]");
        if browser.eval(&format!("document.querySelector('{cell}').classList.contains('open')")) != true {
            browser.click(".gameboard .cell.open");
        } else {
            browser.click(&cell);
        }
        if game != "reversi" {
            browser.wait("document.querySelectorAll('.gameboard .cell.chosen').length === 1");
            browser.click(".gameboard .cell.open:not(.chosen)");
        }
        browser.wait("document.querySelectorAll('#record li').length >= 2");
    }
}

/// Names of tasks are never used again: a page that remembers one sees that it is gone, and nothing of others.
fn after_a_restart(browser: &mut Browser, studio: &Studio) {
    browser.open(&studio.at("kriegspiel"));
    browser.drag("[data-square=e2]", "[data-square=e4]");
    browser.wait("document.querySelectorAll('#log li').length >= 2");
    let hash = browser.eval("location.hash");
    let other = Studio::start();
    other.begin(r#"{"kriegspiel-play": {"white": "you", "black": "random", "seed": 9}}"#);
    browser.open(&other.at(&format!("kriegspiel{}", hash.as_str().unwrap_or_default())));
    browser.wait("document.querySelector('#told').innerText.startsWith('You see your own men only')");
    assert_eq!(browser.eval("document.querySelectorAll('#log li').length"), 0);
}
