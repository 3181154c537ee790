//! Every bundled example, solved by every search, checked, and compared with its known cost.

mod common;

use common::{Example, Folder, examples, run};

/// Solves an example and compares verdict, cost and exit code with what is known.
fn solve(example: &Example, options: &str) {
    let Example { domain, problem, optimal } = example;
    let outcome = run(&format!("solve {domain} {problem} --json {options}"));
    let answer = outcome.json();
    let what = format!("{problem} {options}: {outcome:?}");
    match optimal {
        Some(cost) => {
            assert_eq!(answer["verdict"], "solved", "{what}");
            assert_eq!(answer["cost"].as_f64(), Some(*cost), "{what}");
            assert_eq!(answer["optimal"], true, "{what}");
            assert_eq!(outcome.code, Some(0), "{what}");
        }
        None => {
            assert_eq!(answer["verdict"], "unsolvable", "{what}");
            assert_eq!(outcome.code, Some(1), "{what}");
        }
    }
}

/// Agreement between searches says something only if each of them is what ran.
#[test]
fn each_symbolic_search_is_what_runs() {
    for (options, words) in [
        ("--search bfs", ["breadth-first", "bidirectional"]),
        ("--search dijkstra --direction forward", ["Dijkstra", "forward"]),
        ("--search dijkstra --direction backward", ["Dijkstra", "backward"]),
        ("--search dijkstra", ["Dijkstra", "bidirectional"]),
        ("--search astar", ["A*", "symbolic"]),
    ] {
        let search = &search_of(options);
        let ran = search["ran"].as_str().unwrap_or_default();
        assert!(words.iter().all(|word| ran.contains(word)), "{options}: {search}");
        assert!(search["peak_nodes"].as_u64() > Some(0), "{options}: {search}");
    }
}

#[test]
fn the_explicit_search_is_what_runs() {
    for options in ["--search explicit", "--heuristic blind"] {
        let search = &search_of(options);
        assert!(search["expanded"].as_u64() > Some(0), "{options}: {search}");
        assert_eq!(search["peak_nodes"], 0, "no decision diagrams: {options}: {search}");
    }
}

fn search_of(options: &str) -> serde_json::Value {
    run(&format!("solve examples/blocks/domain.pddl examples/blocks/p07.pddl --json {options}")).json()["search"].clone()
}

#[test]
fn auto_finds_the_known_costs() {
    for example in examples() {
        solve(&example, "");
    }
}

#[test]
fn dijkstra_finds_the_known_costs_in_every_direction() {
    for example in examples() {
        for direction in ["forward", "backward", "both"] {
            solve(&example, &format!("--search dijkstra --direction {direction}"));
        }
    }
}

#[test]
fn bfs_finds_the_known_costs_in_every_direction_and_refuses_other_costs() {
    for example in examples() {
        for direction in ["forward", "backward", "both"] {
            let options = format!("--search bfs --direction {direction}");
            let general = ["trail/", "desert/costs", "sokoban/p01", "sokoban/p03"];
            if general.iter().any(|part| example.problem.contains(part)) {
                let outcome = run(&format!("solve {} {} {options}", example.domain, example.problem));
                assert_eq!(outcome.code, Some(2), "{outcome:?}");
                assert!(outcome.stderr.contains("differ in cost"), "{outcome:?}");
            } else {
                solve(&example, &options);
            }
        }
    }
}

#[test]
fn astar_finds_the_known_costs() {
    for example in examples() {
        solve(&example, "--search astar");
    }
}

#[test]
fn explicit_search_finds_the_known_costs() {
    for example in examples() {
        solve(&example, "--search explicit --heuristic blind");
        solve(&example, "--search explicit --heuristic lmcut");
    }
}

#[test]
fn a_written_plan_passes_the_check_and_a_changed_one_does_not() {
    let folder = Folder::new("written-plan");
    for Example { domain, problem, optimal } in examples() {
        let plan = folder.write("plan", "an old plan");
        let outcome = run(&format!("solve {domain} {problem} --plan-file {plan}"));
        let written = std::fs::read_to_string(&plan);
        if optimal.is_none() {
            assert!(written.is_err(), "an old plan must not pass for an answer");
            continue;
        }
        let written = written.expect("the plan was written");
        assert_eq!(outcome.stdout, written);
        let checked = run(&format!("check {domain} {problem} {plan}"));
        assert_eq!(checked.code, Some(0), "{problem}: {checked:?}");

        // Every step of an optimal plan is needed.
        let (_, shorter) = written.split_once('\n').expect("there is a step");
        let changed = folder.write("changed", shorter);
        let checked = run(&format!("check {domain} {problem} {changed}"));
        assert_eq!(checked.code, Some(1), "{problem}: {checked:?}");
    }
}

#[test]
fn the_grounded_file_has_the_same_answer() {
    let folder = Folder::new("grounded");
    for Example { domain, problem, optimal } in examples() {
        if problem.contains("trail/p02") {
            // The format knows whole costs only, so the file counts in half hours.
            continue;
        }
        let file = folder.path("output.sas");
        let outcome = run(&format!("ground {domain} {problem} --output {file}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        let answer = run(&format!("solve {file} --json")).json();
        assert_eq!(answer["cost"].as_f64(), optimal, "{problem}: {answer}");
    }
}
