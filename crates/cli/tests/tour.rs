//! The tour, and pictures of answers.

mod common;

use common::{run, run_with};

#[test]
fn the_tour_shows_one_problem_of_every_kind() {
    let outcome = run("tour");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    for kind in [
        "net benefit",
        "policy",
        "task networks",
        "strong solution",
        "contingency",
        "hidden cards",
        "mate",
        "noise",
    ] {
        assert!(outcome.stdout.contains(kind), "{kind}: {}", outcome.stdout);
    }
    // Answers are drawn in letters, and a match that looks lost is explained by figures that hold.
    for drawing in ["● ○ · ◆ · ○ ●", "DBS        ·", "✓ alive", "a second TitForTat gets 420"]
    {
        assert!(outcome.stdout.contains(drawing), "{drawing}: {}", outcome.stdout);
    }
    let twins = run("dilemma match TitForTat TitForTat --turns 200 --noise 0.1 --json").json();
    assert_eq!(twins["scores"][0], 420.0);
    let told = run("tour --json").json();
    assert_eq!(told["stops"].as_array().map(Vec::len), Some(9));
}

#[test]
fn every_answer_has_a_picture() {
    let commands = [
        "solve examples/blocks/domain.pddl examples/blocks/p03.pddl --json",
        "solve examples/net-benefit/desert/domain.pddl examples/net-benefit/desert/p01.pddl --json",
        "solve examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl --json",
        "solve examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl --json --graph",
        "solve examples/htn/errands/domain.hddl examples/htn/errands/both.hddl --json",
        "kriegspiel solve examples/kriegspiel/problems.jsonl --proof --json",
        "go solve examples/go/straight-three.sgf --whole --json",
        "bridge plan examples/bridge/figure5.pbn --samples 2 --json",
        "dilemma tournament --players TitForTat,Defector --turns 5 --repetitions 2 --json",
    ];
    for command in commands {
        let answer = run(command).stdout;
        let picture = run_with(["show", "-"], &answer);
        assert_eq!(picture.code, Some(0), "{command}: {picture:?}");
        assert!(
            picture.stdout.starts_with("<svg") && picture.stdout.trim_end().ends_with("</svg>"),
            "{command}"
        );
        assert!(picture.stdout.len() > 400, "{command}: there is something to see");
    }
}

#[test]
fn pictures_hold_what_matters() {
    // A proof goes on after a rejected try.
    let proof = r#"{"id": "two tries", "plies": 1, "proof": {"try": "a1a4", "illegal": {"try": "a1a3"}}}"#;
    let picture = run_with(["show", "-"], proof).stdout;
    assert!(picture.contains("if that is illegal") && picture.contains("a1a3"), "{picture}");
    // A policy's graph goes round in a circle where the floor is slippery.
    let files = "examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl";
    let answer = run(&format!("solve {files} --json --graph"));
    let graph = answer.json()["graph"].as_str().expect("a picture").to_owned();
    assert_eq!(run_with(["show", "-"], &answer.stdout).stdout.trim_end(), graph.trim_end());
}

#[test]
fn what_cannot_be_drawn_is_said() {
    for (text, expected) in [
        ("", "is empty"),
        ("{", "is not JSON"),
        ("{\"verdict\": \"unsolvable\"}", "nothing to draw"),
        ("[1]", "to draw"),
    ] {
        let outcome = run_with(["show", "-"], text);
        assert_eq!(outcome.code, Some(2));
        let expected = expected.trim_start_matches("nothing ");
        assert!(outcome.stderr.contains(expected), "{text}: {}", outcome.stderr);
    }
}
