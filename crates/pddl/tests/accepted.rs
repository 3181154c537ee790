//! Texts that must be read, and what they mean: each is printed back in full.

use counterplay_pddl::{print, read};
use counterplay_syntax::Sources;
use expect_test::{Expect, expect};

fn printed(domain: &str, problem: &str) -> (String, String) {
    let mut sources = Sources::default();
    let files = (sources.add("domain.pddl", domain), sources.add("problem.pddl", problem));
    let problem = read(&sources, files.0, files.1).unwrap_or_else(|errors| panic!("{errors:#?}"));
    (print::domain_text(&problem), print::problem_text(&problem))
}

fn check(domain: &str, problem: &str, expected: Expect) {
    let (domain, problem) = printed(domain, problem);
    expected.assert_eq(&format!("{domain}{problem}"));
    assert_eq!(printed(&domain, &problem), (domain, problem), "print-then-parse is the identity");
}

#[test]
fn case_is_ignored_and_order_is_free() {
    check(
        "\u{feff}(DEFINE (Domain Mixed)\r\n (:Predicates (At ?X - Place) (DONE))\r\n (:TYPES place)
          (:action GO :effect (and (at ?b) (not (AT ?A)))
                      :parameters (?a ?B - Place) :precondition (AT ?a)))",
        "(define (problem P) (:domain other-name) (:init (AT Here) (at here)) (:objects Here there - PLACE)
          (:goal (At THERE)))",
        expect![[r#"
            (define (domain mixed)
              (:requirements :adl :typing)
              (:types
                place - object
              )
              (:predicates
                (At ?x0 - place)
                (DONE)
              )
              (:action GO
                :parameters (?a - place ?b - place)
                :precondition (At ?a)
                :effect (and (At ?b) (not (At ?a))))
            )
            (define (problem p) (:domain mixed)
              (:objects
                Here - place
                there - place
              )
              (:init
                (At Here)
              )
              (:goal (At there))
            )
        "#]],
    );
}

#[test]
fn types_of_every_shape() {
    check(
        "(define (domain types)
          (:types area crate - surface  surface place - object  area - place  store - area  boat - vehicles)
          (:constants home - store)
          (:predicates (in ?x - (either store crate) ?y - place) (free ?x))
          (:action wide :parameters (?x - object ?y - area ?z)
            :precondition (and (in ?x ?y) (free home)) :effect ()))",
        "(define (problem p) (:domain types) (:objects home - store c - crate odd)
          (:init (and (in c home) (not (free c))) (free odd)) (:goal ()))",
        expect![[r#"
            (define (domain types)
              (:requirements :adl :typing)
              (:types
                area - surface
                area - place
                crate - surface
                surface - object
                place - object
                store - area
                boat - vehicles
                vehicles - object
              )
              (:constants
                home - store
              )
              (:predicates
                (in ?x0 - (either crate store) ?x1 - place)
                (free ?x0 - object)
              )
              (:action wide
                :parameters (?x - object ?y - area ?z - object)
                :precondition (and (in ?x ?y) (free home))
                :effect (and))
            )
            (define (problem p) (:domain types)
              (:objects
                c - crate
                odd - object
              )
              (:init
                (in c home)
                (free odd)
              )
              (:goal (and))
            )
        "#]],
    );
}

#[test]
fn every_kind_of_condition_and_effect() {
    check(
        "(define (domain all)
          (:requirements :adl :fluents :derived-predicates :preferences :non-deterministic)
          (:predicates (p ?x) (q ?x ?y) (above ?x ?y) (linked))
          (:functions (f ?x) - number (g) (total-cost) - number)
          (:derived (above ?x ?y) (or (q ?x ?y) (exists (?z) (and (q ?x ?z) (above ?z ?y)))))
          (:derived (linked) (forall (?x) (exists (?y) (above ?x ?y))))
          (:action a :parameters (?x ?y)
            :precondition (and (imply (p ?x) (not (= ?x ?y))) (forall (?x) (or (p ?x) (p ?y)))
                               (>= (+ (f ?x) (g) -1.5) (* 2 (f ?y))) (< (- (g)) (- (g) 3)) (= (/ (g) 4) g)
                               (preference soft (p ?y)) (preference (p ?x))
                               (forall (?z) (preference each (p ?z))))
            :effect (and (forall (?z) (when (q ?x ?z) (and (not (q ?x ?z)) (p ?z))))
                         (oneof (p ?x) (and) (oneof (p ?y) (not (p ?y))))
                         (increase (total-cost) (f ?x)) (assign (g) 0) (decrease (f ?x) 1)
                         (scale-up (f ?y) 2) (scale-down (f ?y) 0.5))))",
        "(define (problem p) (:domain all) (:objects 1 2)
          (:init (p 1) (q 1 2) (= (f 1) 0.250) (= (g) -7))
          (:goal (and (linked) (preference soft (p 2)) (forall (?x) (preference each (p ?x)))))
          (:metric maximize (- 10 (+ (total-cost) total-time (* 2 (is-violated soft)) (is-violated EACH)))))",
        expect![[r#"
            (define (domain all)
              (:requirements :adl :typing :derived-predicates :numeric-fluents :preferences :non-deterministic)
              (:predicates
                (p ?x0 - object)
                (q ?x0 - object ?x1 - object)
                (above ?x0 - object ?x1 - object)
                (linked)
              )
              (:functions
                (f ?x0 - object) - number
                (g) - number
                (total-cost) - number
              )
              (:derived (above ?x - object ?y - object) (or (q ?x ?y) (exists (?z - object) (and (q ?x ?z) (above ?z ?y)))))
              (:derived (linked) (forall (?x - object) (exists (?y - object) (above ?x ?y))))
              (:action a
                :parameters (?x - object ?y - object)
                :precondition (and (or (not (p ?x)) (not (= ?x ?y))) (forall (?x - object) (or (p ?x) (p ?y))) (>= (+ (f ?x) (g) -1.5) (* 2 (f ?y))) (< (- (g)) (- (g) 3)) (= (/ (g) 4) (g)) (preference soft (p ?y)) (preference (p ?x)) (forall (?z - object) (preference each (p ?z))))
                :effect (and (forall (?z - object) (when (q ?x ?z) (and (not (q ?x ?z)) (p ?z)))) (oneof (p ?x) (and) (oneof (p ?y) (not (p ?y)))) (increase (total-cost) (f ?x)) (assign (g) 0) (decrease (f ?x) 1) (scale-up (f ?y) 2) (scale-down (f ?y) 0.5)))
            )
            (define (problem p) (:domain all)
              (:objects
                1 - object
                2 - object
              )
              (:init
                (p 1)
                (q 1 2)
                (= (f 1) 0.25)
                (= (g) -7)
                (= (total-cost) 0)
              )
              (:goal (and (linked) (preference soft (p 2)) (forall (?x - object) (preference each (p ?x)))))
              (:metric maximize (- 10 (+ (total-cost) (total-time) (* 2 (is-violated soft)) (is-violated each))))
            )
        "#]],
    );
}

#[test]
fn rules_take_the_types_of_their_predicate() {
    check(
        "(define (domain d) (:types block) (:predicates (on ?x ?y - block) (above ?x ?y - block))
          (:derived (above ?x ?y - block) (on ?x ?y)) (:derived (above ?x ?y) (on ?y ?x)))",
        "(define (problem p) (:domain d) (:init) (:goal (exists (?x ?y - block) (above ?x ?y))))",
        expect![[r#"
            (define (domain d)
              (:requirements :adl :typing :derived-predicates)
              (:types
                block - object
              )
              (:predicates
                (on ?x0 - block ?x1 - block)
                (above ?x0 - block ?x1 - block)
              )
              (:derived (above ?x - block ?y - block) (on ?x ?y))
              (:derived (above ?x - block ?y - block) (on ?y ?x))
            )
            (define (problem p) (:domain d)
              (:init
              )
              (:goal (exists (?x - block ?y - block) (above ?x ?y)))
            )
        "#]],
    );
}

#[test]
fn costs_need_no_declaration() {
    let (domain, problem) = printed(
        "(define (domain d) (:action a :effect (increase (total-cost) 3)))",
        "(define (problem p) (:domain d) (:init) (:goal (and)) (:metric minimize (total-cost)))",
    );
    assert!(domain.contains("(:functions\n    (total-cost) - number"), "{domain}");
    assert!(problem.contains("(= (total-cost) 0)"), "{problem}");
}

/// Names are printed as their declaration writes them, whatever the uses look like.
#[test]
fn names_keep_the_spelling_of_their_declaration() {
    let (domain, problem) = printed(
        "(define (domain d) (:predicates (At ?x)) (:constants Home)
           (:action Go-To :parameters (?X) :precondition (not (AT?x)) :effect (at?x)))",
        "(define (problem p) (:domain d) (:objects Work) (:init (at HOME)) (:goal (AT work)))",
    );
    for words in ["(At ?x0", "(:action Go-To", "(not (At ?x))"] {
        assert!(domain.contains(words), "{words}: {domain}");
    }
    for words in ["(At Home)", "(At Work)"] {
        assert!(problem.contains(words), "{words}: {problem}");
    }
}
