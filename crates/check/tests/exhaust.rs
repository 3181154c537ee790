//! Confirming that there is no plan or no policy.

use counterplay_base::Budget;
use counterplay_check::{Confirmation, Guarantee, confirm_no_plan, confirm_no_policy};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).expect("the text is sound")
}

fn plan(domain: &str, problem: &str, most: usize) -> Confirmation {
    confirm_no_plan(&read(domain, problem), most, &Budget::unlimited())
}

/// Lamps that pass their light on along wires, at a price.
const LAMPS: &str = "(define (domain lamps) (:requirements :adl :action-costs :derived-predicates)
    (:predicates (lit ?l) (wire ?a ?b) (dark)) (:functions (total-cost))
    (:derived (dark) (not (exists (?l) (lit ?l))))
    (:action pass :parameters (?a ?b) :precondition (and (lit ?a) (wire ?a ?b))
      :effect (and (lit ?b) (not (lit ?a)) (increase (total-cost) 1))))";

fn lamps(goal: &str) -> String {
    format!(
        "(define (problem three) (:domain lamps) (:objects a b c) (:init (lit a) (wire a b) (wire b a))
         (:goal {goal}) (:metric minimize (total-cost)))"
    )
}

#[test]
fn that_there_is_no_plan_is_confirmed_or_refuted() {
    // Costs grow for ever, and are no part of the state.
    assert_eq!(plan(LAMPS, &lamps("(lit c)"), 10), Confirmation::Confirmed { states: 2 });
    assert_eq!(plan(LAMPS, &lamps("(dark)"), 10), Confirmation::Confirmed { states: 2 });
    let refuted = Confirmation::Refuted("the goal holds after (pass a b)".to_owned());
    assert_eq!(plan(LAMPS, &lamps("(lit b)"), 10), refuted);
    assert_eq!(plan(LAMPS, &lamps("(lit c)"), 1), Confirmation::TooLarge);
}

#[test]
fn numbers_that_decide_something_are_followed() {
    let domain = "(define (domain d) (:requirements :numeric-fluents) (:predicates (g)) (:functions (c) (k))
        (:action inc :precondition (< (c) 4) :effect (increase (c) (k)))
        (:action fin :precondition (= (c) 3) :effect (g)))";
    let problem = |start: u32| {
        format!("(define (problem p) (:domain d) (:init (= (c) {start}) (= (k) 2)) (:goal (g)))")
    };
    assert_eq!(plan(domain, &problem(0), 100), Confirmation::Confirmed { states: 3 });
    assert!(matches!(plan(domain, &problem(1), 100), Confirmation::Refuted(_)));
}

#[test]
fn an_action_that_reads_an_undefined_number_cannot_be_applied() {
    let domain = "(define (domain d) (:requirements :numeric-fluents) (:predicates (g)) (:functions (c) (k))
        (:action a :effect (and (g) (increase (c) (k)))))";
    let problem = "(define (problem p) (:domain d) (:init (= (c) 0)) (:goal (g)))";
    assert_eq!(plan(domain, problem, 10), Confirmation::Confirmed { states: 1 });
}

/// A door that may slam, or break the leg.
fn corridor(other: &str, init: &str) -> Problem {
    let domain = format!(
        "(define (domain corridor) (:requirements :non-deterministic) (:predicates (out) (well))
           (:action step :precondition (well) :effect (oneof (out) {other})))"
    );
    read(&domain, &format!("(define (problem p) (:domain corridor) (:init {init}) (:goal (out)))"))
}

#[test]
fn that_there_is_no_policy_is_confirmed_or_refuted_by_class() {
    let has = |problem: &Problem| {
        [Guarantee::Weak, Guarantee::StrongCyclic, Guarantee::Strong].map(|wanted| {
            match confirm_no_policy(problem, wanted, 100, &Budget::unlimited()) {
                Confirmation::Confirmed { .. } => false,
                Confirmation::Refuted(_) => true,
                Confirmation::TooLarge => panic!("four states are not too many"),
            }
        })
    };
    assert_eq!(has(&corridor("(and)", "(well)")), [true, true, false]);
    assert_eq!(has(&corridor("(not (well))", "(well)")), [true, false, false]);
    assert_eq!(has(&corridor("(and (out) (not (well)))", "(well)")), [true, true, true]);
    assert_eq!(has(&corridor("(and)", "")), [false, false, false]);
    // Every initial state counts.
    assert_eq!(has(&corridor("(and)", "(oneof (well) (and))")), [false, false, false]);
    assert_eq!(has(&corridor("(and)", "(oneof (well) (out))")), [true, true, false]);
}
