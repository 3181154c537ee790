//! Limits are kept, whatever the problem.

use std::time::Duration;

use counterplay_base::{Budget, Limit, Silent};
use counterplay_ground::{Error, Options, ground};

use crate::twin::read;

/// An action with twelve parameters, and so many objects.
fn twelve(objects: usize, precondition: &str) -> (String, String) {
    let names: Vec<String> = (0..12).map(|i| format!("?p{i}")).collect();
    let domain = format!(
        "(define (domain d) (:predicates (next ?a ?b) (seen ?a) (last ?a))
         (:action a :parameters ({}) :precondition {precondition} :effect (and (seen ?p0) (seen ?p11))))",
        names.join(" ")
    );
    let objects: Vec<String> = (0..objects).map(|i| format!("o{i}")).collect();
    let init: Vec<String> =
        objects.windows(2).map(|pair| format!("(next {} {})", pair[0], pair[1])).collect();
    let problem = format!(
        "(define (problem p) (:domain d) (:objects {}) (:init {}) (:goal (seen o1)))",
        objects.join(" "),
        init.join(" ")
    );
    (domain, problem)
}

#[test]
fn twelve_free_parameters_stop_in_time() {
    let (domain, problem) = twelve(2000, "()");
    let problem = read(&domain, &problem);
    let budget = Budget::unlimited().with_time(Duration::from_millis(200));
    let result = ground(&problem, &Options::default(), &budget, &Silent);
    assert!(matches!(result, Err(Error::Stopped(Limit::Time(_)))));
    assert!(budget.elapsed() < Duration::from_secs(30));
}

#[test]
fn twelve_free_parameters_stop_within_memory() {
    let (domain, problem) = twelve(2000, "()");
    let problem = read(&domain, &problem);
    let budget = Budget::unlimited().with_memory(1 << 22, || None);
    let result = ground(&problem, &Options::default(), &budget, &Silent);
    assert_eq!(result, Err(Error::Stopped(Limit::Bytes(1 << 22))));
}

#[test]
fn twelve_joined_parameters_are_no_problem() {
    let chain: Vec<String> = (0..11).map(|i| format!("(next ?p{i} ?p{})", i + 1)).collect();
    let (domain, problem) = twelve(2000, &format!("(and {})", chain.join(" ")));
    let problem = read(&domain, &problem);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let task = ground(&problem, &Options::default(), &budget, &Silent).expect("in time");
    assert_eq!(task.operators.len(), 1);
}

#[test]
fn cancelling_stops() {
    let (domain, problem) = twelve(50, "()");
    let problem = read(&domain, &problem);
    let budget = Budget::unlimited();
    budget.cancel();
    let result = ground(&problem, &Options::default(), &budget, &Silent);
    assert_eq!(result, Err(Error::Stopped(Limit::Cancelled)));
}

#[test]
fn no_time_for_h2_is_no_reason_to_stop() {
    let case = &crate::problems::CASES[1];
    let problem = read(case.domain, case.problem);
    let options = Options { h2_time: Duration::ZERO, ..Options::default() };
    let task = ground(&problem, &options, &Budget::unlimited(), &Silent).expect("grounded");
    assert_eq!(counterplay_testkit::brute_force(&task), Some(6));
}

#[test]
fn ten_thousand_conjuncts_and_a_thousand_effects() {
    let atoms: Vec<String> = (0..10_000).map(|i| format!("(p o{i})")).collect();
    let deletes: Vec<String> = (0..1000).map(|i| format!("(not (p o{i}))")).collect();
    let domain = format!(
        "(define (domain d) (:constants {}) (:predicates (p ?x) (q))
         (:action a :precondition (and {}) :effect (and (q) {}))
         (:action b :parameters (?x) :precondition (q) :effect (p ?x)))",
        (0..10_000).map(|i| format!("o{i}")).collect::<Vec<_>>().join(" "),
        atoms.join(" "),
        deletes.join(" ")
    );
    let problem =
        format!("(define (problem x) (:domain d) (:init {}) (:goal (and (q) (p o0))))", atoms.join(" "));
    let problem = read(&domain, &problem);
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let task = ground(&problem, &Options::default(), &budget, &Silent).expect("in time");
    assert_eq!(task.goal.len(), 2);
}
