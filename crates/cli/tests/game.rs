//! General games from outside: strong solutions, folders of layers, positions, instantiated rules, bad input.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

use common::{Folder, Outcome, binary, root, run, run_with};
use serde_json::{Value, json};

fn solve(game: &str, options: &str) -> Value {
    let outcome = run(&format!("game solve {game} --json {options}"));
    assert_eq!(outcome.code, Some(0), "{game} {options}: {outcome:?}");
    outcome.json()
}

fn refused(outcome: &Outcome, words: &[&str]) {
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert_eq!(outcome.stdout, "", "{outcome:?}");
    for word in words {
        assert!(outcome.stderr.contains(word), "{word}: {}", outcome.stderr);
    }
    assert!(!outcome.stderr.contains("internal error"), "{}", outcome.stderr);
}

/// Refuses a rule sheet with these words.
fn refused_sheet(text: &str, words: &[&str]) {
    refused(&run_with(["game", "solve", "-", "--time-limit", "20s"], text), words);
}

#[test]
fn bundled_games_have_their_known_states_and_values() {
    let index = fs::read_to_string(root().join("examples/games/index.csv")).expect("bundled");
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(5, ',').collect();
        let [game, states, value, cost, _] = fields[..] else { panic!("five fields: {line}") };
        if cost != "small" {
            continue;
        }
        let value: Vec<u64> = value.split(' ').map(|value| value.parse().expect("a reward")).collect();
        for engine in ["explicit", "symbolic"] {
            let answer = solve(&format!("examples/games/{game}"), &format!("--engine {engine} --check 30"));
            assert_eq!(answer["states"].to_string(), states, "{game} {engine}");
            assert_eq!(answer["value"], json!(value), "{game} {engine}");
            assert_eq!(answer["checked"], 30, "{game} {engine}");
            assert_eq!(answer["engine"], engine);
        }
    }
}

#[test]
fn bundled_games_with_lots_and_chance_have_their_known_values() {
    let index = fs::read_to_string(root().join("examples/games/index.csv")).expect("bundled");
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(5, ',').collect();
        let [game, states, value, cost, _] = fields[..] else { panic!("five fields: {line}") };
        if cost != "mixed" {
            continue;
        }
        let answer = solve(&format!("examples/games/{game}"), "--check all");
        assert_eq!(answer["states"].to_string(), states, "{game}");
        let exact: Vec<&str> = value.split(' ').collect();
        assert_eq!(answer["value_exact"], json!(exact), "{game}");
        assert!(answer["checked"].as_u64() > Some(0), "{game}");
    }
}

#[test]
fn every_value_of_tic_tac_toe_follows_from_the_rules() {
    for engine in ["explicit", "symbolic"] {
        let answer = solve("examples/games/tic-tac-toe.kif", &format!("--engine {engine} --check all"));
        assert_eq!(answer["checked"], 5478);
        assert_eq!(answer["constant_sum"], true);
    }
}

#[test]
fn a_position_has_its_value_and_its_best_moves() {
    let game = "examples/games/nim-3-4-5.kif";
    for engine in ["explicit", "symbolic"] {
        let moves = ["game", "solve", game, "--json", "--engine", engine, "--from"];
        let ask = |text| run_with(moves.into_iter().chain([text]), "");
        // 3 xor 4 xor 5 = 2, so that leaving 1 in the first heap is the only way to win.
        let start = ask("").json();
        let best: Vec<&Value> = choices(&start).iter().filter(|choice| choice["optimal"] == true).collect();
        assert_eq!(best.len(), 1, "{start}");
        assert_eq!(best[0]["move"], "(leave a 1)");
        let lost = ask("(leave a 1)").json();
        assert_eq!(lost["position"]["value"], json!([100, 0]));
        assert!(choices(&lost).iter().all(|choice| choice["optimal"] == true), "all moves lose: {lost}");
        let joint = ask("((leave a 1) noop) (noop (leave b 0))").json();
        assert_eq!(joint["position"]["moves"].as_array().map(Vec::len), Some(2));
        refused(&ask("(leave a 7)"), &["move 1 `(leave a 7)` is not legal", "(leave a 1)"]);
        refused(&ask("(leave"), &["brackets do not match"]);
        refused(&ask("(leave a 0) (leave b 0) (leave c 0) (leave a 0)"), &["the game is over before move 4"]);
    }
}

fn choices(answer: &Value) -> &Vec<Value> {
    answer["position"]["choices"].as_array().expect("a list")
}

#[test]
fn a_folder_keeps_a_solution_and_refuses_what_is_not_its_own() {
    let folder = Folder::new("layers");
    let store = folder.path("store");
    let game = "examples/games/tic-tac-toe.kif";
    let first = solve(game, &format!("--store {store}"));
    assert_eq!(first["states"], 5478);
    assert_eq!(first["engine"], "symbolic");
    let again = solve(game, &format!("--store {store} --no-check"));
    assert_eq!(again["outcomes"], first["outcomes"]);
    assert!(again["work"].as_u64() < first["work"].as_u64(), "it is not solved again");
    let moves = ["game", "solve", game, "--json", "--store", &store, "--from", "(mark 2 2) (mark 1 2)"];
    assert_eq!(
        run_with(moves, "").json()["position"]["value"],
        json!([100, 0]),
        "an edge is the wrong reply"
    );
    // Another game, another order, a damaged file, a missing one.
    let other = run(&format!("game solve examples/games/gunslinger.kif --store {store}"));
    refused(&other, &["belongs to another game", "--store"]);
    let order = run(&format!("game solve {game} --order difference --store {store}"));
    refused(&order, &["belongs to another game"]);
    let file = format!("{store}/solved-00000.layer");
    let whole = fs::read(&file).expect("it is there");
    fs::write(&file, &whole[..whole.len() - 2]).expect("writable");
    refused(&run(&format!("game solve {game} --store {store}")), &["solved-00000", "damaged"]);
    fs::write(&file, "something else").expect("writable");
    refused(&run(&format!("game solve {game} --store {store}")), &["it is no layer of a game"]);
    fs::remove_file(&file).expect("removable");
    let mended = solve(game, &format!("--store {store}"));
    assert_eq!(mended["outcomes"], first["outcomes"]);
    // A place that cannot be written to.
    let file = folder.write("file", "");
    refused(&run(&format!("game solve {game} --store {file}/below")), &["cannot write"]);
    refused(&run(&format!("game solve {game} --engine explicit --store {store}")), &["symbolic engine"]);
}

/// A limit on the size of files stands in for a disk that is full: the write fails in the same way.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_what_was_kept_is_used() {
    let folder = Folder::new("full");
    let store = folder.path("store");
    let game = "examples/games/connect-four-4x4.kif";
    let binary = binary();
    let program = binary.get_program().to_string_lossy().into_owned();
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec '{program}' game solve {game} --store '{store}' --no-check 2> '{}'",
        folder.path("said")
    );
    let status = Command::new("sh").args(["-c", &script]).current_dir(root()).status().expect("it starts");
    assert_eq!(status.code(), Some(2));
    let said = fs::read_to_string(folder.path("said")).expect("there is a message");
    assert!(said.contains("cannot write record") && said.contains(".layer"), "{said}");
    let kept = fs::read_dir(&store).expect("a folder").count();
    assert!(kept > 3, "small layers fit: {kept}");
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(solve(game, &format!("--store {store} --no-check"))["states"], 161_029);
}

/// What a folder holds: each file's name and bytes.
fn records(store: &str) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(store).into_iter().flatten().flatten();
    let whole = files.filter(|file| file.path().extension().is_some_and(|end| end == "layer"));
    whole
        .map(|file| {
            (file.file_name().to_string_lossy().into_owned(), fs::read(file.path()).unwrap_or_default())
        })
        .collect()
}

#[cfg(unix)]
#[test]
fn a_solve_that_is_killed_keeps_every_layer_it_had() {
    let game = "examples/games/connect-four-4x4.kif";
    // A layer for each number of pieces: reached and solved, and a record that all are reached.
    let all = 2 * 17 + 1;
    for attempt in 0..20 {
        let folder = Folder::new(&format!("killed-{attempt}"));
        let store = folder.path("store");
        let mut command = binary();
        command.args(["game", "solve", game, "--store", &store, "--no-check"]).current_dir(root());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        while records(&store).len() < 6 && child.try_wait().expect("it runs").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let kept = records(&store);
        if kept.len() == all {
            // It was faster than we are: once more.
            continue;
        }
        assert!(kept.len() >= 6);
        assert_eq!(solve(game, &format!("--store {store} --no-check"))["states"], 161_029);
        let whole = records(&store);
        assert_eq!(whole.len(), all);
        assert!(kept.iter().all(|(name, bytes)| whole.get(name) == Some(bytes)), "no layer is lost");
        return;
    }
    panic!("it was never killed before its end");
}

#[test]
fn games_with_a_clock_are_solved_in_layers() {
    let answer = solve("examples/games/peg-solitaire-small.kif", "--engine layered --check 200");
    assert_eq!(answer["engine"], "layered");
    assert_eq!(answer["states"], 43_734);
    assert_eq!(answer["value"], json!([99]));
    assert_eq!(answer["checked"], 200);
    assert_eq!(answer["progress"], true);
    let sets = solve("examples/games/peg-solitaire-small.kif", "--engine symbolic --no-check");
    assert_eq!(answer["outcomes"], sets["outcomes"]);
    assert_eq!(answer["layer_states"], sets["layer_states"]);
    assert_eq!(sets["layer_nodes"].as_array().map(Vec::len), Some(20));
    // `auto` takes it when there are too many states to keep them one by one.
    let auto = solve("examples/games/peg-solitaire-small.kif", "--explicit-states 1000 --no-check");
    assert_eq!(auto["engine"], "layered");
    let few =
        solve("examples/games/peg-solitaire-small.kif", "--explicit-states 9 --layered-states 99 --no-check");
    assert_eq!(few["engine"], "symbolic");
    // Without a clock a count does as well.
    let cells = solve("examples/games/connect-four-4x4.kif", "--engine layered --check 50");
    assert_eq!(
        (&cells["states"], &cells["value"], &cells["symmetries"]),
        (&json!(161_029), &json!([50, 50]), &json!(2))
    );
    assert!(cells["measure"].as_str().is_some_and(|measure| measure.contains("cell")), "{cells}");
    let there_and_back = "(role one) (init (at 1)) (legal one go) (<= (next (at 2)) (true (at 1)))
        (<= (next (at 1)) (true (at 2))) (<= terminal (true (at 3))) (<= (next (at 3)) (true (at 3))) (goal one 0)";
    let none = run_with(["game", "solve", "-", "--engine", "layered"], there_and_back);
    refused(&none, &["no clock", "--search auto"]);
}

#[test]
fn every_bundled_game_is_listed() {
    let index = fs::read_to_string(root().join("examples/games/index.csv")).expect("bundled");
    let listed: BTreeSet<String> =
        index.lines().skip(1).filter_map(|line| line.split(',').next()).map(str::to_owned).collect();
    let files = fs::read_dir(root().join("examples/games")).expect("bundled").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let sheets: BTreeSet<String> = names.filter(|name| name.ends_with(".kif")).collect();
    assert_eq!(listed, sheets);
}

#[test]
fn a_solve_that_reached_its_limit_goes_on() {
    let folder = Folder::new("limit");
    let store = folder.path("store");
    let game = "examples/games/connect-four-4x4.kif";
    let mut runs = 0;
    loop {
        let outcome = run(&format!("game solve {game} --json --store {store} --time-limit 400ms --no-check"));
        runs += 1;
        if outcome.code == Some(0) {
            assert_eq!(outcome.json()["states"], 161_029);
            break;
        }
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert_eq!(outcome.json()["limit"], "time");
        if runs == 20 {
            // A machine that is too slow for a layer in this time has shown nothing; one long run has to do it.
            assert_eq!(solve(game, &format!("--store {store}"))["states"], 161_029);
            break;
        }
    }
}

#[test]
fn ground_rules_are_proved_and_written() {
    let folder = Folder::new("instantiated");
    let path = folder.path("ground.kif");
    let outcome = run(&format!("game ground examples/games/tic-tac-toe.kif --json --output {path}"));
    let answer = outcome.json();
    assert_eq!(answer["groups"], 10);
    assert_eq!(answer["grouped_fluents"], 20);
    assert_eq!(answer["takes_turns"], true);
    assert_eq!(answer["noops"], json!([["noop"], ["noop"]]));
    let written = solve(&path, "");
    assert_eq!((&written["states"], &written["value"]), (&json!(5478), &json!([50, 50])));
    let nowhere = folder.path("no/folder.kif");
    refused(
        &run(&format!("game ground examples/games/tic-tac-toe.kif --output {nowhere}")),
        &["cannot write"],
    );
}

#[test]
fn random_play_is_measured_both_ways() {
    let options = "--seconds 0.1 --interpreter --json";
    let answer = run(&format!("game simulate examples/games/tic-tac-toe.kif {options}")).json();
    assert!(answer["playouts_per_second"].as_f64() > answer["interpreter"]["playouts_per_second"].as_f64());
    assert!(answer["interpreter"]["states_per_second"].as_f64() > Some(0.0));
}

#[test]
fn bad_rule_sheets_are_refused_by_name() {
    let rest = "(init p) (<= (next p) (true p)) (<= terminal (true q)) (<= (next q) (true p))";
    refused_sheet("", &["role"]);
    refused_sheet("(role a", &["<stdin>"]);
    refused_sheet(&format!("(role a) {rest} (goal a 100)"), &["the game has no `legal`"]);
    refused_sheet(&format!("(role a) {rest} (legal a m)"), &["the game has no `goal`"]);
    refused_sheet(&format!("(role a) {rest} (legal a m) (goal a many)"), &["`many` is no number"]);
    refused_sheet(
        &format!("(role a) {rest} (legal a m) (goal a 1) (<= r (not s)) (<= s (not r))"),
        &["its own negation"],
    );
    refused_sheet(
        &format!("(role a) {rest} (goal a 1) (<= (legal a ?x) (not (true ?x)))"),
        &["is not bound"],
    );
    // A role that never has a move, and one that never has a reward.
    let two = format!("(role a) (role b) {rest} (legal a m) (goal a 1)");
    refused_sheet(&format!("{two} (goal b 1)"), &["`b`"]);
    refused_sheet(&format!("{two} (legal b m)"), &["`b`"]);
    refused_sheet(
        "(role a) (legal a m) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n (s z))))
         (goal a 1)",
        &["ever larger terms"],
    );
}

#[test]
fn a_game_without_an_end_is_told() {
    let text = "(role a) (role b) (init (on a)) (legal a stay) (legal a go) (legal b wait)
        (<= (next (on a)) (true (on a)) (does a stay)) (<= (next (on b)) (does a go) (true (on a)))
        (<= (next (on a)) (true (on b)))
        (<= terminal (true (on c))) (<= (next (on c)) (true (on d))) (<= (next (on d)) (true (on d)))
        (goal a 1) (goal b 1)";
    for engine in ["explicit", "symbolic"] {
        let outcome = run_with(["game", "solve", "-", "--json", "--engine", engine], text);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        let answer = outcome.json();
        assert_eq!(answer["verdict"], "unsolvable");
        assert_eq!(answer["endless"], answer["states"]);
    }
}

/// A game that may go on for ever but can end was called unsolvable, which was not proved.
#[test]
fn a_game_that_may_go_on_for_ever_is_bounded() {
    // Each likes it better if the other takes, and may wait for that.
    let text = "(role a) (role b) (init (turn a)) (<= (legal ?r wait) (role ?r)) (<= (legal ?r take) (true (turn ?r)))
        (<= (next (turn a)) (true (turn b)) (does b wait)) (<= (next (turn b)) (true (turn a)) (does a wait))
        (<= (next (took ?r)) (does ?r take)) (<= terminal (true (took ?r)))
        (<= (goal a 50) (true (took a))) (<= (goal b 50) (true (took a)))
        (<= (goal a 60) (true (took b))) (<= (goal b 40) (true (took b)))";
    for engine in ["explicit", "symbolic"] {
        let outcome = run_with(["game", "solve", "-", "--json", "--bounds", "--engine", engine], text);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        let answer = outcome.json();
        assert_eq!(answer["value"], json!([]));
        assert_eq!(answer["evidence"]["kind"], "bounded");
        let bounds = json!([
            {"role": "a", "lower": 50, "upper": 60},
            {"role": "b", "lower": 40, "upper": 50},
        ]);
        assert_eq!(answer["bounds"], bounds);
    }
}

/// Matching pennies.
const PENNIES: &str = "(role even) (role odd) (init start) (side head) (side tail)
    (<= (legal ?r (turn ?s)) (role ?r) (side ?s) (true start))
    (<= (next (shown ?s ?t)) (does even (turn ?s)) (does odd (turn ?t)))
    (<= terminal (true (shown ?s ?t)))
    (<= same (true (shown ?s ?s)))
    (<= (goal even 100) same) (<= (goal even 0) (not same)) (<= (goal odd 0) same) (<= (goal odd 100) (not same))";

/// Later roles used to see earlier moves: even 0, odd 100, proved and checked.
#[test]
fn roles_that_choose_at_once_draw_lots() {
    for engine in ["auto", "explicit"] {
        let arguments = ["game", "solve", "-", "--json", "--check", "all", "--from", "", "--engine", engine];
        let outcome = run_with(arguments, PENNIES);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let answer = outcome.json();
        assert_eq!((&answer["value"], &answer["value_exact"]), (&json!([50, 50]), &json!(["50", "50"])));
        assert_eq!((&answer["simultaneous"], &answer["checked"]), (&json!(1), &json!(5)));
        assert_eq!(answer["evidence"]["within"], Value::Null);
        for choice in answer["position"]["choices"].as_array().expect("choices") {
            assert_eq!((&choice["probability"], &choice["probability_exact"]), (&json!(0.5), &json!("1/2")));
            assert_eq!(choice["value"], json!([50, 50]));
        }
    }
    // Sets of states and layers are for games in turns.
    for (engine, why) in
        [("symbolic", "games in turns and without chance"), ("layered", "games in turns and without chance")]
    {
        let outcome = run_with(["game", "solve", "-", "--engine", engine], PENNIES);
        refused(&outcome, &[why]);
    }
    for engine in ["auto", "explicit", "symbolic"] {
        let outcome = run_with(["game", "solve", "-", "--bounds", "--json", "--engine", engine], PENNIES);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        let answer = outcome.json();
        assert_eq!(answer["verdict"], "stopped");
        assert_eq!(answer["evidence"]["kind"], "bounded");
        for (bound, role) in answer["bounds"].as_array().expect("bounds").iter().zip(["even", "odd"]) {
            assert_eq!(*bound, json!({"role": role, "lower": 0, "upper": 100}));
        }
    }
}

/// Where wishes are not opposite there is no value: what each role can make sure of, and an equilibrium, have their names.
#[test]
fn rewards_without_a_constant_sum_have_no_value() {
    let game = root().join("examples/games/dilemma-once.kif");
    let solve = |more: &[&str]| {
        let game = game.to_str().expect("a path");
        run_with([&["game", "solve", game, "--json"][..], more].concat(), "")
    };
    let none = solve(&[]);
    assert_eq!(none.code, Some(3), "{none:?}");
    let answer = none.json();
    assert_eq!((&answer["verdict"], &answer["value"]), (&json!("stopped"), &json!([])));
    assert_eq!(answer["security"][0], json!({"role": "row", "level": 20, "exact": "20"}));
    for (solution, words) in [("maximin", "security levels"), ("nash", "one equilibrium")] {
        let found = solve(&["--solution", solution]);
        assert_eq!(found.code, Some(0), "{found:?}");
        let answer = found.json();
        assert_eq!((&answer["value"], &answer["solution"]), (&json!([20, 20]), &json!(solution)));
        let within = answer["evidence"]["within"].as_str().expect("an assumption");
        assert!(within.contains(words), "{within}");
    }
}

/// Exact mixtures for ten thousand joint moves would take for ever.
#[test]
fn too_many_joint_moves_are_refused_with_their_number() {
    let numbers: String = (0..100).map(|number| format!("(number {number}) ")).collect();
    let text = format!(
        "(role a) (role b) {numbers} (init start) (<= (legal ?r (say ?n)) (role ?r) (number ?n))
        (<= (next (said ?r ?n)) (does ?r (say ?n))) (<= same (true (said a ?n)) (true (said b ?n)))
        (<= terminal (true (said a ?n))) (<= (goal a 100) same) (<= (goal a 0) (not same))
        (<= (goal b 0) same) (<= (goal b 100) (not same))"
    );
    refused(&run_with(["game", "solve", "-"], &text), &["10000 joint moves", "a and b choose"]);
}

/// A coin that no role sees used to be guessed.
#[test]
fn a_coin_that_is_hidden_is_guessed_half_of_the_time() {
    let coin = "(role Random) (role guesser) (init start)
        (<= (legal random (flip head)) (true start)) (<= (legal random (flip tail)) (true start))
        (<= (legal random noop) (true (lies ?c)))
        (<= (legal guesser noop) (true start))
        (<= (legal guesser (say head)) (true (lies ?c))) (<= (legal guesser (say tail)) (true (lies ?c)))
        (<= (next (lies ?c)) (does random (flip ?c)))
        (<= (next (said ?c ?d)) (true (lies ?c)) (does guesser (say ?d)))
        (<= (sees guesser done) (does random (flip ?c)))
        (<= terminal (true (said ?c ?d)))
        (<= won (true (said ?c ?c))) (<= (goal guesser 100) won) (<= (goal guesser 0) (not won)) (goal random 0)";
    let solved = run_with(["game", "solve", "-", "--json", "--check", "all"], coin);
    assert_eq!(solved.code, Some(0), "{solved:?}");
    let answer = solved.json();
    assert_eq!((&answer["value"], &answer["engine"]), (&json!([0, 50]), &json!("best response to chance")));
    assert!(answer["evidence"]["checked_by"].as_str().is_some_and(|own| own.contains("best responses")));
    for option in ["--bounds", "--engine=symbolic", "--solution=nash"] {
        refused(&run_with(["game", "solve", "-", option], coin), &["without hidden moves"]);
    }
    refused(&run_with(["game", "match", "-", "--players", "random,uct"], coin), &["`sees` hides moves"]);
    // Instantiated rules keep what is hidden.
    let folder = Folder::new("hidden");
    let ground = folder.path("ground.kif");
    assert_eq!(run_with(["game", "ground", "-", "--output", &ground], coin).code, Some(0));
    assert_eq!(run_with(["game", "solve", &ground, "--json"], "").json()["value"], json!([0, 50]));
    // Random play is right, and so are figures.
    let played = run_with(["game", "simulate", "-", "--seconds", "0.1", "--json"], coin).json();
    let mean = played["mean_rewards"][1].as_f64().expect("a number");
    assert!((40.0..60.0).contains(&mean), "{mean}");
    assert_eq!(run_with(["game", "ground", "-"], coin).code, Some(0));
}

/// `(not (goal …))` of another instance was refused as a circle.
#[test]
fn the_negation_of_another_goal_is_understood() {
    let text = "(role a) (init start) (<= (legal a (take ?n)) (number ?n)) (number 1) (number 2)
        (<= (next (has ?n)) (does a (take ?n))) (<= terminal (true (has ?n)))
        (<= (goal a 100) (true (has 2))) (<= (goal ?r 30) (role ?r) (not (goal ?r 100)))";
    let outcome = run_with(["game", "solve", "-", "--json", "--check", "all"], text);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(answer["value"], json!([100]));
    assert_eq!(answer["odd_rewards"], 0);
}

#[test]
fn an_answer_says_what_it_rests_on() {
    let answer = solve("examples/games/nim-3-4-5.kif", "--check 20");
    assert_eq!(answer["evidence"]["kind"], "proved");
    assert_eq!(answer["evidence"]["engine"], "explicit");
    assert_eq!(answer["evidence"]["within"], Value::Null, "two roles, and a constant sum");
    let checked = answer["evidence"]["checked_by"].as_str().expect("checked");
    assert!(checked.contains("a sample of 20 positions"), "{checked}");
    let answer = solve("examples/games/nim-3-4-5.kif", "--no-check");
    assert_eq!(answer["evidence"]["checked_by"], Value::Null);
    // With three roles the value depends on how ties are broken.
    let three = "(role a) (role b) (role c) (init start) (<= (legal a left) (true start)) (<= (legal a right) (true start))
        (legal b noop) (legal c noop) (<= (next (went ?m)) (does a ?m)) (<= terminal (true (went ?m)))
        (<= (goal a 50) (true (went ?m))) (<= (goal b 60) (true (went left))) (<= (goal c 20) (true (went left)))
        (<= (goal b 30) (true (went right))) (<= (goal c 40) (true (went right)))";
    let answer = run_with(["game", "solve", "-", "--json"], three).json();
    assert_eq!(answer["value"], json!([50, 30, 40]));
    let within = answer["evidence"]["within"].as_str().expect("an assumption");
    assert!(within.contains("least sum for the others"), "{within}");
}

/// Lamps that one role turns over, with or without a clock: as many states as one likes.
fn lamps(count: usize, ticks: usize) -> String {
    let lamps: String = (0..count).map(|lamp| format!("(lamp l{lamp})")).collect();
    let clock: String = (0..ticks).map(|tick| format!("(succ t{tick} t{})", tick + 1)).collect();
    let steps = match ticks {
        0 => String::new(),
        _ => format!(
            "(init (step t0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step t{ticks})))"
        ),
    };
    format!(
        "(role a) {lamps} {clock} {steps} (<= (legal a (press ?x)) (lamp ?x))
         (<= (next (on ?x)) (does a (press ?x)) (not (true (on ?x))))
         (<= (next (on ?x)) (true (on ?x)) (not (does a (press ?x))))
         (<= off (lamp ?x) (not (true (on ?x)))) (<= terminal (not off))
         (<= (goal a 100) (not off)) (<= (goal a 0) off)"
    )
}

/// Runs a solve under a memory limit, and returns the most memory that it ever held, in MiB.
#[cfg(target_os = "linux")]
fn peak_under_a_limit(text: &str, engine: &str, limit: u64) -> u64 {
    use std::io::{Read, Write};
    let limit = format!("{limit}MiB");
    let arguments = ["game", "solve", "-", "--json", "--engine", engine, "--memory-limit", &limit];
    let mut child = common::start(arguments);
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("it reads");
    let peak = common::peak_until_the_end(&mut child) >> 20;
    let code = child.wait().expect("it has ended").code();
    let mut told = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut told).expect("text");
    assert_eq!(code, Some(3), "{engine}: {told}");
    peak
}

/// Explicit solving took half as much again as it was allowed: tables doubled, and the tables for the way back were made,
/// before anybody asked.
#[cfg(target_os = "linux")]
#[test]
fn memory_limits_hold_within_a_tenth() {
    // In the second game all states fit, but not what is needed to decide them.
    for (engine, text, least) in
        [("explicit", lamps(24, 0), 34), ("explicit", lamps(18, 0), 0), ("layered", lamps(40, 12), 34)]
    {
        let peak = peak_under_a_limit(&text, engine, 48);
        assert!((least..=52).contains(&peak), "{engine}: {peak} MiB");
    }
}

/// Layers on disk: any number of workers, and a run that goes on, come to the digest of the solver in memory.
#[test]
fn layers_on_disk_have_the_same_digest() {
    let game = "examples/games/connect-four-4x4.kif";
    let memory = solve(game, "--engine layered --no-check");
    let folder = Folder::new("layers-on-disk");
    let store = folder.path("layers");
    for options in [
        "--engine layered --workers 1".to_owned(),
        "--engine layered --workers 2 --parts 5 --memory-limit 300MB".to_owned(),
        format!("--engine layered --store {store} --workers 2"),
        format!("--engine layered --store {store} --check 20"),
    ] {
        let disk = solve(game, &options);
        for field in ["digest", "states", "value", "layer_states", "outcomes", "terminal", "measure"] {
            assert_eq!(disk[field], memory[field], "{field} with {options}");
        }
        assert!(disk["checked"].as_u64() > Some(0) && disk["disk"]["bytes"].as_u64() > Some(0), "{disk}");
    }
    let asked = [
        "game",
        "solve",
        game,
        "--engine",
        "layered",
        "--store",
        &store,
        "--from",
        "(drop 1)",
        "--no-check",
        "--json",
    ];
    let asked = run_with(asked, "").json();
    assert_eq!((&asked["digest"], &asked["position"]["value"]), (&memory["digest"], &json!([50, 50])));
    let hosts = folder.write("hosts", "key 0123456789abcdef\n127.0.0.1:7101\n127.0.0.1\n");
    for (options, why) in [
        (format!("--engine layered --processes 2 --process 0 --hosts {hosts}"), "line 3 of the host file"),
        (format!("--engine layered --processes 2 --process 2 --hosts {hosts}"), "counted from 0"),
        ("--engine layered --workers 20".to_owned(), "20 workers for 16 parts"),
        (format!("--engine layered --parts 4 --store {store}"), "belongs to another game"),
        ("--engine symbolic --workers 2".to_owned(), "only the layered engine"),
    ] {
        refused(&run(&format!("game solve {game} {options}")), &[why]);
    }
}

/// A process that is killed ends the run of the others, and all go on from the last whole layer.
#[test]
fn processes_that_are_killed_lose_nothing() {
    let game = "examples/games/connect-four-4x4.kif";
    let digest = solve(game, "--engine layered --no-check")["digest"].clone();
    let folder = Folder::new("killed-processes");
    let ports: Vec<_> =
        (0..2).map(|_| std::net::TcpListener::bind("127.0.0.1:0").expect("a free port")).collect();
    let lines: Vec<String> =
        ports.iter().map(|port| port.local_addr().expect("an address").to_string()).collect();
    drop(ports);
    let hosts = folder.write("hosts", format!("key 0123456789abcdef\n{}\n", lines.join("\n")));
    let begin = |own: usize, round: usize| {
        let store = folder.path(&format!("layers-{round}-{own}"));
        let line = format!(
            "game solve {game} --engine layered --processes 2 --process {own} --hosts {hosts} --store {store} --json --no-check"
        );
        common::start(line.split_whitespace())
    };
    for (round, milliseconds) in [0, 60, 200].into_iter().enumerate() {
        let (one, mut other) = (begin(0, round), begin(1, round));
        let started = std::time::Instant::now();
        let is_begun = || {
            fs::read_dir(folder.path(&format!("layers-{round}-0")))
                .is_ok_and(|mut files| files.next().is_some())
        };
        while !is_begun() && started.elapsed().as_secs() < 50 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        other.kill().expect("it is ours");
        other.wait().expect("it has ended");
        let outcome = common::finish(one);
        // It may have been faster.
        assert!(matches!(outcome.code, Some(0 | 3)), "{outcome:?}");
        assert!(!outcome.stderr.contains("internal error"), "{outcome:?}");
        for outcome in [begin(0, round), begin(1, round)].map(common::finish) {
            assert_eq!(outcome.json()["digest"], digest, "{outcome:?}");
        }
    }
}
