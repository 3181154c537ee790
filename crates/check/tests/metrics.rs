//! Costs, metrics and preferences.

mod common;

use common::check;
use expect_test::expect;

#[test]
fn costs_metrics_and_preferences() {
    let domain = "(define (domain d) (:types place)
      (:predicates (at ?x - place) (seen ?x - place) (shy))
      (:functions (length ?x ?y - place) - number (total-cost) - number (fuel) - number)
      (:action go :parameters (?x ?y - place)
        :precondition (and (at ?x) (preference shy-away (not (shy)))
                           (forall (?z - place) (preference fresh (not (seen ?z)))))
        :effect (and (not (at ?x)) (at ?y) (seen ?x) (increase (total-cost) (length ?x ?y)) (decrease (fuel) 1))))";
    let problem = |metric: &str| {
        format!(
            "(define (problem p) (:domain d) (:objects a b c - place)
               (:init (at a) (shy) (= (length a b) 1.5) (= (length b c) 2) (= (total-cost) 10) (= (fuel) 5))
               (:goal (and (at c) (preference back (at a)) (preference (seen b))
                           (forall (?x - place) (preference all (seen ?x)))))
               {metric})"
        )
    };
    let plan = "(go a b) (go b c)";
    check(
        domain,
        &problem(""),
        plan,
        expect![[r#"
        valid: length 2, cost 2, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
    "#]],
    );
    check(
        domain,
        &problem("(:metric minimize (total-cost))"),
        plan,
        expect![[r#"
            valid: length 2, cost 3.5, metric 13.5, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
        "#]],
    );
    check(
        domain,
        &problem("(:metric maximize (fuel))"),
        plan,
        expect![[r#"
        valid: length 2, cost 2, metric 3, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
    "#]],
    );
    check(
        domain,
        &problem("(:metric minimize (total-time))"),
        plan,
        expect![[r#"
        valid: length 2, cost 2, metric 2, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
    "#]],
    );
    check(
        domain,
        &problem(
            "(:metric maximize (- 100 (+ (total-cost) (* 3 (is-violated all)) (is-violated shy-away))))",
        ),
        plan,
        expect![[r#"
            valid: length 2, cost 3.5, metric 81.5, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
        "#]],
    );
    check(
        domain,
        &problem("(:metric minimize (length c a))"),
        plan,
        expect![[r#"
        valid: length 2, "" violated 0 times, "all" violated 1 times, "back" violated 1 times, "fresh" violated 1 times, "shy-away" violated 2 times
    "#]],
    );
    check(
        domain,
        &problem("(:metric minimize (total-cost))"),
        "(go a b) (go b c) (go c a)",
        expect![[r#"
        plan::undefined: step 3 `(go c a)`: `(length c a)` has no value
          plan:1:19 [(go c a)] this step
    "#]],
    );
}

#[test]
fn numbers_that_grow_too_large() {
    let domain = "(define (domain d) (:functions (f))
      (:action square :precondition (> (f) 0) :effect (scale-up (f) (f))))";
    let problem = "(define (problem p) (:domain d) (:init (= (f) 123456789)) (:goal (and)))";
    check(
        domain,
        problem,
        "(square) (square)",
        expect![[r#"
        valid: length 2, cost 2
    "#]],
    );
    check(
        domain,
        problem,
        "(square) (square) (square) (square)",
        expect![[r#"
        plan::overflow: a number became too large to be held exactly
          plan:1:19 [(square)] this step
    "#]],
    );
}
