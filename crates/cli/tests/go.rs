//! Go from outside: the contract, pictures, GTP, bad input.

mod common;

use common::{Folder, run, run_with};
use serde_json::Value;

const SIX: &str = "examples/go/rabbity-six.sgf";

fn answer(line: &str) -> Value {
    let outcome = run(line);
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{outcome:?}"))
}

#[test]
fn the_contract_is_kept() {
    for search in ["auto", "dfpn"] {
        let found = answer(&format!("go solve {SIX} --json --search {search}"));
        assert_eq!(found["verdict"], "solved", "{found}");
        assert_eq!(found["move"], "D6");
        assert_eq!(found["result"], "clean");
        assert_eq!(found["status"], "dead");
        assert_eq!(found["checked"], true);
        assert_eq!(found["evidence"]["kind"], "proved", "{found}");
        assert!(found["moves_tried"].as_u64().unwrap() > 0 && found["tree"].as_u64().unwrap() > 1);
    }
    let found = answer(&format!("go solve {SIX} --json"));
    assert_eq!(found["tier"], "plan");
    assert!(found["cycles"].as_u64().unwrap() > 0);
    assert!(!found["why"].as_array().unwrap().is_empty());
    let saved = answer("go solve examples/go/straight-three.sgf --json");
    assert_eq!(
        (&saved["move"], &saved["status"], &saved["goal"]),
        (&"B7".into(), &"alive".into(), &"save".into())
    );
}

/// A plan that does not answer every reply was once called solved.
#[test]
fn a_plan_from_knowledge_is_not_called_solved() {
    let outcome = run(&format!("go solve {SIX} --json --search plan"));
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let found: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&found["verdict"], &found["tier"]), (&"stopped".into(), &"knowledge".into()));
    assert_eq!((&found["evidence"]["kind"], &found["move"]), (&"planned".into(), &"D6".into()));
    let words = run(&format!("go solve {SIX} --search plan")).stdout;
    assert!(words.contains("D6 (planned by adversarial planning"), "{words}");
}

#[test]
fn people_get_a_diagram_and_files() {
    let folder = Folder::new("go-files");
    let (tree, board, picture) = (folder.path("t.sgf"), folder.path("b.svg"), folder.path("t.svg"));
    let outcome = run(&format!("go solve {SIX} --tree {tree} --svg {board} --tree-svg {picture}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("D6 (proved by adversarial planning, checked by"), "{}", outcome.stdout);
    let written = std::fs::read_to_string(&tree).unwrap();
    assert!(written.starts_with("(;FF[4]") && written.contains(";B[db]TE[1]"), "{written}");
    // The tree is a problem again, with the answer as its solution.
    let again = answer(&format!("go solve {tree} --json"));
    assert_eq!(again["move"], "D6");
    for file in [board, picture] {
        assert!(std::fs::read_to_string(file).unwrap().contains("</svg>"));
    }
}

#[test]
fn gtp_runs_until_quit() {
    let outcome = run_with(["go", "gtp"], "1 name\nboardsize 9\nnonsense\nplay b E5\n2 quit\n3 name\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.stdout, "=1 Counterplay\n\n= \n\n? unknown command\n\n= \n\n=2 \n\n");
}

#[test]
fn latin_text_and_the_rule_about_suicide_are_understood() {
    let folder = Folder::new("go-latin");
    let mut bytes = b"(;CA[ISO-8859-1]SZ[7]GN[M\xfcller]PL[B]".to_vec();
    bytes.extend(b"AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])");
    let file = folder.write("latin.sgf", bytes);
    let board = folder.path("latin.svg");
    let outcome = run(&format!("go solve {file} --svg {board}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(std::fs::read_to_string(&board).unwrap().contains("Müller"));
    for rule in ["forbidden", "several"] {
        let found = answer(&format!("go solve {file} --suicide {rule} --json"));
        assert_eq!((&found["move"], &found["checked"]), (&"B7".into(), &true.into()), "{rule}");
    }
    assert_eq!(run(&format!("go solve {file} --suicide sometimes")).code, Some(2));
}

#[test]
fn bad_input_is_told() {
    let folder = Folder::new("go-bad");
    let cases = [
        ("(;SZ[9]PL[B]AB[aa]AW[aa]MA[aa])", "both colours are set up on A9"),
        ("(;SZ[9]PL[B]AB[ee])", "no stone is marked as the target"),
        ("(;SZ[30]PL[B])", "30 x 30"),
        ("not sgf", "not an SGF file"),
        ("(;SZ[9]PL[B]AB[ee]MA[ee];W[aa])", "the first move is White's"),
        ("(;SZ[9]PL[B]AW[aa]AB[ab][ba]MA[ab])", "no liberty"),
        ("(;SZ[9]PL[B](;B[aa]", "not an SGF file"),
    ];
    for (text, reason) in cases {
        let file = folder.write("bad.sgf", text);
        let outcome = run(&format!("go solve {file} --json"));
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
    }
    assert_eq!(run(&format!("go solve {SIX} --game 2")).code, Some(2));
    assert_eq!(run(&format!("go solve {SIX} --target D7")).code, Some(2));
    assert_eq!(run(&format!("go solve {SIX} --target D4")).code, Some(0));
}
