//! Both searches against each other and against what the literature says.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_ground::{NondetTask, Options as Grounding, ground_outcomes};
use counterplay_policy::{Answer, Class, Options, Search, solve};
use counterplay_syntax::Sources;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn nondet(domain: &str, problem: &str) -> NondetTask {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("the text is sound");
    ground_outcomes(&problem, &Grounding::default(), &Budget::unlimited(), &Silent).expect("supported").0
}

fn answer(task: &NondetTask, class: Option<Class>, search: Search) -> Answer {
    solve(task, &Options { class, search, seed: 0 }, &Budget::unlimited(), &Silent)
}

fn exists(task: &NondetTask, class: Class, search: Search) -> bool {
    match answer(task, Some(class), search).verdict {
        Verdict::Solved(_) => true,
        Verdict::Unsolvable => false,
        Verdict::Stopped(limit) => panic!("{limit}"),
    }
}

/// A corridor whose door may slam: stepping through reaches the goal or leaves one where one is, or, in the second
/// variant, breaks the leg.
fn corridor(breaks: bool) -> NondetTask {
    let other = if breaks { "(not (well))" } else { "(and)" };
    let domain = format!(
        "(define (domain corridor) (:requirements :non-deterministic) (:predicates (out) (well))
           (:action step :precondition (well) :effect (oneof (out) {other})))"
    );
    nondet(&domain, "(define (problem p) (:domain corridor) (:init (well)) (:goal (out)))")
}

#[test]
fn an_outcome_that_changes_nothing_is_an_outcome() {
    let found = answer(&corridor(false), None, Search::Auto);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::StrongCyclic));
    assert_eq!(found.impossible, [Class::Strong]);
}

#[test]
fn a_dead_end_leaves_a_weak_policy_only() {
    let found = answer(&corridor(true), None, Search::Auto);
    assert!(matches!(&found.verdict, Verdict::Solved(policy) if policy.class == Class::Weak));
    assert_eq!(found.impossible, [Class::Strong, Class::StrongCyclic]);
}

#[test]
fn every_initial_state_counts() {
    let domain = "(define (domain d) (:requirements :non-deterministic) (:predicates (a) (b) (c) (g))
        (:action x :precondition (a) :effect (g)) (:action y :precondition (b) :effect (g)))";
    let problem = |choice: &str| format!("(define (problem p) (:domain d) (:init {choice}) (:goal (g)))");
    assert!(exists(&nondet(domain, &problem("(oneof (a) (b))")), Class::Strong, Search::Auto));
    let lost = nondet(domain, &problem("(oneof (a) (c))"));
    for class in [Class::Strong, Class::StrongCyclic, Class::Weak] {
        assert!(!exists(&lost, class, Search::Auto), "{class:?}");
    }
}

/// A random graph whose edges are actions with one to three targets.
fn random_graph(seed: u64) -> NondetTask {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let nodes = random.random_range(3..9);
    let predicates: String = (0..nodes).map(|node| format!("(n{node})")).collect();
    let mut domain =
        format!("(define (domain d) (:requirements :non-deterministic) (:predicates {predicates} (odd))");
    for action in 0..random.random_range(2..12) {
        let from = random.random_range(0..nodes);
        let outcomes: String = (0..random.random_range(1..4))
            .map(|_| match random.random_range(0..nodes) {
                to if to == from => " (when (odd) (not (odd)))".to_owned(),
                to => format!(" (and (not (n{from})) (n{to}))"),
            })
            .collect();
        let guard = if random.random_range(0..4) == 0 { "(odd)" } else { "" };
        domain +=
            &format!(" (:action a{action} :precondition (and (n{from}) {guard}) :effect (oneof{outcomes}))");
    }
    domain += ")";
    let problem = format!("(define (problem p) (:domain d) (:init (n0) (odd)) (:goal (n{})))", nodes - 1);
    nondet(&domain, &problem)
}

#[test]
fn both_searches_agree_on_what_exists() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        let task = random_graph(seed);
        let cyclic = exists(&task, Class::StrongCyclic, Search::Explicit);
        assert_eq!(cyclic, exists(&task, Class::StrongCyclic, Search::Symbolic), "seed {seed}");
        let (strong, weak) =
            (exists(&task, Class::Strong, Search::Auto), exists(&task, Class::Weak, Search::Auto));
        assert!(cyclic >= strong && weak >= cyclic, "seed {seed}");
        for (count, exists) in counts.iter_mut().zip([strong, cyclic, weak]) {
            *count += usize::from(exists);
        }
    }
    assert!(counts[0] > 20 && counts[1] > counts[0] && counts[2] > counts[1], "{counts:?}");
}
