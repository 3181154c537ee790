//! What may be wrong with actions whose outcomes nature picks, with policies, and with worlds that are acted in.

mod common;

use common::{Folder, Outcome, run};

const FILES: &str = "examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl";

/// Solves a problem with three atoms in which one action has this effect.
fn solve(name: &str, effect: &str, init: &str) -> Outcome {
    let folder = Folder::new(name);
    let domain = format!(
        "(define (domain d) (:requirements :adl :non-deterministic) (:predicates (p) (q) (r))\n(:action a :effect {effect}))"
    );
    let problem = format!("(define (problem x) (:domain d)\n(:init {init})\n(:goal (q)))");
    let (domain, problem) = (folder.write("d.pddl", domain), folder.write("p.pddl", problem));
    run(&format!("solve {domain} {problem}"))
}

/// Wants an exit code and these words among the messages.
fn expect(outcome: &Outcome, code: i32, words: &[&str]) {
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    for word in words {
        assert!(outcome.stderr.contains(word), "{word}: {}", outcome.stderr);
    }
}

#[test]
fn an_unknown_atom_in_an_outcome_is_named_with_its_place() {
    let effect = solve("unknown-outcome", "(oneof (nowhere) (q))", "(p)");
    expect(&effect, 2, &["unknown predicate `nowhere`", "d.pddl:2:"]);
    let init = solve("unknown-start", "(oneof (p) (q))", "(oneof (p) (nowhere))");
    expect(&init, 2, &["unknown predicate `nowhere`", "p.pddl:2:"]);
}

/// Within one outcome adding wins over deleting, as in an effect without choices.
#[test]
fn an_outcome_that_adds_and_deletes_an_atom_adds_it() {
    for (name, effect, class) in [
        ("adding-wins", "(oneof (and (q) (not (q))) (r))", "strong-cyclic"),
        ("adding-wins-in-a-pair", "(and (oneof (q) (r)) (oneof (not (q)) (q)))", "strong-cyclic"),
        ("adding-wins-always", "(oneof (and (not (q)) (q)) (and (q) (r)))", "strong"),
    ] {
        expect(&solve(name, effect, "(p)"), 0, &[&format!("solved: {class} policy")]);
    }
}

#[test]
fn a_goal_that_no_outcome_reaches_is_proved_out_of_reach() {
    let outcome = solve("out-of-reach", "(oneof (p) (not (p)))", "(p)");
    expect(&outcome, 1, &["not even a weak one", "no outcome of any action leads to the goal"]);
}

#[test]
fn a_policy_that_names_what_there_is_not_is_refused_with_all_its_places() {
    let folder = Folder::new("unknown-action");
    let text = "(class weak)\n(if (in r1) (fly r1 r4))\n(if (in r9) (walk r1 r2))\n(if (in r1) (walk r1))\n";
    let policy = folder.write("policy.txt", text);
    let words =
        ["unknown action `fly`", "policy.txt:2:14", "unknown object `r9`", "takes 2 arguments", "3 errors"];
    expect(&run(&format!("check {FILES} {policy}")), 1, &words);
    expect(&run(&format!("act {FILES} --policy {policy}")), 2, &words);
}

#[test]
fn a_policy_that_leaves_a_state_without_an_answer_is_shown_how_it_comes_about() {
    let folder = Folder::new("gap");
    let policy = folder.write("policy.txt", "(if (in r1) (walk r1 r2))\n");
    let checked = run(&format!("check {FILES} {policy}"));
    expect(&checked, 1, &["no pair says what to do after (walk r1 r2)", "the state is", "(in r2)"]);
    // Outcome 0 of walking is the step, outcome 1 that one slips.
    let acted = run(&format!("act {FILES} --policy {policy} --script 1,0,0"));
    expect(&acted, 1, &["nothing to do in (in r2)", "after 2 steps"]);
}

#[test]
fn an_outcome_that_an_action_does_not_have_is_no_world() {
    let outcome = run(&format!("act {FILES} --script 0,7"));
    expect(&outcome, 2, &["step 2 of the script is outcome 7", "has 2 outcomes, numbered from 0"]);
    expect(&run(&format!("act {FILES} --script 0,never")), 2, &["--script"]);
}

#[test]
fn acting_stops_at_its_limit_and_says_where_it_stood() {
    for agent in ["policy", "replan", "rta"] {
        let command = format!("act {FILES} --agent {agent} --most-steps 2 --seed 1");
        expect(&run(&command), 3, &["stopped in (in r", "after 2 steps"]);
        let answer = run(&format!("{command} --json")).json();
        assert_eq!((&answer["end"], &answer["steps"]), (&"out-of-steps".into(), &2.into()), "{answer}");
        let state = answer["state"].as_array().expect("a list");
        assert!(
            state.iter().any(|atom| atom.as_str().is_some_and(|atom| atom.starts_with("(in r"))),
            "{answer}"
        );
    }
    let script = run(&format!("act {FILES} --script 0"));
    expect(&script, 3, &["stopped in (in r2)", "after 1 step"]);
}
