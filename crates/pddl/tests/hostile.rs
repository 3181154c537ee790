//! No text may make the reader panic, overflow the stack or take long.

use counterplay_pddl::{model::Problem, print, read};
use counterplay_syntax::{NESTING_LIMIT, Sources};
use proptest::prelude::*;
use proptest::sample::Index;

const DOMAIN: &str = "(define (domain all)
  (:requirements :adl :fluents)
  (:types block table - place place)
  (:constants home - table)
  (:predicates (p ?x) (on ?x - block ?y - (either block table)) (above ?x ?y))
  (:functions (f ?x - place) - number (total-cost) - number)
  (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))
  (:action a :parameters (?x ?y - block)
    :precondition (and (imply (p ?x) (not (= ?x ?y))) (forall (?z - place) (or (p ?z) (p home)))
                       (>= (+ (f ?x) -1.5) (* 2 (f ?y))) (preference soft (p ?y)))
    :effect (and (forall (?z - block) (when (on ?x ?z) (and (not (on ?x ?z)) (p ?z))))
                 (oneof (p ?x) (and)) (increase (total-cost) (/ (f ?x) 3)))))";

const PROBLEM: &str = "(define (problem one) (:domain all) (:objects b1 b2 - block)
  (:init (p b1) (on b1 b2) (= (f b1) 0.25) (not (p b2)))
  (:goal (and (above b1 b2) (preference soft (p b2)) (forall (?x - block) (preference each (p ?x)))))
  (:metric maximize (- 10 (+ (total-cost) (* 2 (is-violated soft)) (is-violated each)))))";

/// Reads, makes all messages, and prints what was read.
fn run(domain: &str, problem: &str) -> Option<Problem> {
    let mut sources = Sources::default();
    let files = (sources.add("domain", domain), sources.add("problem", problem));
    match read(&sources, files.0, files.1) {
        Ok(problem) => {
            print::domain_text(&problem);
            print::problem_text(&problem);
            Some(problem)
        }
        Err(errors) => {
            for error in errors {
                let diagnostic = error.diagnostic();
                assert!(!diagnostic.labels.is_empty(), "{diagnostic:?}");
                diagnostic.labels.iter().for_each(|label| {
                    sources.text(label.span);
                });
            }
            None
        }
    }
}

/// The text with pieces cut out, doubled or replaced by other pieces of it.
fn mutate(text: &str, edits: &[(Index, Index, u8)]) -> String {
    let mut tokens: Vec<&str> = text.split_inclusive([' ', '(', ')', '\n']).collect();
    for (at, other, kind) in edits {
        let (at, other) = (at.index(tokens.len()), other.index(tokens.len()));
        match kind % 4 {
            0 if tokens.len() > 1 => {
                tokens.remove(at);
            }
            1 => tokens.insert(at, tokens[other]),
            2 => tokens[at] = tokens[other],
            _ => tokens.swap(at, other),
        }
    }
    tokens.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn mutated_files(
        domain in prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 0..4),
        problem in prop::collection::vec((any::<Index>(), any::<Index>(), any::<u8>()), 0..4),
    ) {
        run(&mutate(DOMAIN, &domain), &mutate(PROBLEM, &problem));
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..100), at in any::<Index>()) {
        let mut sources = Sources::default();
        let good = sources.add("domain", DOMAIN);
        let mut mixed = PROBLEM.as_bytes().to_vec();
        let at = at.index(mixed.len());
        mixed.splice(at..at, bytes.iter().copied());
        let (mixed, random) = (sources.add_bytes("mixed", mixed), sources.add_bytes("random", bytes));
        let _ = read(&sources, good, mixed);
        let _ = read(&sources, random, good);
    }
}

#[test]
fn the_samples_themselves_are_fine() {
    assert!(run(DOMAIN, PROBLEM).is_some());
}

#[test]
fn nesting_up_to_the_limit_works() {
    let nest = |open: &str, inner: &str, used: usize| {
        let depth = NESTING_LIMIT - used;
        open.repeat(depth) + inner + &")".repeat(depth)
    };
    for open in ["(not ", "(and ", "(or (p home) ", "(forall (?x) ", "(exists (?x) "] {
        let goal = nest(open, "(p home)", 4);
        let problem = format!("(define (problem p) (:domain all) (:init) (:goal {goal}))");
        assert!(run(DOMAIN, &problem).is_some(), "{open}");
    }
    for open in ["(and ", "(forall (?x) ", "(when (p home) ", "(oneof (p home) "] {
        let effect = nest(open, "(p home)", 4);
        let domain = DOMAIN.replace("(:action", &format!("(:action b :effect {effect}) (:action"));
        assert!(run(&domain, PROBLEM).is_some(), "{open}");
    }
    for open in ["(+ 1 ", "(* 2 ", "(- 1 ", "(- ", "(/ 1 "] {
        let metric = nest(open, "(total-cost)", 4);
        let problem =
            format!("(define (problem p) (:domain all) (:init) (:goal (and)) (:metric minimize {metric}))");
        assert!(run(DOMAIN, &problem).is_some(), "{open}");
    }
}

#[test]
fn large_files_take_no_time() {
    let many = |make: fn(usize) -> String| (0..50_000).map(make).collect::<String>();
    let chain = many(|i| format!("t{i} - t{} ", i + 1));
    let wide = many(|i| format!("t{i} - top "));
    let rules = many(|i| format!("(:derived (d{}) (not (d{i})))", i + 1));
    let predicates = many(|i| format!("(d{i})")) + "(d50000)";
    let objects = many(|i| format!("o{i} "));
    let unknown = many(|i| format!("(nothing o{i} x{i})"));
    let facts = many(|i| format!("(p o{i}) (= (f o{i}) 1)"));
    let quantified = many(|i| format!("?v{i} "));
    let domain = |rest: &str| format!("(define (domain d) (:predicates (p ?x)) (:functions (f ?x)) {rest})");
    let problem = |rest: &str| format!("(define (problem p) (:domain d) (:objects {objects}) {rest})");
    let empty = "(:init) (:goal (and))";
    assert!(run(&domain(&format!("(:types {chain})")), &problem(empty)).is_none());
    assert!(run(&domain(&format!("(:types {wide})")), &problem(empty)).is_some());
    assert!(run(&domain(&format!("(:predicates {predicates}) {rules}")), &problem(empty)).is_some());
    assert!(run(&domain(""), &problem(&format!("(:init {unknown}) (:goal (and))"))).is_none());
    assert!(
        run(&domain(""), &problem(&format!("(:init {facts}) (:goal (exists ({quantified}) (and)))")))
            .is_some()
    );
}
