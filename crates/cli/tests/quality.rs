//! Plans that need not be optimal, and what is told about them.

mod common;

use std::fs;

use common::{Folder, hard_problem, run};

#[test]
fn any_plan_is_a_plan() {
    let folder = Folder::new("quality-any");
    let (domain, problem) = hard_problem(&folder);
    let file = folder.path("any.plan");
    let outcome =
        run(&format!("solve {domain} {problem} --quality any --json --time-limit 120s --plan-file {file}"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(
        (&answer["verdict"], &answer["evidence"]["kind"]),
        (&"solved".into(), &"proved".into()),
        "{answer}"
    );
    assert_eq!(answer["upper_bound"], answer["cost"]);
    assert!(answer["lower_bound"].as_f64() <= answer["cost"].as_f64());
    assert_eq!(run(&format!("check {domain} {problem} {file}")).code, Some(0));
}

/// A run that is stopped has a plan, both bounds, and plans that get better and better.
#[test]
fn every_mode_reports_what_it_has() {
    let folder = Folder::new("quality-stopped");
    let (domain, problem) = hard_problem(&folder);
    let file = folder.path("plan");
    for (quality, code, verdict) in [("improve", 0, "solved"), ("optimal", 3, "stopped")] {
        let outcome = run(&format!(
            "solve {domain} {problem} --quality {quality} --json --cpu-limit 10s --plan-file {file}"
        ));
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        let answer = outcome.json();
        assert_eq!((&answer["verdict"], &answer["optimal"]), (&verdict.into(), &false.into()), "{answer}");
        assert_eq!(answer["limit"], "cpu");
        let (lower, upper) =
            (answer["lower_bound"].as_f64().unwrap(), answer["upper_bound"].as_f64().unwrap());
        assert!(0.0 < lower && lower < upper, "{answer}");
        let costs: Vec<f64> =
            answer["plans"].as_array().unwrap().iter().map(|plan| plan["cost"].as_f64().unwrap()).collect();
        assert!(costs.windows(2).all(|pair| pair[1] < pair[0]) && costs.last() == Some(&upper), "{answer}");
        assert_eq!(run(&format!("check {domain} {problem} {file}")).code, Some(0));
    }
}

#[test]
fn the_competition_call_writes_its_file() {
    let folder = Folder::new("quality-plan");
    let (file, stale) = (folder.path("sas_plan"), folder.path("sas_plan.1"));
    fs::write(&file, "(an old plan)").unwrap();
    fs::write(&stale, "(an old plan)").unwrap();
    let blocks = "examples/blocks/domain.pddl examples/blocks/p03.pddl";
    let outcome = run(&format!("plan {blocks} {file} --quality improve"));
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), outcome.stdout);
    assert!(!fs::read_to_string(&stale).unwrap_or_default().contains("old"));
    assert_eq!(run(&format!("check {blocks} {file}")).code, Some(0));
}

#[test]
fn without_a_plan_an_empty_file_stays_and_an_old_plan_goes() {
    let folder = Folder::new("quality-no-plan");
    let (reserved, old) = (folder.path("reserved"), folder.path("old"));
    fs::write(&reserved, "").unwrap();
    fs::write(&old, "(an old plan)").unwrap();
    let (domain, problem) = (folder.path("domain.pddl"), folder.path("problem.pddl"));
    fs::write(&domain, "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))").unwrap();
    fs::write(&problem, "(define (problem x) (:domain d) (:init) (:goal (q)))").unwrap();
    for file in [&reserved, &old] {
        assert_eq!(run(&format!("solve {domain} {problem} --plan-file {file}")).code, Some(1));
    }
    assert_eq!(fs::read_to_string(&reserved).unwrap(), "");
    assert!(!fs::exists(&old).unwrap());
}

#[test]
fn exit_codes_of_another_scheme() {
    let folder = Folder::new("quality-codes");
    let (domain, problem) = hard_problem(&folder);
    let code = |arguments: &str| run(&format!("{arguments} --exit-codes downward")).code;
    assert_eq!(code("solve examples/blocks/domain.pddl examples/blocks/p03.pddl"), Some(0));
    assert_eq!(code(&format!("solve {domain} {problem} --cpu-limit 12s")), Some(2));
    assert_eq!(code(&format!("solve {domain} {problem} --search dijkstra --quality any")), Some(33));
    assert_eq!(code("solve examples/blocks/domain.pddl no-such-file.pddl"), Some(31));
}

/// A walk on a board of three by three squares, one step at a time in four directions.
fn board(folder: &Folder) -> (String, String) {
    let domain = "(define (domain board) (:requirements :strips :typing) (:types place)
        (:predicates (at ?x ?y - place) (next ?a ?b - place))
        (:action right :parameters (?x ?y ?z - place) :precondition (and (at ?x ?y) (next ?x ?z))
         :effect (and (not (at ?x ?y)) (at ?z ?y)))
        (:action left :parameters (?x ?y ?z - place) :precondition (and (at ?x ?y) (next ?z ?x))
         :effect (and (not (at ?x ?y)) (at ?z ?y)))
        (:action up :parameters (?x ?y ?z - place) :precondition (and (at ?x ?y) (next ?y ?z))
         :effect (and (not (at ?x ?y)) (at ?x ?z)))
        (:action down :parameters (?x ?y ?z - place) :precondition (and (at ?x ?y) (next ?z ?y))
         :effect (and (not (at ?x ?y)) (at ?x ?z))))";
    let problem = "(define (problem corner) (:domain board) (:objects a b c - place)
        (:init (at a a) (next a b) (next b c)) (:goal (at c c)))";
    (folder.write("board.pddl", domain), folder.write("corner.pddl", problem))
}

/// Six shortest ways lead from corner to corner. Of length six there are more: walks of the board's adjacency matrix.
#[test]
fn several_plans_come_in_the_order_of_their_cost() {
    let folder = Folder::new("quality-several");
    let (domain, problem) = board(&folder);
    let file = folder.path("plan");
    let solve = |options: &str| run(&format!("solve {domain} {problem} --json {options}"));
    let costs = |answer: &serde_json::Value| -> Vec<u64> {
        answer["plans"].as_array().unwrap().iter().map(|plan| plan["cost"].as_u64().unwrap()).collect()
    };
    let optimal = solve(&format!("--plans all-optimal --plan-file {file}"));
    assert_eq!(optimal.code, Some(0), "{optimal:?}");
    let answer = optimal.json();
    assert_eq!((costs(&answer), &answer["count"]), (vec![4; 6], &"6".into()), "{answer}");
    for number in 1..=6 {
        assert_eq!(run(&format!("check {domain} {problem} {file}.{number}")).code, Some(0));
    }
    assert_eq!(costs(&solve("--plans 8").json()), [4, 4, 4, 4, 4, 4, 6, 6]);
    let within = solve("--within 1.5").json();
    let counted = solve("--within 1.5 --count").json();
    assert_eq!(counted["count"], within["count"]);
    assert_eq!(counted["count"], within["plans"].as_array().unwrap().len().to_string());
    // A step names the square that it leaves: no way has the steps of another one.
    assert_eq!(costs(&solve("--plans all-optimal --unordered").json()).len(), 6);
    let loopless = costs(&solve("--within 2 --loopless").json());
    // Self-avoiding walks between opposite corners of the board: 6 of length 4, 4 of length 6, 2 of length 8.
    assert_eq!(loopless, [4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8]);
    for misfit in ["--count", "--loopless", "--plans 3 --count", "--plans 3 --quality any", "--plans 0"] {
        assert_eq!(solve(misfit).code, Some(2), "{misfit}");
    }
}
