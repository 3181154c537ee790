//! Bridge from outside: the contract, plans, matches, a person at the table, bad input.

mod common;

use common::{Folder, run, run_with};
use serde_json::Value;

const FIGURE: &str = "examples/bridge/figure5.pbn";
const NOTRUMP: &str = "examples/bridge/notrump.pbn";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

#[test]
fn one_suit_has_its_exact_odds_and_line() {
    let answer = run("bridge suit KJ74 A2 --tricks 3 --json").json();
    assert_eq!(answer["percent"], 51.3727);
    assert!(answer["line"].as_str().expect("a line").starts_with("cash the ace from South"), "{answer}");
    let table = run("bridge suit AQ 32");
    assert_eq!(table.stdout.lines().count(), 2, "{table:?}");
}

#[test]
fn a_holding_that_cannot_be_is_refused() {
    for arguments in ["AK A2", "AX 2", "- -"] {
        let outcome = run(&format!("bridge suit {arguments}"));
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stdout.is_empty() && outcome.stderr.starts_with("error"), "{outcome:?}");
    }
}

#[test]
fn boards_are_played_a_line_each() {
    let outcome = run(&format!(
        "bridge play {NOTRUMP} --boards 1-2 --declarer planner --defence rules --seed 1 --json"
    ));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let boards = lines(&outcome.stdout);
    assert_eq!(boards.len(), 2);
    for board in &boards {
        let tricks = board["tricks"].as_u64().expect("tricks");
        assert_eq!(board["made"], tricks >= 9, "{board}");
        assert!(board["moves_searched"].as_u64() > Some(0) && board["replans"].as_u64() > Some(0), "{board}");
        assert!(board["score"].is_i64() && board["seconds"].is_f64(), "{board}");
        assert_eq!(board["play"].as_array().expect("cards").len(), 52);
    }
    let without_time = |text: &str| lines(text).into_iter().map(|mut board| board["seconds"].take()).count();
    assert_eq!(without_time(&outcome.stdout), 2);
}

/// A board was played differently when others stood before it in the list.
#[test]
fn a_board_is_played_in_the_same_way_wherever_it_stands() {
    let play = |boards: &str| {
        let words = format!("bridge play {NOTRUMP} --boards {boards} --declarer planner --seed 4 --json");
        lines(&run(&words).stdout)
    };
    let (both, alone) = (play("1-2"), play("2"));
    assert_eq!((&both[1]["board"], &both[1]["play"]), (&alone[0]["board"], &alone[0]["play"]));
}

/// `plan` showed another card than the one that was played.
#[test]
fn plan_and_play_begin_with_the_same_card() {
    for seed in [1, 2] {
        let plan = run(&format!("bridge plan {NOTRUMP} --boards 1 --samples 0 --seed {seed} --json")).json();
        let play = run(&format!("bridge play {NOTRUMP} --boards 1 --seed {seed} --json")).json();
        assert_eq!((&plan["lead"], &plan["card"]), (&play["play"][0], &play["play"][1]));
    }
}

/// Figure 5 of the paper: the planner makes two notrump.
#[test]
fn the_papers_deal_is_made() {
    let boards = lines(&run(&format!("bridge play {FIGURE} --json")).stdout);
    let tricks = boards[0]["tricks"].as_i64().expect("tricks");
    // Two notrump, not vulnerable: 70 for eight tricks, 30 for each one more, and 50 for a part score.
    let score = 70 + 30 * (tricks - 8) + 50;
    let (made, score) = (Value::from(true), Value::from(score));
    assert_eq!((&boards[0]["made"], &boards[0]["score"]), (&made, &score), "{}", boards[0]);
}

#[test]
fn a_plan_tells_line_chance_and_reason_without_the_hidden_hands() {
    let known = run(&format!("bridge plan {FIGURE} --json --layouts 30 --samples 2")).json();
    for field in ["card", "explanation", "line", "chance", "tricks", "moves_searched", "considered"] {
        assert!(!known[field].is_null(), "{field}: {known}");
    }
    let hidden = "E:Q964.Q8.AK62.874 - AT73.KJ532.T.A63 -";
    let words = [
        "bridge",
        "plan",
        hidden,
        "--contract",
        "2NT",
        "--by",
        "E",
        "--lead",
        "DQ",
        "--layouts",
        "30",
        "--samples",
        "1",
        "--json",
    ];
    let unknown = run_with(words, "");
    assert_eq!(unknown.code, Some(0), "{unknown:?}");
    assert_eq!(unknown.json()["card"], known["card"]);
}

#[test]
fn the_criterion_can_be_chosen() {
    for criterion in ["average", "maximin", "hurwicz", "regret"] {
        let outcome =
            run(&format!("bridge plan {FIGURE} --json --layouts 10 --samples 0 --criterion {criterion}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    }
}

#[test]
fn a_match_counts_wins_losses_and_ties() {
    let answer = run("bridge match --deals 4 --declarers planner,rules --layouts 10 --json").json();
    let count = |field: &str| answer[field].as_u64().expect("a number");
    assert_eq!(count("boards"), 4);
    assert_eq!(count("wins") + count("losses") + count("ties"), 4);
    let wrong = run("bridge match --deals 4 --declarers planner");
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[test]
fn deals_are_drawn_by_seed_and_read_back() {
    let drawn = run("bridge deal --count 3 --kind spades --seed 5");
    assert_eq!(drawn.stdout, run("bridge deal --count 3 --kind spades --seed 5").stdout);
    let shown = run_with(["bridge", "show", "-", "--json"], &drawn.stdout);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let boards = lines(&shown.stdout);
    assert!(boards.len() == 3 && boards.iter().all(|board| board["contract"] == "4S by South"), "{boards:?}");
}

/// A person may declare: cards that may not be played are refused with what may, and leaving is fine.
#[test]
fn you_can_play() {
    let words = ["bridge", "play", FIGURE, "--declarer", "you"];
    let outcome = run_with(words, "HA\nnonsense\nDT\nDK\nquit\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for said in [
        "HA may not be played; legal: DT",
        "`nonsense` is no card",
        "West plays DT",
        "East plays DK",
        "East wins",
    ] {
        assert!(outcome.stdout.contains(said), "{said}: {}", outcome.stdout);
    }
    assert!(!outcome.stdout.contains("KJ852"), "the hidden hand is not shown");
    let defending = run_with(["bridge", "play", FIGURE, "--declarer", "rules", "--defence", "you"], "D3\n");
    assert!(defending.stdout.contains("North plays D3"), "{defending:?}");
}

/// Every card of the pack, again and again: what may not be played is refused, so the script plays any deal out.
fn any_cards() -> String {
    let ranks = "23456789TJQKA";
    let pack: String =
        "CDHS".chars().flat_map(|suit| ranks.chars().map(move |rank| format!("{suit}{rank}\n"))).collect();
    pack.repeat(26)
}

/// A person declares, defends, or does both, to the end of the deal.
#[test]
fn a_deal_is_played_to_its_end_by_hand() {
    for [declarer, defence] in [["you", "rules"], ["rules", "you"], ["you", "you"]] {
        let words = ["bridge", "play", FIGURE, "--declarer", declarer, "--defence", defence];
        let outcome = run_with(words, &any_cards());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(outcome.stdout.matches(" plays ").count(), 52, "{declarer} and {defence}");
        assert_eq!(outcome.stdout.matches(" wins; declarer ").count(), 13);
        let last = outcome.stdout.lines().last().expect("a result");
        assert!(last.starts_with("2NT made with") || last.starts_with("2NT down"), "{last}");
    }
}

/// Programs take a person's place: a JSON line when a card is wanted, with what may be played.
#[test]
fn a_program_may_sit_in_a_persons_place() {
    let words = ["bridge", "play", FIGURE, "--declarer", "you", "--lines"];
    let outcome = run_with(words, &any_cards());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let said = lines(&outcome.stdout);
    assert!(said[0]["waiting"] == true && said[0]["legal"].is_array(), "{}", said[0]);
    let end = said.last().expect("an end");
    assert!(end["end"].as_str().expect("a result").starts_with("2NT"), "{end}");
}

#[test]
fn boards_are_shown_as_diagram_table_picture_and_pbn() {
    let folder = Folder::new("bridge-show");
    let file = folder.path("deal.svg");
    let shown = run(&format!("bridge show {FIGURE} --double-dummy --svg {file}"));
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.stdout.contains("2NT by East") && shown.stdout.contains("NT\n"), "{}", shown.stdout);
    assert!(std::fs::read_to_string(&file).expect("a picture").starts_with("<svg"));
    // Tricks by clubs, diamonds, hearts, spades, notrump, as the C++ solver DDS 2.9 has them.
    let deal = "N:J643.6.QJT42.AQ8 A7.9432.K73.T952 K98.AJ7.A986.K73 QT52.KQT85.5.J64";
    let table = lines(&run_with(["bridge", "show", deal, "--double-dummy", "--json"], "").stdout);
    let expected =
        serde_json::json!([[8, 11, 6, 10, 9], [5, 2, 7, 3, 3], [8, 11, 6, 10, 10], [5, 2, 7, 3, 3]]);
    assert_eq!(table[0]["double_dummy"], expected);
    let pbn = run(&format!("bridge show {FIGURE} --pbn")).stdout;
    let again = run_with(["bridge", "show", "-", "--pbn"], &pbn);
    assert_eq!(again.stdout, pbn);
    let drawn = run("bridge show --deals 2 --seed 3 --json");
    assert_eq!(lines(&drawn.stdout).len(), 2, "{drawn:?}");
}

/// What is told of a hidden hand goes into the beliefs; what cannot be told is refused.
#[test]
fn what_is_told_of_a_hand_changes_the_plan() {
    let plan = |more: &str| run(&format!("bridge plan {FIGURE} --json --layouts 40 {more}"));
    let plain = plan("").json();
    let told = plan("--told S:points=12-20,spades=0-1 --told N:spades=4-6").json();
    assert_ne!(plain["score"], told["score"], "{plain} {told}");
    let bidding = plan("--bidding");
    assert_eq!(bidding.code, Some(0), "{bidding:?}");
    for wrong in ["S", "Q:points=1", "S:points=9-3", "S:spades=9,hearts=9", "S:luck=1", "S:spades=x"] {
        let outcome = plan(&format!("--told {wrong}"));
        assert_eq!(outcome.code, Some(2), "{wrong}: {outcome:?}");
    }
}

/// The limit counts inside a deal: a hundred thousand layouts for the first card would take hours.
#[test]
fn a_time_limit_ends_a_deal_in_the_middle() {
    for who in ["pimc", "hybrid"] {
        let arguments = format!(
            "bridge play {NOTRUMP} --boards 1 --declarer {who} --samples 100000 --time-limit 1s --json"
        );
        let outcome = run(&arguments);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
    }
    let outcome = run("bridge match --deals 3 --declarers pimc,rules --samples 100000 --time-limit 1s");
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
}

#[test]
fn a_broken_board_is_named_and_the_others_are_played() {
    let folder = Folder::new("bridge-broken");
    let good = std::fs::read_to_string(common::root().join(FIGURE)).expect("an example");
    let text =
        format!("[Board \"1\"]\n[Deal \"N:AKQ... - - -\"]\n[Declarer \"S\"]\n[Contract \"9NT\"]\n\n{good}");
    let file = folder.write("broken.pbn", &text);
    let outcome = run(&format!("bridge play {file} --declarer rules --json"));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert_eq!(lines(&outcome.stdout).len(), 1, "{outcome:?}");
    assert!(outcome.stderr.contains("line 2, board 1, Deal: North has 3 cards instead of 13"), "{outcome:?}");
    assert!(outcome.stderr.contains("line 4, board 1, Contract: `9NT` is no contract"), "{outcome:?}");
    let empty = run_with(["bridge", "play", "-"], "");
    assert_eq!(empty.code, Some(2), "{empty:?}");
}

#[test]
fn the_finesse_of_figure_three_has_its_exact_odds() {
    let figures = run("reproduce tignum-fig3 --json").json();
    let near = |field: &str, value: f64| {
        let found = figures["figures"][field].as_f64().expect("a number");
        assert!((found - value).abs() < 1e-9, "{field}: {found} instead of {value}");
    };
    // Eleven vacant places each, seven spades out of 22 unseen cards.
    near("easy", 3003.0 / 705_432.0);
    near("busted", 1365.0 / 705_432.0);
    let text = run("reproduce tignum-fig3").stdout;
    for (name, percent) in
        [("EasyFinesse", "0.4257"), ("BustedFinesse", "0.1935"), ("StandardFinesseTwo", "99.3808")]
    {
        let row = text
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {text}"));
        assert!(row.contains(percent), "{row}");
    }
}

/// `bridge plan` told a chance that was far too high, and did not say against which defence.
#[test]
fn a_plan_says_against_which_defence_its_chance_holds() {
    let plan = run(&format!("bridge plan {FIGURE} --json --layouts 30 --samples 3 --seed 1")).json();
    for defence in ["rules", "double_dummy"] {
        let chance = &plan["chances"][defence];
        assert_eq!(chance["samples"], 3, "{plan}");
        let (percent, low, high) = (&chance["percent"], &chance["low"], &chance["high"]);
        let [percent, low, high] = [percent, low, high].map(|number| number.as_f64().expect("a number"));
        assert!((0.0..=100.0).contains(&percent) && low <= percent && percent <= high, "{plan}");
        assert_eq!(chance["evidence"]["kind"], "sampled");
        assert_eq!(chance["evidence"]["samples"], 3);
    }
    assert_eq!(plan["evidence"], plan["chances"]["rules"]["evidence"]);
    let about = plan["evidence"]["about"].as_str().expect("words");
    assert!(about.contains("against the defence by rule"), "{about}");
    let without = run(&format!("bridge plan {FIGURE} --json --layouts 30 --samples 0")).json();
    assert!(without["chance"].is_null(), "{without}");
    assert_eq!(without["evidence"]["kind"], "planned");
    let text = run(&format!("bridge plan {FIGURE} --layouts 30 --samples 2")).stdout;
    assert!(text.contains("against the double-dummy defence"), "{text}");
}

/// The chances that are told agree with what is made: here on a few deals with a wide bound, in the docs on 500.
#[test]
fn told_chances_come_true() {
    let outcome = run("bridge calibrate --deals 6 --samples 1 --layouts 40 --seed 3 --json");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let lines = lines(&outcome.stdout);
    assert_eq!(lines.len(), 7);
    let all = lines[6]["table"].as_array().expect("rows").last().expect("a row for all deals").clone();
    assert_eq!(all["deals"], 6);
    for defence in ["rules", "double_dummy"] {
        let number = |field: &str| all[defence][field].as_f64().expect("a number");
        let difference = (number("predicted") - number("made")).abs();
        assert!(difference <= 3.5 * number("error").max(0.1), "{defence}: {all}");
    }
}

/// A limit or a signal lost the boards that were finished.
#[test]
fn finished_boards_survive_a_limit() {
    let folder = Folder::new("bridge-limit");
    let outcome = run("bridge match --deals 2000 --declarers planner,rules --json --time-limit 6s");
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!((&answer["verdict"], &answer["limit"]), (&"stopped".into(), &"time".into()));
    let boards = answer["boards"].as_u64().expect("a number");
    assert!(boards > 0 && answer["results"].as_array().map(Vec::len) == Some(boards as usize), "{answer}");
    let file = folder.path("played.pbn");
    let outcome = run(&format!(
        "bridge play --deals 2000 --declarer planner --defence rules --json --time-limit 6s --pbn {file}"
    ));
    assert_eq!(outcome.code, Some(3));
    let answers = lines(&outcome.stdout);
    let (last, boards) = answers.split_last().expect("at least the limit");
    assert_eq!(last["verdict"], "stopped");
    assert!(!boards.is_empty());
    let written = std::fs::read_to_string(&file).expect("the file was written");
    assert_eq!(written.matches("[Deal ").count(), boards.len());
}

#[cfg(unix)]
#[test]
fn finished_boards_survive_a_signal() {
    let words = "bridge match --deals 2000 --declarers planner,rules --json";
    let child = common::start(words.split_whitespace());
    std::thread::sleep(std::time::Duration::from_secs(6));
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill runs");
    assert!(killed.success());
    let outcome = common::finish(child);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(answer["limit"], "interrupt");
    assert!(answer["boards"].as_u64() > Some(0), "{answer}");
}
