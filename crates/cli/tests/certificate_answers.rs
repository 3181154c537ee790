//! Proofs of games as files: whatever is given, `counterplay check` finds out what it is, and refuses what is damaged with place and reason.

mod common;

use std::fs;
use std::path::Path;

use common::{Folder, root, run};

/// Damages a file in several ways; each is refused with exit code 1 and the reason.
fn refuses(call: &str, path: &str, damages: &[(&str, &str, &str)]) {
    let whole = fs::read_to_string(path).expect("it was written");
    for &(from, to, why) in damages {
        let damaged = match from {
            "" => whole[..whole.len() / 2].to_owned(),
            _ => whole.replacen(from, to, 1),
        };
        assert_ne!(damaged, whole, "{from}");
        fs::write(path, damaged).expect("room");
        let outcome = run(call);
        let is_told = outcome.stdout.starts_with("invalid: ") && outcome.stdout.contains(why);
        assert!(outcome.code == Some(1) && is_told, "{from} -> {to}: {outcome:?}");
    }
    fs::write(path, whole).expect("room");
    assert_eq!(run(call).code, Some(0));
}

#[test]
fn archives_are_checked_on_all_positions() {
    let folder = Folder::new("check-archive");
    let game = "examples/games/connect-four-4x4.kif";
    for (search, damaged) in [("symbolic", "solved-00008.layer"), ("layered", "values-0008-0000")] {
        let store = folder.path(search);
        let solved =
            run(&format!("game solve {game} --search {search} --store {store} --no-check --json")).json();
        let outcome = run(&format!("check {game} {store} --json"));
        let checked = outcome.json();
        assert!(outcome.code == Some(0) && checked["valid"] == true, "{checked}");
        assert_eq!(checked["value"], solved["value"], "{checked}");
        assert_eq!(checked["positions"], solved["states"], "{checked}");
        // Alone it says what is missing; beside other rules it belongs to another game.
        assert_eq!(run(&format!("check {store}")).code, Some(2));
        let outcome = run(&format!("check examples/games/connect-four-5x4.kif {store}"));
        assert!(outcome.code != Some(0), "{outcome:?}");
        // It is stopped, and goes on from its file of progress.
        let progress = folder.path(&format!("{search}.json"));
        let stopped = run(&format!(
            "check {game} {store} --progress {progress} --memory-limit 200M --cpu-limit 1s --json"
        ));
        assert!(matches!(stopped.code, Some(0 | 3)), "{stopped:?}");
        if Path::new(&progress).exists() {
            let again = run(&format!("check {game} {store} --progress {progress} --json"));
            let whole = again.json();
            assert!(
                again.code == Some(0) && whole["resumed"].as_u64().is_some_and(|done| done > 0),
                "{whole}"
            );
            assert_eq!(whole["positions"], checked["positions"], "{whole}");
        }
        // A file of progress of another kind is not taken for one.
        assert_eq!(run(&format!("check {game} {store} --progress {store}/{damaged}")).code, Some(2));
        // A flipped byte, a file cut short, a file that is gone, a layer in the place of another.
        let path = format!("{store}/{damaged}");
        let whole = fs::read(&path).expect("it was written");
        let mut flipped = whole.clone();
        let middle = flipped.len() / 2;
        // Within the content: after the head of the file, and before what is said at its end.
        let content = flipped.iter().position(|&byte| byte == b'\n').expect("there is a head") + 60;
        flipped[content] ^= 4;
        let other = fs::read(path.replace("0008", "0009")).expect("there is a next layer");
        for bytes in [Some(flipped), Some(whole[..middle].to_vec()), Some(other), None] {
            match bytes {
                Some(bytes) => fs::write(&path, bytes).expect("room"),
                None => fs::remove_file(&path).expect("it is there"),
            }
            let outcome = run(&format!("check {game} {store}"));
            let is_told = outcome.stdout.starts_with("invalid: ") && outcome.stdout.contains("0008");
            assert!(outcome.code == Some(1) && is_told, "{search}: {outcome:?}");
        }
    }
    // Where play could come back, one step proves nothing.
    let store = folder.path("chomp");
    let game = "examples/games/chomp.kif";
    assert_eq!(run(&format!("game solve {game} --search symbolic --store {store}")).code, Some(0));
    let outcome = run(&format!("check {game} {store}"));
    assert!(outcome.code == Some(2) && outcome.stderr.contains("nothing keeps the layers"), "{outcome:?}");
    assert_eq!(run(&format!("check {game} examples/games")).code, Some(2));
}

/// The example of `docs/certificates.md` is what is printed, whatever the archive is made of.
#[test]
fn an_archive_can_be_verified_by_hand() {
    let folder = Folder::new("list-archive");
    let game = "examples/games/three-matches.kif";
    let page = fs::read_to_string(root().join("docs/certificates.md")).expect("it is there");
    for search in ["layered", "symbolic"] {
        let store = folder.path(search);
        assert_eq!(run(&format!("game solve {game} --search {search} --store {store}")).code, Some(0));
        let outcome = run(&format!("check {game} {store} --list"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        // Entries have an order of their own within a layer.
        let mut lines: Vec<&str> = outcome.stdout.lines().collect();
        lines[..6].sort_unstable();
        let listing = format!("```text\n{}\n```", lines.join("\n"));
        assert!(page.contains(&listing), "{listing}");
        assert_eq!(run(&format!("check {game} {store} --list --json")).code, Some(2));
    }
}

#[test]
fn proofs_of_kriegspiel_are_followed() {
    let folder = Folder::new("check-kriegspiel");
    let (problems, proofs) = ("examples/kriegspiel/problems.jsonl", folder.path("proofs"));
    assert_eq!(run(&format!("kriegspiel solve {problems} --certificate {proofs}")).code, Some(0));
    for (file, claim) in [("1.txt", "mate"), ("2.txt", "mate"), ("3.txt", "no-mate")] {
        let outcome = run(&format!("check {proofs}/{file} --json"));
        assert!(outcome.code == Some(0) && outcome.json()["claim"] == claim, "{outcome:?}");
        assert_eq!(run(&format!("check {problems} {proofs}/{file}")).code, Some(0));
    }
    let mate = format!("{proofs}/1.txt");
    refuses(
        &format!("check {mate}"),
        &mate,
        &[
            ("plies 3", "plies 1", "line "),
            ("plies 3", "plies 4", "line 3: "),
            ("claim mate", "claim no-mate", "line 8: "),
            ("node 1 after 0 ", "node 1 after 1 ", "line 9: there is no node `1` above"),
            ("node 1 after 0 ", "node 2 after 0 ", "line 9: nodes are numbered"),
            ("node 1 after 0 heard short", "node 1 after 0 heard long", "nothing is said for that"),
            (
                "node 4 after 0 heard a3+short reply nothing",
                "node 4 after 0 heard a3 reply b2",
                "another node",
            ),
            ("try a3c3", "try a3a2", "line "),
            ("start 0 1 2", "start 0 1 3", "line 7: there is no position `3`"),
            ("position 1 1k1b", "position 1 1k2k1b", "line 5: "),
            ("end\n", "", "the file ends before `end`"),
            ("", "", "line "),
        ],
    );
    // Fewer positions than the problem has are another problem.
    refuses(
        &format!("check {problems} {mate}"),
        &mate,
        &[("start 0 1 2", "start 0 1", "none of the problems")],
    );
    let none = format!("{proofs}/3.txt");
    let text = fs::read_to_string(&none).expect("it was written");
    let first =
        text.lines().find(|line| line.starts_with("refute ")).expect("there is a try").to_owned() + "\n";
    refuses(
        &format!("check {none}"),
        &none,
        &[
            (&first, "", "nothing is said against"),
            ("plies 3", "plies 5", "line "),
            ("claim no-mate", "claim mate", "line "),
            ("node 0 plies 3 positions ", "node 0 plies 1 positions ", "line "),
            ("", "", "line "),
        ],
    );
    // A tree that is deeper than any game is no reason to overflow.
    let mut deep = "counterplay kriegspiel 1\nclaim mate\nplies 3\nposition 0 4/p3/1PBk/QK1n w - - 0 1\nstart 0\nnode 0 try a1a3\n".to_owned();
    for node in 1..100_000 {
        deep += &format!("node {node} after {} illegal try a1a3\n", node - 1);
    }
    let path = folder.write("deep.txt", &(deep + "end\n"));
    let outcome = run(&format!("check {path}"));
    assert!(outcome.code == Some(1) && outcome.stdout.contains("deeper"), "{outcome:?}");
}

#[test]
fn proofs_of_go_are_replayed() {
    let folder = Folder::new("check-go");
    let (problem, proof) = ("examples/go/rabbity-six.sgf", folder.path("proof.sgf"));
    assert_eq!(run(&format!("go solve {problem} --certificate {proof}")).code, Some(0));
    let outcome = run(&format!("check {problem} {proof} --json"));
    assert!(outcome.code == Some(0) && outcome.json()["result"] == "clean", "{outcome:?}");
    assert_eq!(run(&format!("check examples/go/straight-three.sgf {proof}")).code, Some(1));
    // Two runs write the same bytes: nothing depends on the order of a hash table.
    let (again, trees) = (folder.path("again.sgf"), [folder.path("a.sgf"), folder.path("b.sgf")]);
    for (proof, tree) in [(&proof, &trees[0]), (&again, &trees[1])] {
        assert_eq!(run(&format!("go solve {problem} --certificate {proof} --tree {tree}")).code, Some(0));
    }
    assert!(fs::read(&proof).expect("it was written") == fs::read(&again).expect("it was written"));
    assert!(fs::read(&trees[0]).expect("it was written") == fs::read(&trees[1]).expect("it was written"));
    refuses(
        &format!("check {proof}"),
        &proof,
        &[
            ("result clean", "result ko", "does not follow"),
            ("result clean", "result none", "does not follow"),
            ("result clean", "result best", "game 1"),
            ("claim attacker defender", "claim defender attacker", "does not follow"),
            ("claim attacker defender", "claim attacker attacker", "does not follow"),
            ("PL[B]", "PL[W]", ""),
            ("SL[", "SQ[", "region"),
            ("", "", ""),
        ],
    );
    // A problem is no proof.
    assert_eq!(run(&format!("check {problem}")).code, Some(2));
}

/// The example of `docs/certificates.md` is what is written.
#[test]
fn strategies_for_a_suit_are_replayed() {
    let folder = Folder::new("check-suit");
    let file = folder.path("finesse.txt");
    assert_eq!(run(&format!("bridge suit AQ 32 --tricks 2 --certificate {file}")).code, Some(0));
    let text = fs::read_to_string(&file).expect("it was written");
    let page = fs::read_to_string(root().join("docs/certificates.md")).expect("it is there");
    assert!(page.contains(&format!("```text\n{text}```")), "{text}");
    let outcome = run(&format!("check {file} --json"));
    let checked = outcome.json();
    assert!(outcome.code == Some(0) && checked["valid"] == true, "{checked}");
    let claim = &checked["claims"][0];
    assert!(claim["tricks"] == 2 && claim["chance"] == "1/2" && claim["percent"] == 50.0, "{checked}");
    assert!(claim["situations"] == 5 && claim["layouts"] == 256, "{checked}");
    refuses(
        &format!("check {file}"),
        &file,
        &[
            ("chance 1/2", "chance 3/4", "line 6: the layouts below have a chance of 1/2"),
            ("tricks 2", "tricks 3", "line 7: with west K and east JT987654, 2 tricks are taken"),
            ("win 1 0-8", "win 1 0-12", "line 7: "),
            ("J:Q", "J:A", "line 7: with west "),
            ("J:Q", "J:K", "line 8: "),
            ("lead 2", "lead 9", "line 8: the 9 is not held"),
            (
                "at A 3 west J east out won 1 lead A\n",
                "",
                "nothing is said for `at A 3 west J east out won 1`",
            ),
            ("end\n", "", "line 13: the file ends"),
            ("counterplay suit 1", "counterplay suit 7", "line 1: "),
            ("", "", "line "),
        ],
    );
    // It stands alone; a number of tricks that is left out makes several strategies; a limit leaves none behind.
    assert_eq!(run(&format!("check examples/games/chomp.kif {file}")).code, Some(2));
    let solved = run(&format!("bridge suit KJ74 A2 --certificate {file} --json")).json();
    let checked = run(&format!("check {file} --json")).json();
    let percents = |list: &serde_json::Value| -> Vec<f64> {
        list.as_array().into_iter().flatten().filter_map(|one| one["percent"].as_f64()).collect()
    };
    assert!(checked["valid"] == true && percents(&solved["answers"]).len() > 1, "{checked}");
    assert_eq!(percents(&solved["answers"]), percents(&checked["claims"]));
    let outcome = run(&format!("bridge suit KJ74 A2 --certificate {file} --time-limit 0s"));
    assert!(outcome.code == Some(3) && !Path::new(&file).exists(), "{outcome:?}");
    assert_eq!(run(&format!("bridge suit KJ74 A2 --certificate {}", folder.path("no/such"))).code, Some(2));
}

/// The case of a Go position whose region once left out an outside liberty: its wrong first move proves nothing.
#[test]
fn a_wrong_first_move_of_go_is_refused() {
    let folder = Folder::new("check-go-false");
    let (problem, proof) = ("examples/go/rabbity-six.sgf", folder.path("proof.sgf"));
    assert_eq!(run(&format!("go solve {problem} --certificate {proof}")).code, Some(0));
    let text = fs::read_to_string(&proof).expect("it was written");
    let start = text.find(";B[").expect("Black moves first");
    let right = &text[start..start + 6];
    for at in ["ca", "ba", "da", "ea", "cb", "db", "cc", "dd"] {
        let wrong = format!(";B[{at}]");
        if wrong == right {
            continue;
        }
        fs::write(&proof, text.replacen(right, &wrong, 1)).expect("room");
        let outcome = run(&format!("check {proof}"));
        assert_eq!(outcome.code, Some(1), "{at}: {outcome:?}");
    }
    let trap = root().join("../shared/data/traps/outside-liberty.sgf");
    if !trap.exists() {
        println!("skipped: ../shared/data is not there");
        return;
    }
    // Nothing is proved there, so that no file is written.
    let outcome = run(&format!("go solve {} --certificate {proof}", trap.display()));
    let is_checked = Path::new(&proof).exists() && run(&format!("check {proof}")).code == Some(0);
    assert!(!Path::new(&proof).exists() || is_checked, "{outcome:?}");
}

/// What the false proofs of earlier versions would have had to write.
#[test]
fn false_proofs_have_no_certificate_that_passes() {
    let folder = Folder::new("check-false");
    // Two disjuncts of a precondition become one: an action was lost, and "no policy" was claimed.
    let domain = folder.write(
        "or-domain.pddl",
        "(define (domain d) (:requirements :disjunctive-preconditions :non-deterministic :negative-preconditions)
           (:predicates (p) (q) (z) (done))
           (:action a :parameters () :precondition (or (p) (q)) :effect (oneof (and) (done)))
           (:action b :parameters () :precondition (z) :effect (and (not (p)) (not (q)))))",
    );
    let problem = folder.write("or.pddl", "(define (problem x) (:domain d) (:init (p) (q)) (:goal (done)))");
    for claim in ["no-weak", "no-strong-cyclic"] {
        let text = format!("counterplay certificate 1\nclaim {claim}\nabout states\nstate 0 (p) (q)\nend\n");
        let path = folder.write("none.txt", &text);
        let outcome = run(&format!("check {domain} {problem} {path}"));
        assert!(outcome.code == Some(1) && outcome.stdout.contains("line 4"), "{claim}: {outcome:?}");
    }
    // That there is no strong policy is true, and passes.
    let text = "counterplay certificate 1\nclaim no-strong\nabout states\nstate 0 (p) (q)\nend\n";
    let path = folder.write("none.txt", text);
    assert_eq!(run(&format!("check {domain} {problem} {path}")).code, Some(0));
    // Ordered methods inside an unordered network were not interleaved, and "no plan" was claimed.
    let domain = folder.write(
        "interleave-domain.hddl",
        "(define (domain d) (:requirements :hierarchy) (:predicates (p) (q)) (:task ta :parameters ()) (:task tb :parameters ())
           (:method ma :parameters () :task (ta) :ordered-subtasks (and (a1) (a2)))
           (:method mb :parameters () :task (tb) :ordered-subtasks (and (b1)))
           (:action a1 :parameters () :effect (p)) (:action a2 :parameters () :precondition (q))
           (:action b1 :parameters () :precondition (p) :effect (q)))",
    );
    let problem = folder.write(
        "interleave.hddl",
        "(define (problem x) (:domain d) (:htn :subtasks (and (x1 (ta)) (x2 (tb)))) (:init))",
    );
    let head = "counterplay certificate 1\nclaim no-weak\nabout situations\nfacts\nfacts (p)\n";
    for nodes in [
        "situation 0 0 | (ta) | (tb)\n",
        "situation 0 0 | (ta) | (tb)\nsituation 0 0 | (a1) | (a2) after 0 | (tb)\nsituation 0 0 | (ta) | (b1)\n\
         situation 0 0 | (a1) | (a2) after 0 | (b1)\nsituation 0 1 | (a2) | (tb)\n",
    ] {
        let path = folder.write("none.txt", format!("{head}{nodes}end\n"));
        let outcome = run(&format!("check {domain} {problem} {path}"));
        assert!(outcome.code == Some(1) && outcome.stdout.starts_with("invalid: "), "{outcome:?}");
    }
    // A method that is tried first walks in circles, a later one would do: `nd` and `yoyo` claimed that there is no policy.
    let domain = folder.write(
        "circle-domain.hddl",
        "(define (domain rooms) (:requirements :hierarchy :non-deterministic) (:predicates (hall) (attic) (out) (windy))
           (:task leave :parameters ())
           (:method up :parameters () :task (leave) :precondition (hall) :ordered-subtasks (and (climb) (leave)))
           (:method down :parameters () :task (leave) :precondition (attic) :ordered-subtasks (and (descend) (leave)))
           (:method through :parameters () :task (leave) :precondition (hall) :ordered-subtasks (and (open) (leave)))
           (:method stay :parameters () :task (leave) :precondition (out) :ordered-subtasks ())
           (:action climb :parameters () :precondition (hall) :effect (and (not (hall)) (attic)))
           (:action descend :parameters () :precondition (attic)
             :effect (and (not (attic)) (hall) (oneof (windy) (not (windy)))))
           (:action open :parameters () :precondition (hall) :effect (and (not (hall)) (out))))",
    );
    let problem = folder.write(
        "circle.hddl",
        "(define (problem x) (:domain rooms) (:htn :ordered-subtasks (and (leave))) (:init (hall)) (:goal (out)))",
    );
    let circle = "facts (hall)\nfacts (attic)\nfacts (hall) (windy)\nfacts (attic) (windy)\n\
                  situation 0 0 | (leave)\nsituation 0 0 | (climb) | (leave) after 0\n\
                  situation 0 1 | (leave)\nsituation 0 1 | (descend) | (leave) after 0\n\
                  situation 0 2 | (leave)\nsituation 0 2 | (climb) | (leave) after 0\n\
                  situation 0 3 | (leave)\nsituation 0 3 | (descend) | (leave) after 0\n";
    let ways = "situation 0 0 | (open) | (leave) after 0\nsituation 0 2 | (open) | (leave) after 0\n";
    for claim in ["no-weak", "no-strong", "no-strong-cyclic"] {
        for nodes in [circle.to_owned(), format!("{circle}{ways}")] {
            let text = format!("counterplay certificate 1\nclaim {claim}\nabout situations\n{nodes}end\n");
            let path = folder.write("none.txt", text);
            let outcome = run(&format!("check {domain} {problem} {path}"));
            assert!(outcome.code == Some(1) && outcome.stdout.contains("line "), "{claim}: {outcome:?}");
        }
    }
    // Both find the way out today, and there is nothing that excludes it.
    for way in ["nd", "yoyo"] {
        let proof = folder.path(way);
        let outcome = run(&format!("solve {domain} {problem} --htn {way} --certificate {proof}"));
        let is_refused = outcome.code == Some(2) && outcome.stderr.contains("methods only advise");
        assert!(outcome.code == Some(0) || is_refused, "{way}: {outcome:?}");
        assert!(!Path::new(&format!("{proof}/none.txt")).exists(), "{way}");
        assert_eq!(run(&format!("solve {domain} {problem} --htn {way}")).code, Some(0), "{way}");
    }
    // Later roles saw the moves of earlier ones: matching pennies had a "value".
    let game = folder.write(
        "pennies.kif",
        "(role even) (role odd) (init start) (face heads) (face tails)
         (<= (legal ?p (show ?f)) (role ?p) (face ?f))
         (<= (next same) (does even (show ?f)) (does odd (show ?f)))
         (<= (next different) (not (next same)))
         (<= terminal (true same)) (<= terminal (true different))
         (<= (goal even 100) (true same)) (<= (goal even 0) (not (true same)))
         (<= (goal odd 100) (not (true same))) (<= (goal odd 0) (true same))",
    );
    for claim in ["role odd at-least 100", "role even at-most 0", "role even at-least 100"] {
        for face in ["heads", "tails"] {
            let text = format!("counterplay strategy 1\n{claim}\nplay (show {face}) : start\nend\n");
            let path = folder.write("strategy.txt", &text);
            let outcome = run(&format!("check {game} {path}"));
            assert!(outcome.code == Some(1) || outcome.code == Some(2), "{claim} {face}: {outcome:?}");
        }
    }
    // A coin that nobody sees was guessed: no strategy of whole positions is one for hidden moves.
    let game = folder.write(
        "coin.kif",
        "(role random) (role player) (init start) (side heads) (side tails)
         (<= (legal random (toss ?s)) (side ?s) (true start)) (<= (legal random noop) (not (true start)))
         (<= (legal player noop) (true start)) (<= (legal player (guess ?s)) (side ?s) (not (true start)))
         (<= (next (lies ?s)) (does random (toss ?s))) (<= (next (lies ?s)) (true (lies ?s)))
         (<= (next right) (true (lies ?s)) (does player (guess ?s))) (<= (next over) (does player (guess ?s)))
         (<= terminal (true over)) (<= (goal player 100) (true right)) (<= (goal player 0) (not (true right)))
         (<= (goal random 0) (role random))",
    );
    let text = "counterplay strategy 1\nrole player at-least 100\nplay (guess heads) : (lies heads)\n\
                play (guess tails) : (lies tails)\nend\n";
    let path = folder.write("strategy.txt", text);
    assert_ne!(run(&format!("check {game} {path}")).code, Some(0));
}
