//! Plans that hold and plans that fail, in every way a plan can fail.

mod common;

use std::time::Duration;

use common::{check, verdict};
use counterplay_base::Budget;
use expect_test::expect;

const BLOCKS: &str = "(define (domain blocks)
  (:types block hand)
  (:predicates (on ?x ?y - block) (table ?x - block) (clear ?x - block) (holding ?x - block) (free))
  (:action pick :parameters (?x - block)
    :precondition (and (clear ?x) (table ?x) (free))
    :effect (and (not (table ?x)) (not (clear ?x)) (not (free)) (holding ?x)))
  (:action stack :parameters (?x ?y - block)
    :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (free) (on ?x ?y))))";

const TOWER: &str = "(define (problem tower) (:domain blocks)
  (:objects a b c - block h - hand)
  (:init (table a) (table b) (table c) (clear a) (clear b) (clear c) (free))
  (:goal (and (on a b) (on b c))))";

#[test]
fn plans_as_planners_write_them() {
    let plan = "(pick b)\n(stack b c)\n(pick a)\n(stack a b)\n; cost = 4 (unit cost)\n";
    check(
        BLOCKS,
        TOWER,
        plan,
        expect![[r#"
        valid: length 4, cost 4
    "#]],
    );
    let plan = "0: (PICK B) [1]\n1.000: (stack b C) [1.000]\r\n2 : ( pick a )\n3:(stack a b)";
    check(
        BLOCKS,
        TOWER,
        plan,
        expect![[r#"
        valid: length 4, cost 4
    "#]],
    );
}

#[test]
fn files_that_are_no_plans() {
    check(
        BLOCKS,
        TOWER,
        "(pik b)\n(pick d)\n\n(pick b c)\n(stack)\nhello\n(pick (b))\n()",
        expect![[r#"
        plan::unknown-action: unknown action `pik`
          plan:1:2 [pik] no action of the domain
          help: did you mean `pick`?
        plan::unknown-object: unknown object `d`
          plan:2:7 [d] no object of the problem
        plan::arity: `pick` takes 1 argument, found 2
          plan:4:1 [(pick b c)] 
          domain:4:12 [pick] declared here
        plan::arity: `stack` takes 2 arguments, found 0
          plan:5:1 [(stack)] 
          domain:7:12 [stack] declared here
        plan::no-step: expected a step such as `(move a b)`
          plan:6:1 [hello] 
        plan::no-step: expected a step such as `(move a b)`
          plan:7:7 [(b)] 
        plan::no-step: expected a step such as `(move a b)`
          plan:8:1 [()] 
    "#]],
    );
    check(
        BLOCKS,
        TOWER,
        "(pick b\n(stack b c)",
        expect![[r#"
        syntax::unclosed: this list is never closed
          plan:1:1 [(] opened here
          plan:2:12 [] the file ends here
    "#]],
    );
}

#[test]
fn failing_steps_and_goals() {
    check(
        BLOCKS,
        TOWER,
        "(pick b)\n(stack b c)\n(pick c)",
        expect![[r#"
        plan::precondition: step 3 `(pick c)`: `(clear c)` does not hold
          plan:3:1 [(pick c)] this step
          domain:5:24 [(clear ?x)] asked for here
    "#]],
    );
    check(
        BLOCKS,
        TOWER,
        "(pick b)\n(pick h)",
        expect![[r#"
        plan::argument: step 2 `(pick h)`: `h` is no block, as ?x must be
          plan:2:1 [(pick h)] this step
    "#]],
    );
    check(
        BLOCKS,
        TOWER,
        "(pick b)\n(stack b c)",
        expect![[r#"
        plan::goal: at the end the goal `(on a b)` does not hold
          problem:4:15 [(on a b)] asked for here
    "#]],
    );
    check(
        BLOCKS,
        TOWER,
        "; nothing to do\n",
        expect![[r#"
        plan::goal: at the end the goal `(on a b)` does not hold
          problem:4:15 [(on a b)] asked for here
    "#]],
    );
}

#[test]
fn hostile_quantifiers() {
    // Nothing to look ahead with, and a space of 50 to the power of 12.
    let variables = |count: usize| (0..count).map(|i| format!("?v{i} ")).collect::<String>();
    let objects = (0..50).map(|i| format!("o{i} ")).collect::<String>();
    let domain = "(define (domain d) (:functions (f)))";
    let problem = |goal: &str| {
        format!("(define (problem p) (:domain d) (:objects {objects}) (:init (= (f) 0)) (:goal {goal}))")
    };
    let budget = Budget::unlimited().with_time(Duration::from_millis(50));
    let goal = problem(&format!("(exists ({}) (> (f) 1))", variables(12)));
    expect![[r#"
        plan::stopped: the check was not finished: time limit of 0.050 s reached
    "#]]
    .assert_eq(&verdict(domain, &goal, "", &budget));
    // As many variables as one likes, and as deep as the reader allows.
    let goal = problem(&format!("(exists ({}) (> (f) 1))", variables(50_000)));
    let budget = Budget::unlimited().with_time(Duration::from_millis(50));
    assert!(verdict(domain, &goal, "", &budget).starts_with("plan::stopped"));
    let deep = "(exists (?x) (and (forall (?y) ".repeat(160) + "(= (f) 0)" + &")".repeat(3 * 160);
    check(
        domain,
        &problem(&deep).replace(&objects, "one"),
        "",
        expect![[r#"
        valid: length 0, cost 0
    "#]],
    );
}
