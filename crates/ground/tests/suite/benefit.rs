//! Preferences, metrics and numbers in the finite task.

use counterplay_base::{Budget, Silent};
use counterplay_ground::{Options, ground, is_net_benefit, metric_of, unweighed_preferences};
use counterplay_pddl::model::Number;
use counterplay_task::Task;

use crate::twin::read;

fn grounded(domain: &str, problem: &str) -> Task {
    let problem = read(domain, problem);
    ground(&problem, &Options::default(), &Budget::unlimited(), &Silent).expect("nothing is refused")
}

const LAMPS: &str = "(define (domain lamps) (:requirements :adl :preferences) (:types lamp)
    (:predicates (lit ?l - lamp) (red ?l - lamp)) (:functions (watts) (hours))
    (:action switch :parameters (?l - lamp) :precondition (preference dark (not (lit ?l)))
      :effect (and (lit ?l) (increase (watts) 5) (increase (hours) 1))))";

fn lamps(goal: &str, metric: &str) -> String {
    format!(
        "(define (problem x) (:domain lamps) (:objects a b c - lamp)
         (:init (lit a) (red b) (= (watts) 7) (= (hours) 0)) (:goal {goal}) (:metric {metric}))"
    )
}

fn weights(task: &Task) -> Vec<u64> {
    let mut weights: Vec<u64> = task.soft.iter().map(|soft| soft.weight).collect();
    weights.sort_unstable();
    weights
}

/// Where every preference is decided from the start nothing is left to plan, but what is violated still counts.
#[test]
fn preferences_that_are_decided_keep_their_price() {
    let goal = "(and (preference never (red a)) (preference always (red b)))";
    let text = lamps(goal, "minimize (+ (* 4 (is-violated never)) (* 9 (is-violated always)))");
    let task = grounded(LAMPS, &text);
    let worth = metric_of(&read(LAMPS, &text), &Budget::unlimited()).expect("linear").expect("a metric");
    let violated = counterplay_task::violation(&task, &task.initial).expect("it fits");
    assert_eq!(worth.of_units(violated, task.cost_unit), Some(Number::from_integer(4)));
}

#[test]
fn each_instance_of_a_preference_is_a_soft_goal() {
    let goal = "(and (forall (?l - lamp) (preference all (lit ?l))) (preference all (lit c)) (preference one (lit b)))";
    let text = lamps(goal, "minimize (+ (* 3 (is-violated all)) (is-violated one) (watts))");
    let task = grounded(LAMPS, &text);
    assert!(task.goal.is_empty());
    assert_eq!(weights(&task), [1, 3, 3, 3, 3]);
    // To light `a`, which is lit, would change nothing.
    let mut costs: Vec<(&str, u64)> = task.operators.iter().map(|op| (op.name.as_str(), op.cost)).collect();
    costs.sort_unstable();
    assert_eq!(costs, [("switch b", 5), ("switch c", 5)]);
    let worth = metric_of(&read(LAMPS, &text), &Budget::unlimited()).expect("linear").expect("a metric");
    assert_eq!((worth.maximize, worth.constant), (false, Number::from_integer(7)));
}

#[test]
fn fractions_get_a_common_unit() {
    let text =
        lamps("(preference one (lit b))", "maximize (- 2 (+ (* 0.25 (is-violated one)) (/ (hours) 3)))");
    let task = grounded(LAMPS, &text);
    assert_eq!(task.cost_unit, Number::new(1, 12));
    assert_eq!(weights(&task), [3]);
    assert_eq!(task.operators.iter().map(|op| op.cost).collect::<Vec<_>>(), [4]);
    let worth = metric_of(&read(LAMPS, &text), &Budget::unlimited()).expect("linear").expect("a metric");
    assert_eq!(worth.of_units(7, task.cost_unit), Some(Number::new(17, 12)));
}

#[test]
fn what_is_earned_by_violating_is_paid_by_keeping() {
    let text = lamps("(preference one (not (lit b)))", "maximize (* 4 (is-violated one))");
    let task = grounded(LAMPS, &text);
    assert_eq!(weights(&task), [4]);
    let worth = metric_of(&read(LAMPS, &text), &Budget::unlimited()).expect("linear").expect("a metric");
    assert_eq!(worth.of_units(4, task.cost_unit), Some(Number::from_integer(0)));
    assert_eq!(worth.of_units(0, task.cost_unit), Some(Number::from_integer(4)));
}

#[test]
fn a_preference_in_a_precondition_is_met_or_paid_for() {
    let text = lamps("(lit b)", "minimize (+ (hours) (* 9 (is-violated dark)))");
    let task = grounded(LAMPS, &text);
    let costs: Vec<u64> = task.operators.iter().map(|op| op.cost).collect();
    assert!(costs.contains(&1), "{costs:?}");
    assert!(task.soft.is_empty());
}

#[test]
fn preferences_that_nobody_weighs_are_named() {
    let text = lamps("(and (preference one (lit b)) (preference two (lit c)))", "minimize (is-violated two)");
    let problem = read(LAMPS, &text);
    let names: Vec<String> = unweighed_preferences(&problem).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["dark", "one"]);
    assert!(is_net_benefit(&problem));
    assert!(is_net_benefit(&read(LAMPS, &lamps("(lit b)", "minimize (watts)"))));
}

/// A tank that is filled and emptied, and a count of who is in a cabin.
const CABIN: &str = "(define (domain cabin) (:requirements :typing :fluents) (:types person)
    (:predicates (out ?p - person) (in ?p - person) (up)) (:functions (load) (room) (pulls) (needed))
    (:action enter :parameters (?p - person) :precondition (and (out ?p) (< (load) (room)))
      :effect (and (in ?p) (not (out ?p)) (increase (load) 1)))
    (:action leave :parameters (?p - person) :precondition (in ?p)
      :effect (and (out ?p) (not (in ?p)) (decrease (load) 1)))
    (:action pull :precondition (> (load) 0) :effect (increase (pulls) 1))
    (:action arrive :precondition (>= (pulls) (needed)) :effect (up)))";

#[test]
fn bounds_come_from_counted_atoms_and_saturation() {
    let task = grounded(
        CABIN,
        "(define (problem x) (:domain cabin) (:objects a b c - person)
         (:init (out a) (out b) (out c) (= (load) 0) (= (room) 2) (= (pulls) 0) (= (needed) 3)) (:goal (and (up) (out a))))",
    );
    let values = |name: &str| -> Vec<String> {
        let has = |variable: &&counterplay_task::Variable| variable.values[0].contains(name);
        let mut values = task.variables.iter().find(has).expect("a variable").values.clone();
        values.retain(|value| value.contains(name));
        values.sort();
        values
    };
    // The load never falls below zero, although `leave` does not look at it.
    assert_eq!(values("load("), ["Atom load(0)", "Atom load(1)", "Atom load(2)"]);
    // Pulls beyond the one after the third make no difference.
    assert_eq!(values("pulls(").len(), 5);
    assert!(task.operators.iter().all(|op| !op.name.contains(';') && !op.name.contains('0')));
}

#[test]
fn who_reads_an_undefined_number_cannot_act() {
    let domain = "(define (domain d) (:requirements :fluents) (:predicates (p) (q)) (:functions (n) (k))
        (:action look :precondition (not (> (n) 1)) :effect (p))
        (:action grow :precondition (< (n) 3) :effect (and (q) (increase (n) 1)))
        (:action set :effect (assign (n) (k))))";
    let task = |init: &str| {
        grounded(domain, &format!("(define (problem x) (:domain d) (:init {init}) (:goal (and (p) (q))))"))
    };
    let names = |task: &Task| -> Vec<String> { task.operators.iter().map(|op| op.name.clone()).collect() };
    assert!(names(&task("")).is_empty(), "there is no value to begin with");
    let with_value = names(&task("(= (k) 0)"));
    assert!(
        ["look", "grow", "set"].iter().all(|name| with_value.contains(&(*name).to_owned())),
        "{with_value:?}"
    );
}

#[test]
fn a_soft_goal_is_lost_when_the_door_is_shut() {
    let domain = "(define (domain d) (:requirements :strips :preferences) (:predicates (open) (done) (shut))
        (:action work :precondition (open) :effect (done))
        (:action shut :precondition (open) :effect (and (shut) (not (open)))))";
    let problem = "(define (problem x) (:domain d) (:init (open)) (:goal (and (shut) (preference w (done))))
        (:metric minimize (is-violated w)))";
    let task = grounded(domain, problem);
    let lost: Vec<Vec<&str>> = task.soft[0]
        .lost
        .iter()
        .map(|facts| facts.iter().map(|&fact| task.fact_name(fact)).collect())
        .collect();
    let is_it = |names: &Vec<&str>| names.len() == 2 && names.contains(&"NegatedAtom done()");
    assert!(!lost.is_empty() && lost.iter().all(is_it), "{lost:?}");
}

/// A number that only grows is followed up to what it is compared with, wherever that is: in the goal, in rules, in disjunctions and
/// in conditions of effects.
#[test]
fn counters_without_a_range_may_be_compared_anywhere() {
    let domain = "(define (domain d) (:requirements :numeric-fluents) (:functions (c))
        (:action inc :effect (increase (c) 1)))";
    let problem = "(define (problem p) (:domain d) (:init (= (c) 0)) (:goal (>= (c) 5)))";
    // Beyond five one more value stands for all larger ones.
    assert_eq!(grounded(domain, problem).operators.len(), 6);
    let domain = "(define (domain d) (:requirements :adl :numeric-fluents :derived-predicates) (:types t)
        (:predicates (g) (many) (lit)) (:functions (c ?x - t) (need ?x - t))
        (:derived (many) (exists (?x - t) (> (c ?x) (need ?x))))
        (:action inc :parameters (?x - t) :effect (and (increase (c ?x) 2) (when (= (c ?x) 2) (lit))))
        (:action fin :parameters (?x - t) :precondition (and (many) (or (g) (>= (c ?x) 4))) :effect (g)))";
    let problem = "(define (problem p) (:domain d) (:objects a b - t)
        (:init (= (c a) 0) (= (c b) 1) (= (need a) 5) (= (need b) 4)) (:goal (and (g) (lit))))";
    assert!(!grounded(domain, problem).operators.is_empty());
}
