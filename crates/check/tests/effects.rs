//! What steps change: facts, numbers, and what is derived from them.

mod common;

use common::check;
use expect_test::{Expect, expect};

/// One action `act` whose effect, and the goal, are given.
fn check_effect(effect: &str, goal: &str, expected: Expect) {
    let domain = format!(
        "(define (domain d) (:types t u) (:constants a b - t c - u)
           (:predicates (p ?x) (q ?x ?y)) (:functions (f ?x) (g) (h))
           (:action act :parameters (?x) :effect {effect}))"
    );
    let problem = format!(
        "(define (problem p) (:domain d)
           (:init (p a) (p c) (q a b) (= (f a) 1) (= (f b) 3) (= (g) 2))
           (:goal {goal}))"
    );
    check(&domain, &problem, "(act a)", expected);
}

#[test]
fn effects() {
    check_effect(
        "(and (p ?x) (not (p ?x)))",
        "(p a)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(forall (?y) (when (p ?y) (and (not (p ?y)) (q ?y ?y))))",
        "(and (not (p a)) (q c c) (not (q b b)))",
        expect![[r#"
            valid: length 1, cost 1
        "#]],
    );
    // Conditions are read before anything changes.
    check_effect(
        "(and (not (p ?x)) (when (p ?x) (p b)))",
        "(and (p b) (not (p a)))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(forall (?y - t) (forall (?z - u) (q ?y ?z)))",
        "(forall (?y - t) (q ?y c))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(oneof (p ?x))",
        "(p a)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(oneof (p ?x) (p b))",
        "(p a)",
        expect![[r#"
        plan::choice: step 1 `(act a)`: the action has several outcomes, so a plan cannot rely on it
          plan:1:1 [(act a)] this step
    "#]],
    );
}

#[test]
fn changes_of_numbers() {
    check_effect(
        "(and (assign (g) (f ?x)) (increase (f ?x) (g)))",
        "(and (= (g) 1) (= (f a) 3))",
        expect![[r#"
            valid: length 1, cost 1
        "#]],
    );
    check_effect(
        "(forall (?y - t) (increase (g) (f ?y)))",
        "(= (g) 6)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(and (scale-up (g) 3) (scale-down (g) 4))",
        "(= (g) 1.5)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(and (decrease (g) 3) (increase (g) 1))",
        "(= (g) 1)",
        expect![[r#"
        plan::goal: at the end the goal `(= (g) 1)` does not hold: (g) is 0
          problem:3:19 [(= (g) 1)] asked for here
    "#]],
    );
    check_effect(
        "(assign (h) 3)",
        "(= (h) 3)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(increase (h) 3)",
        "(and)",
        expect![[r#"
        plan::undefined: step 1 `(act a)`: `(h)` has no value
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_effect(
        "(increase (g) (+ 1 (h)))",
        "(and)",
        expect![[r#"
        plan::undefined: step 1 `(act a)`: `(+ 1 (h))` has no value
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_effect(
        "(scale-down (g) 0)",
        "(and)",
        expect![[r#"
            plan::undefined: step 1 `(act a)`: `(/ (g) 0)` has no value
              plan:1:1 [(act a)] this step
        "#]],
    );
    check_effect(
        "(and (assign (g) 1) (assign (g) 1))",
        "(= (g) 1)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_effect(
        "(and (assign (g) 1) (assign (g) 2))",
        "(= (g) 1)",
        expect![[r#"
        plan::clash: step 1 `(act a)`: contradicting changes of `(g)`
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_effect(
        "(and (assign (g) 1) (increase (g) 2))",
        "(= (g) 1)",
        expect![[r#"
        plan::clash: step 1 `(act a)`: contradicting changes of `(g)`
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_effect(
        "(forall (?y) (when (p ?y) (assign (g) (f ?y))))",
        "(and)",
        expect![[r#"
        plan::undefined: step 1 `(act a)`: `(f c)` has no value
          plan:1:1 [(act a)] this step
    "#]],
    );
}

#[test]
fn derived_predicates() {
    let domain = "(define (domain d)
      (:predicates (link ?x ?y) (cut ?x) (reach ?x ?y) (lonely ?x) (split))
      (:derived (reach ?x ?y) (and (link ?x ?y) (not (cut ?x))))
      (:derived (reach ?x ?y) (exists (?z) (and (reach ?x ?z) (reach ?z ?y))))
      (:derived (lonely ?x) (not (exists (?y) (or (reach ?x ?y) (reach ?y ?x)))))
      (:derived (split) (exists (?x) (lonely ?x)))
      (:action cut :parameters (?x) :precondition (not (split)) :effect (cut ?x))
      (:action join :parameters (?x ?y) :precondition (lonely ?y) :effect (link ?x ?y)))";
    let problem = |goal: &str| {
        format!(
            "(define (problem p) (:domain d) (:objects a b c d e)
               (:init (link a b) (link b c) (link c d)) (:goal {goal}))"
        )
    };
    check(
        domain,
        &problem("(and (reach a e) (not (split)))"),
        "(join d e)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check(
        domain,
        &problem("(reach a e)"),
        "(join d e) (cut b)",
        expect![[r#"
        plan::goal: at the end the goal `(reach a e)` does not hold
          problem:2:64 [(reach a e)] asked for here
    "#]],
    );
    check(
        domain,
        &problem("(and)"),
        "(cut b)",
        expect![[r#"
        plan::precondition: step 1 `(cut b)`: `(not (split))` does not hold
          plan:1:1 [(cut b)] this step
          domain:7:56 [(split)] asked for here
    "#]],
    );
    check(
        domain,
        &problem("(and)"),
        "(join d e) (cut a) (cut b)",
        expect![[r#"
        plan::precondition: step 3 `(cut b)`: `(not (split))` does not hold
          plan:1:20 [(cut b)] this step
          domain:7:56 [(split)] asked for here
    "#]],
    );
}
