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
fn costs_are_refused_by_name_and_place() {
    let found = refusal_of_effect("(and (q) (assign (total-cost) 1))", COST);
    assert_eq!(found, ("ground::state-metric", "(total-cost)".to_owned()));
    let found = refusal_of_effect("(and (q) (when (q) (increase (total-cost) 1)))", COST);
    assert_eq!(found, ("ground::conditional-cost", "(increase (total-cost) 1)".to_owned()));
    let found = refusal_of_effect("(and (q) (increase (total-cost) (+ 1 (total-cost))))", COST);
    assert_eq!(found, ("ground::state-dependent-cost", "(total-cost)".to_owned()));
    let found = refusal_of_effect("(and (q) (increase (total-cost) (n)))", COST);
    assert_eq!(found, ("ground::negative-cost", "(increase (total-cost) (n))".to_owned()));
    let found = refusal_of_effect("(and (q) (increase (total-cost) 2))", "(:metric maximize (total-cost))");
    assert_eq!(found, ("ground::negative-cost", "(increase (total-cost) 2)".to_owned()));
}

#[test]
fn metrics_that_are_not_linear_are_refused() {
    let counting = "(and (q) (increase (total-cost) 2))";
    let found = refusal_of_effect(counting, "(:metric minimize (* (total-cost) (total-cost)))");
    assert_eq!(found, ("ground::nonlinear-metric", "(* (total-cost) (total-cost))".to_owned()));
    let found = refusal_of_effect(counting, "(:metric minimize (/ 1 (total-cost)))");
    assert_eq!(found.0, "ground::nonlinear-metric");
    let found = refusal_of_effect(counting, "(:metric minimize (/ (total-cost) (+ (n) 3)))");
    assert_eq!(found.0, "ground::nonlinear-metric");
}

/// A problem with one action and a number `n` that starts at zero.
fn refusal_of_number(precondition: &str, effect: &str) -> (&'static str, String) {
    refusal(
        &format!(
            "(define (domain d) (:requirements :adl :fluents) (:predicates (p) (q)) (:functions (n))
             (:action a :precondition {precondition} :effect {effect})
             (:action b :precondition (>= (n) 1) :effect (q)))"
        ),
        "(define (problem x) (:domain d) (:init (= (n) 0)) (:goal (q)))",
    )
}

#[test]
fn numbers_without_a_range_are_refused_with_the_reason() {
    // Growing alone is no reason: beyond one, all values are the same to `b`. To shrink as well is.
    let effect = "(and (p) (increase (n) 1) (when (p) (decrease (n) 1)))";
    assert_eq!(refusal_of_number("(p)", effect).0, "ground::several-changes");
    let found = refusal_of_number("(>= (* 2 (n)) 0)", "(and (p) (increase (n) 1))");
    assert_eq!(found, ("ground::unbounded-number", "(increase (n) 1)".to_owned()));
    let found = refusal_of_number("(p)", "(and (p) (when (p) (assign (n) 2)))");
    assert_eq!(found, ("ground::several-changes", "(assign (n) 2)".to_owned()));
}

#[test]
fn conditions_that_are_not_classical_are_refused() {
    let found = refusal(
        "(define (domain d) (:requirements :non-deterministic) (:predicates (p) (q)) (:action a :effect (oneof (p) (q))))",
        "(define (problem x) (:domain d) (:init) (:goal (p)))",
    );
    assert_eq!(found, ("ground::oneof", "(oneof (p) (q))".to_owned()));
    let many: String = (0..7).map(|i| format!("(preference w{i} (p)) ")).collect();
    let sum: String = (0..7).map(|i| format!("(is-violated w{i}) ")).collect();
    let found = refusal(
        &format!(
            "(define (domain d) (:requirements :preferences) (:predicates (p) (q))
             (:action a :precondition (and {many}) :effect (q)))"
        ),
        &format!("(define (problem x) (:domain d) (:init) (:goal (q)) (:metric minimize (+ {sum})))"),
    );
    assert_eq!(found, ("ground::too-many-preferences", "a".to_owned()));
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

/// An action that reads and changes two numbers without bounds once kept the closure of their values busy: every round looked at all
/// combinations again.
#[test]
fn two_counters_without_bounds_are_refused_soon() {
    let domain = "(define (domain d) (:requirements :numeric-fluents) (:predicates (g)) (:functions (a) (b))
        (:action both :precondition (<= (a) (b)) :effect (and (increase (a) 1) (increase (b) 1)))
        (:action one :effect (increase (b) 1))
        (:action fin :precondition (= (+ (a) (b)) 7) :effect (g)))";
    let problem = "(define (problem x) (:domain d) (:init (= (a) 0) (= (b) 0)) (:goal (g)))";
    let started = std::time::Instant::now();
    let (code, _) = refusal(domain, problem);
    assert!(["ground::unbounded-number", "ground::too-many-combinations"].contains(&code), "{code}");
    assert!(started.elapsed() < std::time::Duration::from_secs(60), "{:?}", started.elapsed());
}
