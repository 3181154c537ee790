//! ND-SHOP2 and Yoyo: both find policies that the checker accepts, on the case studies and on small traps.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Guarantee, PolicyOptions, check_policy, read_policy};
use counterplay_ground::{NondetTask, ground_outcomes};
use counterplay_htn::cases::{Files, hunter_prey, robot_navigation};
use counterplay_htn::hddl::Lifted;
use counterplay_htn::steer::{Answer, Representation, steer};
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, Policy, rules};
use counterplay_syntax::Sources;

fn read(files: &Files) -> (Problem, NondetTask) {
    let mut sources = Sources::default();
    let domain = sources.add("domain", files.domain.as_str());
    let problem = sources.add("problem", files.problem.as_str());
    let problem =
        counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let plain = Problem { hierarchy: None, ..problem.clone() };
    let grounded = ground_outcomes(&plain, &Default::default(), &Budget::unlimited(), &Silent);
    (problem, grounded.expect("it grounds").0)
}

fn search(problem: &Problem, nondet: &NondetTask, class: Class, how: Representation) -> Answer {
    let lifted = Lifted::new(problem).expect("it is supported");
    steer(&lifted, nondet, class, how, 0, &Budget::unlimited(), &Silent).expect("the methods fit")
}

fn check(problem: &Problem, nondet: &NondetTask, policy: &Policy, wanted: Guarantee) {
    let mut text = String::new();
    for rule in rules(nondet, policy) {
        text += &format!("(if (and {}) {})\n", rule.condition.join(" "), rule.action);
    }
    let mut sources = Sources::default();
    let file = sources.add("policy", text);
    let read = read_policy(&sources, file, problem).expect("the policy can be read");
    let options = PolicyOptions { wanted, most_states: 1_000_000, only_runs: false, runs: 10, seed: 0 };
    let checked =
        check_policy(problem, &read.rules, options, &Budget::unlimited()).expect("the policy is right");
    assert!(checked.is_certain());
}

#[test]
fn both_solve_the_case_studies() {
    let cases = [
        hunter_prey(2, 1),
        hunter_prey(3, 1),
        hunter_prey(3, 2),
        robot_navigation(1, 2, 1),
        robot_navigation(2, 3, 4),
    ];
    for files in cases {
        let (problem, nondet) = read(&files);
        for how in [Representation::Explicit, Representation::Diagrams] {
            let Verdict::Solved(policy) = search(&problem, &nondet, Class::StrongCyclic, how).verdict else {
                panic!("{how:?} finds no policy for {}", problem.name)
            };
            check(&problem, &nondet, &policy, Guarantee::StrongCyclic);
        }
        // A prey that never stands still is never caught for sure.
        if problem.name.starts_with("hunter") {
            for how in [Representation::Explicit, Representation::Diagrams] {
                let verdict = search(&problem, &nondet, Class::Strong, how).verdict;
                assert!(matches!(verdict, Verdict::Unsolvable), "{how:?} {}", problem.name);
            }
        }
    }
}

/// Two ways to cross: the first method is a trap, since the ice may break and then nothing helps.
const TRAP: &str = "(define (domain crossing)
  (:requirements :adl :hierarchy :non-deterministic)
  (:predicates (here) (there) (wet) (tired))
  (:task cross :parameters ())
  (:method over-ice :parameters () :task (cross) :precondition (here) :ordered-subtasks (and (slide)))
  (:method by-bridge :parameters () :task (cross) :precondition (here) :ordered-subtasks (and (walk) (cross)))
  (:action slide :parameters () :precondition (here)
    :effect (oneof (and (not (here)) (there)) (and (not (here)) (wet))))
  (:action walk :parameters () :precondition (here)
    :effect (oneof (and (not (here)) (there)) (tired))))";

#[test]
fn what_fails_is_avoided_the_next_time() {
    let problem = "(define (problem p) (:domain crossing) (:htn :ordered-subtasks (and (cross)))
      (:init (here)) (:goal (there)))";
    let files = Files { domain: TRAP.to_owned(), problem: problem.to_owned() };
    let (problem, nondet) = read(&files);
    for how in [Representation::Explicit, Representation::Diagrams] {
        let answer = search(&problem, &nondet, Class::StrongCyclic, how);
        let Verdict::Solved(policy) = answer.verdict else { panic!("{how:?}: {answer:?}") };
        assert!(answer.figures.restarts > 0, "the ice is tried first");
        check(&problem, &nondet, &policy, Guarantee::StrongCyclic);
        assert!(rules(&nondet, &policy).iter().all(|rule| rule.action == "(walk)"));
        let verdict = search(&problem, &nondet, Class::Strong, how).verdict;
        assert!(matches!(verdict, Verdict::Unsolvable));
    }
}
