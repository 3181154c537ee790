//! Hidden initial states, and outcomes whose odds the text does not tell.

use counterplay_base::{Budget, Silent};
use counterplay_ground::{Error, Options, ground_hidden, ground_odds};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;
use counterplay_task::InitialStates;

fn read(domain: &str, init: &str) -> (Sources, Problem) {
    let mut sources = Sources::default();
    let domain = sources.add("domain", domain);
    let problem = format!("(define (problem x) (:domain d) (:init {init}) (:goal (g)))");
    let problem = sources.add("problem", &problem);
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("readable");
    (sources, problem)
}

const HIDDEN: &str = "(define (domain d) (:requirements :adl) (:predicates (p) (q) (r) (g))
    (:action a :precondition (p) :effect (g)) (:action b :precondition (and (q) (not (r))) :effect (g))
    (:action look :observe (p)))";

/// How many states the game may begin in; nothing if the description contradicts itself.
fn initial_states(init: &str) -> Option<usize> {
    let (_, problem) = read(HIDDEN, init);
    match ground_hidden(&problem, &Budget::unlimited(), &Silent) {
        Ok(task) => match task.initial {
            InitialStates::Listed(states) => Some(states.len()),
            InitialStates::Described(_) => panic!("so few states are listed"),
        },
        Err(Error::ContradictoryStart { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn each_initial_state_that_is_possible_is_listed_once() {
    assert_eq!(initial_states("(p)"), Some(1));
    assert_eq!(initial_states("(oneof (p) (q))"), Some(2));
    assert_eq!(initial_states("(oneof (p) (q)) (unknown (r))"), Some(4));
    assert_eq!(initial_states("(unknown (p)) (unknown (q)) (unknown (r)) (or (p) (q))"), Some(6));
    assert_eq!(initial_states("(unknown (p)) (unknown (q)) (or (p) (q)) (or (not (p)) (not (q)))"), Some(2));
    assert_eq!(
        initial_states("(oneof (p) (q)) (or (not (p)) (r)) (or (not (q)) (r)) (or (not (r)) (not (r)))"),
        None
    );
}

const CHANCE: &str =
    "(define (domain d) (:requirements :adl :non-deterministic :probabilistic-effects) (:predicates (p) (g))
    (:action even :precondition (p) :effect (probabilistic 1/3 (g)))
    (:action odd :precondition (p) :effect (oneof (g) (not (p)))))";

#[test]
fn odds_that_nobody_tells_are_equal_only_if_that_is_asked_for() {
    let (sources, problem) = read(CHANCE, "(p)");
    let ground = |uniform| ground_odds(&problem, uniform, &Options::default(), &Budget::unlimited(), &Silent);
    let error = ground(false).expect_err("the odds of `odd` are unknown");
    let diagnostic = error.diagnostic().expect("a place");
    assert_eq!(diagnostic.code, "ground::unknown-odds");
    assert_eq!(sources.text(diagnostic.labels[0].span), "(oneof (g) (not (p)))");
    let (task, _) = ground(true).expect("each of two outcomes has one half");
    let half: Vec<String> = task.odds.iter().map(ToString::to_string).filter(|odds| odds == "1/2").collect();
    assert_eq!(half.len(), 2);
}
