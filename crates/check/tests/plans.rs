//! Plans that hold and plans that fail, in every way a plan can fail.

use std::fmt::Write as _;
use std::time::Duration;

use counterplay_base::Budget;
use counterplay_check::{check_plan, read_plan};
use counterplay_pddl::print::number_text;
use counterplay_syntax::{Diagnostic, Sources};
use expect_test::{Expect, expect};

fn show(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}\n", diagnostic.code, diagnostic.message);
    for label in &diagnostic.labels {
        let (line, column) = sources.position(label.span);
        let (file, place) = (&sources.files[label.span.file].name, sources.text(label.span));
        writeln!(text, "  {file}:{line}:{column} [{place}] {}", label.text).expect("strings grow");
    }
    if let Some(help) = &diagnostic.help {
        writeln!(text, "  help: {help}").expect("strings grow");
    }
    text
}

/// What the checker says about a plan, in full.
fn verdict(domain: &str, problem: &str, plan: &str, budget: &Budget) -> String {
    let mut sources = Sources::default();
    let files = [("domain", domain), ("problem", problem), ("plan", plan)];
    let [domain, problem, plan] = files.map(|(name, text)| sources.add(name, text));
    let problem = counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|error| show(&sources, &error.diagnostic())).collect::<String>())
    });
    let steps = match read_plan(&sources, plan, &problem) {
        Ok(steps) => steps,
        Err(errors) => return errors.iter().map(|error| show(&sources, &error.diagnostic())).collect(),
    };
    match check_plan(&problem, &steps, budget) {
        Err(flaw) => show(&sources, &flaw.diagnostic()),
        Ok(checked) => {
            let mut text = format!("valid: length {}", checked.length);
            if let Some(cost) = checked.cost {
                write!(text, ", cost {}", number_text(cost)).expect("strings grow");
            }
            if let Some(metric) = checked.metric {
                write!(text, ", metric {}", number_text(metric)).expect("strings grow");
            }
            for (name, count) in &checked.violations {
                write!(text, ", {name:?} violated {count} times").expect("strings grow");
            }
            text + "\n"
        }
    }
}

fn check(domain: &str, problem: &str, plan: &str, expected: Expect) {
    expected.assert_eq(&verdict(domain, problem, plan, &Budget::unlimited()));
}

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
