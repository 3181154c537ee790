//! Conditions that hold and conditions that fail: the smallest part is to blame.

mod common;

use common::check;
use expect_test::{Expect, expect};

/// One action `act` whose precondition, and a goal, are given; objects a, b of type t, c of type u.
fn check_condition(condition: &str, expected: Expect) {
    let domain = format!(
        "(define (domain d) (:types t u) (:constants a b - t c - u)
           (:predicates (p ?x) (q ?x ?y) (done)) (:functions (f ?x) (g) (h))
           (:action act :parameters (?x) :precondition {condition} :effect (done)))"
    );
    let problem = "(define (problem p) (:domain d)
      (:init (p a) (p c) (q a b) (= (f a) 1.5) (= (g) 2) (= (f b) 0))
      (:goal (done)))";
    check(&domain, problem, "(act a)", expected);
}

#[test]
fn the_smallest_part_is_to_blame() {
    check_condition(
        "(and (p ?x) (not (p b)) (p c))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(and (p ?x) (and (p c) (and (p b))))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(p b)` does not hold
          plan:1:1 [(act a)] this step
          domain:3:84 [(p b)] asked for here
    "#]],
    );
    check_condition(
        "(not (p ?x))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (p a))` does not hold
          plan:1:1 [(act a)] this step
          domain:3:61 [(p ?x)] asked for here
    "#]],
    );
    check_condition(
        "(not (and (p ?x) (p c)))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (and (p a) (p c)))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(not (or (p b) (q a ?x) (q a b)))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (q a b))` does not hold
          plan:1:1 [(act a)] this step
          domain:3:80 [(q a b)] asked for here
    "#]],
    );
    check_condition(
        "(or (p b) (q ?x ?x))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(or (p b) (q a a))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(or (p b))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(p b)` does not hold
          plan:1:1 [(act a)] this step
          domain:3:60 [(p b)] asked for here
    "#]],
    );
    check_condition(
        "(or)",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(or)` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(imply (p ?x) (p b))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(or (not (p a)) (p b))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(= ?x b)",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(= a b)` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(not (= ?x a))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (= a a))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
}

#[test]
fn quantifiers() {
    check_condition(
        "(forall (?y) (p ?y))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(p b)` does not hold
          plan:1:1 [(act a)] this step
          domain:3:69 [(p ?y)] asked for here
    "#]],
    );
    check_condition(
        "(forall (?y - u) (p ?y))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(forall (?y - t ?z - u) (imply (p ?y) (not (p ?z))))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(or (not (p a)) (not (p c)))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(exists (?y - t) (q ?x ?y))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(exists (?y - u) (q ?x ?y))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(exists (?y - u) (q a ?y))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(not (exists (?y ?z) (and (q ?y ?z) (p ?y))))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (and (q a b) (p a)))` does not hold
          plan:1:1 [(act a)] this step
    "#]],
    );
    check_condition(
        "(exists (?y ?z) (and (q ?y ?z) (forall (?w) (or (q ?y ?w) (not (q ?y ?w))))))",
        expect![[r#"
            valid: length 1, cost 1
        "#]],
    );
    check_condition(
        "(forall (?x) (exists (?y) (or (q ?x ?y) (p ?y))))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
}

#[test]
fn numbers() {
    check_condition(
        "(>= (g) (+ (f ?x) 0.5))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(< (* 2 (f ?x)) (- (g) 3))",
        expect![[r#"
            plan::precondition: step 1 `(act a)`: `(< (* 2 (f a)) (- (g) 3))` does not hold: (f a) is 1.5, (g) is 2
              plan:1:1 [(act a)] this step
              domain:3:56 [(< (* 2 (f ?x)) (- (g) 3))] asked for here
        "#]],
    );
    check_condition(
        "(= (/ (f ?x) 3) 0.5)",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(>= (h) 0)",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(>= (h) 0)` does not hold: (h) has no value
          plan:1:1 [(act a)] this step
          domain:3:56 [(>= (h) 0)] asked for here
    "#]],
    );
    // What reads an undefined number holds neither way.
    check_condition(
        "(not (>= (h) 0))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (>= (h) 0))` does not hold: (h) has no value
          plan:1:1 [(act a)] this step
          domain:3:61 [(>= (h) 0)] asked for here
    "#]],
    );
    check_condition(
        "(or (>= (h) 0) (p ?x))",
        expect![[r#"
        valid: length 1, cost 1
    "#]],
    );
    check_condition(
        "(> (/ (g) (f b)) 0)",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(> (/ (g) (f b)) 0)` does not hold: (g) is 2, (f b) is 0
          plan:1:1 [(act a)] this step
          domain:3:56 [(> (/ (g) (f b)) 0)] asked for here
    "#]],
    );
    check_condition(
        "(forall (?y - t) (> (f ?y) 0))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(> (f b) 0)` does not hold: (f b) is 0
          plan:1:1 [(act a)] this step
          domain:3:73 [(> (f ?y) 0)] asked for here
    "#]],
    );
    check_condition(
        "(not (exists (?y) (> (f ?y) 100)))",
        expect![[r#"
        plan::precondition: step 1 `(act a)`: `(not (> (f c) 100))` does not hold: (f c) has no value
          plan:1:1 [(act a)] this step
          domain:3:74 [(> (f ?y) 100)] asked for here
    "#]],
    );
}
