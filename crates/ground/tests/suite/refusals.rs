//! What is refused, and where.

use counterplay_base::{Budget, Silent};
use counterplay_ground::{Error, Feature, Options, ground};
use counterplay_pddl::model::Condition;
use counterplay_syntax::Sources;

/// The code of the error and the text it points at.
fn refusal(domain: &str, problem: &str) -> (&'static str, String) {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("readable");
    let error = ground(&problem, &Options::default(), &Budget::unlimited(), &Silent).expect_err("refused");
    let diagnostic = error.diagnostic().expect("a place");
    (diagnostic.code, sources.text(diagnostic.labels[0].span).to_owned())
}

fn refusal_of_effect(effect: &str, metric: &str) -> (&'static str, String) {
    refusal(
        &format!(
            "(define (domain d) (:requirements :adl :fluents :action-costs) (:predicates (p) (q)) (:functions (total-cost) (n))
             (:action a :precondition (p) :effect {effect}))"
        ),
        &format!("(define (problem x) (:domain d) (:init (p) (= (total-cost) 0) (= (n) -3)) (:goal (q)) {metric})"),
    )
}

const COST: &str = "(:metric minimize (total-cost))";

#[test]
fn numbers_are_refused_by_name_and_place() {
    let found = refusal_of_effect("(and (q) (increase (n) 1))", COST);
    assert_eq!(found, ("ground::numeric-effect", "(increase (n) 1)".to_owned()));
    let found = refusal_of_effect("(and (q) (assign (total-cost) 1))", COST);
    assert_eq!(found, ("ground::numeric-effect", "(assign (total-cost) 1)".to_owned()));
    let found = refusal_of_effect("(and (q) (when (q) (increase (total-cost) 1)))", COST);
    assert_eq!(found, ("ground::conditional-cost", "(increase (total-cost) 1)".to_owned()));
    let found = refusal_of_effect("(and (q) (increase (total-cost) (+ 1 (total-cost))))", COST);
    assert_eq!(found, ("ground::state-dependent-cost", "(total-cost)".to_owned()));
    let found = refusal_of_effect("(and (q) (increase (total-cost) (n)))", COST);
    assert_eq!(found, ("ground::negative-cost", "(increase (total-cost) (n))".to_owned()));
    let found = refusal_of_effect("(q)", "(:metric maximize (total-cost))");
    assert_eq!(found.0, "ground::metric");
    let found = refusal_of_effect("(q)", "(:metric minimize (n))");
    assert_eq!(found.0, "ground::metric");
}

#[test]
fn conditions_that_are_not_classical_are_refused() {
    let found = refusal(
        "(define (domain d) (:requirements :fluents) (:predicates (p)) (:functions (n))
         (:action a :precondition (> (n) 1) :effect (p)))",
        "(define (problem x) (:domain d) (:init (= (n) 3)) (:goal (p)))",
    );
    assert_eq!(found, ("ground::numeric-condition", "(> (n) 1)".to_owned()));
    let found = refusal(
        "(define (domain d) (:requirements :preferences) (:predicates (p)) (:action a :effect (p)))",
        "(define (problem x) (:domain d) (:init) (:goal (and (p) (preference b (p)))))",
    );
    assert_eq!(found.0, "ground::preference");
    let found = refusal(
        "(define (domain d) (:requirements :non-deterministic) (:predicates (p) (q)) (:action a :effect (oneof (p) (q))))",
        "(define (problem x) (:domain d) (:init) (:goal (p)))",
    );
    assert_eq!(found, ("ground::oneof", "(oneof (p) (q))".to_owned()));
}

#[test]
fn derived_predicates_must_not_depend_on_their_own_negation() {
    // The reader refuses such rules; a problem made by a program need not have gone through it.
    let mut problem = crate::twin::read(
        "(define (domain d) (:requirements :adl :derived-predicates) (:predicates (p) (q) (r))
         (:derived (p) (or (r) (q))) (:derived (q) (p)) (:action a :effect (r)))",
        "(define (problem x) (:domain d) (:init) (:goal (p)))",
    );
    let positive = problem.axioms[1].body.clone();
    problem.axioms[1].body = Condition::Not(Box::new(positive));
    let error = ground(&problem, &Options::default(), &Budget::unlimited(), &Silent).expect_err("refused");
    let is_cyclic = matches!(error, Error::Unsupported { feature: Feature::CyclicNegation, .. });
    assert!(is_cyclic, "{error}");
}

#[test]
fn a_limit_is_no_fault_of_the_text() {
    let error = Error::from(counterplay_base::Limit::Cancelled);
    assert_eq!(error.diagnostic(), None);
}
