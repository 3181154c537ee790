//! Tasks have the variables and operators that one would write by hand.

use counterplay_task::Task;

use crate::problems::CASES;
use crate::twin::{grounded, read};

fn task(name: &str, h2: bool) -> Task {
    let case = CASES.iter().find(|case| case.name.starts_with(name)).expect("a case of this name");
    grounded(&read(case.domain, case.problem), h2).expect("grounded")
}

fn sizes(task: &Task) -> Vec<usize> {
    let mut sizes: Vec<usize> = task.variables.iter().map(|variable| variable.values.len()).collect();
    sizes.sort_unstable();
    sizes
}

#[test]
fn a_block_is_in_one_place() {
    // Each block: on the table, held, or on one of two others; clear or not; the hand is empty or not.
    assert_eq!(sizes(&task("three blocks", false)), [2, 2, 2, 2, 4, 4, 4]);
}

#[test]
fn a_road_joins_one_pair_of_towns() {
    // Six ways to build it and none, whether it is built, and where one is.
    assert_eq!(sizes(&task("roads", false)), [2, 3, 7]);
}

#[test]
fn universal_conditions_with_static_guards_need_no_axioms() {
    let task = task("orders", false);
    assert!(task.axioms.is_empty());
    assert_eq!(task.operators.len(), 6);
}

#[test]
fn large_disjunctions_become_one_derived_variable() {
    let task = task("lamps", false);
    let derived = task.variables.iter().filter(|variable| variable.derived.is_some()).count();
    assert_eq!(derived, 1);
    // Seven lamps, two of which see the same ones.
    assert_eq!(task.axioms.len(), 6);
    assert_eq!(task.operators.len(), 8);
}

#[test]
fn h2_sees_dead_ends() {
    // The box can be pushed on to the last cell, but never back.
    let (before, after) = (task("a box", false), task("a box", true));
    assert!(after.operators.len() < before.operators.len());
    assert!(!after.operators.iter().any(|operator| operator.name == "push c e f"));
}

#[test]
fn trivial_goals_have_well_formed_tasks() {
    let solved = task("a goal that holds", true);
    assert_eq!((solved.variables.len(), solved.operators.len()), (1, 0));
    assert_eq!(counterplay_testkit::brute_force(&solved), Some(0));
    let unsolvable = task("a goal that nothing reaches", true);
    assert_eq!(counterplay_testkit::brute_force(&unsolvable), None);
}

#[test]
fn fractions_are_scaled() {
    let task = task("tolls", false);
    assert_eq!(task.cost_unit, num_rational::Ratio::new(1, 8));
    assert!(task.operators.iter().all(|operator| !operator.name.starts_with("drive a e")), "it has no toll");
}
