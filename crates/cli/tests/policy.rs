//! Policies from the command line: solved, drawn, written, checked and carried out.

mod common;

use std::fs;

use common::{Folder, run};

const FILES: &str = "examples/policy/slippery/domain.pddl examples/policy/slippery/p01.pddl";

#[test]
fn a_policy_is_drawn_checked_and_carried_out() {
    let folder = Folder::new("policy");
    let (graph, policy) = (folder.path("graph.svg"), folder.path("policy.txt"));
    let answer = run(&format!("solve {FILES} --json --graph-file {graph} --plan-file {policy}")).json();
    assert_eq!((&answer["class"], &answer["impossible"][0]), (&"strong-cyclic".into(), &"strong".into()));
    assert!(fs::read_to_string(&graph).is_ok_and(|text| text.starts_with("<svg") && text.contains("goal")));
    assert_eq!(run(&format!("check {FILES} {policy}")).code, Some(0));
    let sampled = run(&format!("check {FILES} {policy} --runs 20"));
    assert!(sampled.code == Some(0) && sampled.stdout.contains("random runs only"), "{sampled:?}");
    let acted = run(&format!("act {FILES} --policy {policy} --seed 3 --json")).json();
    assert_eq!(acted["reached"], true, "{acted}");
}

#[test]
fn a_policy_with_a_gap_is_refused() {
    let folder = Folder::new("policy-gap");
    let policy = folder.path("policy.txt");
    let whole = run(&format!("solve {FILES}")).stdout;
    let gap: String =
        whole.lines().filter(|line| !line.contains("walk r2 r3")).map(|line| format!("{line}\n")).collect();
    fs::write(&policy, gap).expect("the policy is written");
    let outcome = run(&format!("check {FILES} {policy}"));
    assert!(outcome.code == Some(1) && outcome.stdout.contains("invalid"), "{outcome:?}");
}

#[test]
fn a_class_that_does_not_exist_is_proved_impossible() {
    assert_eq!(run(&format!("solve {FILES} --class strong")).code, Some(1));
}

/// A verdict says what it rests on, and that there is no policy is confirmed on the lifted problem.
#[test]
fn policies_and_their_absence_come_with_evidence() {
    let folder = Folder::new("policy-evidence");
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (P) (q) (r))
        (:action Try :precondition (p) :effect (oneof (q) (and))))";
    let domain = folder.write("d.pddl", domain);
    let problem = |goal: &str| format!("(define (problem x) (:domain d) (:init (P)) (:goal ({goal})))");
    let solvable = folder.write("p.pddl", problem("q"));
    let solved = run(&format!("solve {domain} {solvable} --json")).json();
    assert_eq!(solved["evidence"]["kind"], "proved", "{solved}");
    assert_eq!(solved["evidence"]["checked_by"], "policy checker (every state)", "{solved}");
    // Names are those of the declaration.
    assert_eq!(solved["policy"][0]["do"], "(Try)", "{solved}");
    let hopeless = folder.write("q.pddl", problem("r"));
    let outcome = run(&format!("solve {domain} {hopeless} --json"));
    let answer = outcome.json();
    assert_eq!(outcome.code, Some(1), "{answer}");
    assert_eq!(answer["evidence"]["checked_by"], "exhaustive search of the lifted problem", "{answer}");
    let unchecked = run(&format!("solve {domain} {hopeless} --json --no-check")).json();
    assert!(unchecked["evidence"]["checked_by"].is_null(), "{unchecked}");
    let text = run(&format!("solve {domain} {hopeless}"));
    assert!(text.stderr.contains("confirmed by exhaustive search of the lifted problem"), "{text:?}");
}
