//! HDDL: what is read, and what is refused with its place.

use std::fmt::Write as _;

use counterplay_pddl::{print, read};
use counterplay_syntax::Sources;
use expect_test::{Expect, expect};

const DOMAIN: &str = "(define (domain errands)
  (:types place thing)
  (:predicates (at ?p - place) (have ?t - thing) (sold ?t - thing ?p - place))
  (:task fetch :parameters (?t - thing))
  (:method by-shop :parameters (?t - thing ?p ?q - place) :task (fetch ?t)
    :precondition (and (sold ?t ?p) (at ?q))
    :ordered-subtasks (and (t0 (go ?q ?p)) (buy ?t ?p)))
  (:method both-orders :parameters (?t ?u - thing) :task (fetch ?t)
    :subtasks (and (a (fetch ?t)) (b (fetch ?u)) (c (fetch ?t)))
    :ordering (and (< a b) (< a c)) :constraints (not (= ?t ?u)))
  (:action go :parameters (?p ?q - place) :precondition (at ?p) :effect (and (not (at ?p)) (at ?q)))
  (:action buy :parameters (?t - thing ?p - place) :precondition (at ?p) :effect (have ?t)))";

const PROBLEM: &str = "(define (problem one) (:domain errands)
  (:objects home shop - place milk - thing)
  (:htn :parameters (?x - thing) :subtasks (and (one (fetch milk)) (two (fetch ?x))))
  (:init (at home) (sold milk shop)))";

fn printed(domain: &str, problem: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let files = (sources.add("domain", domain), sources.add("problem", problem));
    match read(&sources, files.0, files.1) {
        Ok(problem) => Ok(print::domain_text(&problem) + &print::problem_text(&problem)),
        Err(errors) => {
            let mut text = String::new();
            for diagnostic in errors.iter().map(|error| error.diagnostic()) {
                writeln!(text, "{}: {}", diagnostic.code, diagnostic.message).expect("strings grow");
                let span = diagnostic.labels[0].span;
                let (line, column) = sources.position(span);
                let file = &sources.files[span.file].name;
                writeln!(text, "  {file}:{line}:{column}").expect("strings grow");
            }
            Err(text)
        }
    }
}

fn check_refused(file: &str, old: &str, new: &str, expected: Expect) {
    assert!(file.contains(old));
    let change = |text: &str| if text == file { text.replace(old, new) } else { text.to_owned() };
    expected.assert_eq(&printed(&change(DOMAIN), &change(PROBLEM)).expect_err("it is refused"));
}

#[test]
fn networks_are_printed_back() {
    expect![[r#"
        (define (domain errands)
          (:requirements :adl :typing :hierarchy)
          (:types
            place - object
            thing - object
          )
          (:predicates
            (at ?x0 - place)
            (have ?x0 - thing)
            (sold ?x0 - thing ?x1 - place)
          )
          (:action go
            :parameters (?p - place ?q - place)
            :precondition (at ?p)
            :effect (and (not (at ?p)) (at ?q)))
          (:action buy
            :parameters (?t - thing ?p - place)
            :precondition (at ?p)
            :effect (have ?t))
          (:task fetch :parameters (?x0 - thing))
          (:method by-shop
            :parameters (?t - thing ?p - place ?q - place)
            :task (fetch ?t)
            :precondition (and (sold ?t ?p) (at ?q))
            :subtasks (and (t0 (go ?q ?p)) (t1 (buy ?t ?p)))
            :ordering (and (< t0 t1)))
          (:method both-orders
            :parameters (?t - thing ?u - thing)
            :task (fetch ?t)
            :precondition (and)
            :subtasks (and (t0 (fetch ?t)) (t1 (fetch ?u)) (t2 (fetch ?t)))
            :ordering (and (< t0 t1) (< t0 t2))
            :constraints (not (= ?t ?u)))
        )
        (define (problem one) (:domain errands)
          (:objects
            home - place
            shop - place
            milk - thing
          )
          (:htn
            :parameters (?x - thing)
            :subtasks (and (t0 (fetch milk)) (t1 (fetch ?x)))
          )
          (:init
            (at home)
            (sold milk shop)
          )
        )
    "#]]
    .assert_eq(&printed(DOMAIN, PROBLEM).expect("it is read"));
}

#[test]
fn a_method_for_an_undeclared_task() {
    check_refused(
        DOMAIN,
        ":task (fetch ?t)\n    :pre",
        ":task (fetsh ?t)\n    :pre",
        expect![[r#"
            hddl::unknown-task: unknown task `fetsh`
              domain:5:66
        "#]],
    );
}

#[test]
fn a_subtask_of_wrong_arity_or_type() {
    check_refused(
        DOMAIN,
        "(buy ?t ?p)",
        "(buy ?t)",
        expect![[r#"
        pddl::arity: `buy` takes 2 arguments, found 1
          domain:7:44
    "#]],
    );
    check_refused(
        PROBLEM,
        "(fetch milk)",
        "(fetch shop)",
        expect![[r#"
        pddl::wrong-type: `shop` is of type place, but `fetch` takes thing here
          problem:3:61
    "#]],
    );
}

#[test]
fn an_ordering_cycle_or_an_unknown_label() {
    check_refused(
        DOMAIN,
        "(< a b) (< a c)",
        "(< a b) (< b c) (< c a)",
        expect![[r#"
        hddl::ordering-cycle: the ordering has a cycle through `fetch`
          domain:10:15
    "#]],
    );
    check_refused(
        DOMAIN,
        "(< a c)",
        "(< a d)",
        expect![[r#"
        hddl::unknown-label: unknown label `d`
          domain:10:33
    "#]],
    );
}

#[test]
fn constraints_speak_of_variables_only() {
    check_refused(
        DOMAIN,
        ":constraints (not (= ?t ?u))",
        ":constraints (have ?t)",
        expect![[r#"
        pddl::malformed: expected constraints on variables: `(= ?x ?y)`, `(not (= ?x ?y))`, and `and` of such
          domain:10:50
    "#]],
    );
}

#[test]
fn a_task_and_an_action_of_one_name() {
    check_refused(
        DOMAIN,
        "(:task fetch ",
        "(:task go :parameters ()) (:task fetch ",
        expect![[r#"
        pddl::duplicate: the task `go` is declared twice
          domain:11:12
        pddl::arity: `go` takes 0 arguments, found 2
          domain:7:32
    "#]],
    );
}

/// A label whose task is unknown has no subtask; reading it twice, or ordering by it, once panicked.
#[test]
fn an_unknown_subtask_with_a_label_that_comes_up_again() {
    check_refused(
        DOMAIN,
        "(and (a (fetch ?t)) (b (fetch ?u)) (c (fetch ?t)))",
        "(and (a (fetched ?t)) (a (fetch ?u)) (c (fetch ?t)) (b (fetching ?t)))",
        expect![[r#"
            hddl::unknown-task: unknown task `fetched`
              domain:9:24
            pddl::duplicate: the label `a` is declared twice
              domain:9:38
            hddl::unknown-task: unknown task `fetching`
              domain:9:71
        "#]],
    );
}

/// A task network may start from a state in which nothing is true; `(:init ...)` was asked for.
#[test]
fn a_network_without_an_initial_state() {
    let problem = "(define (problem one) (:domain errands) (:objects milk - thing) (:htn :subtasks (and (fetch milk))))";
    assert!(printed(DOMAIN, problem).is_ok());
    let plain = "(define (problem one) (:domain errands) (:objects milk - thing) (:goal (have milk)))";
    assert!(printed(DOMAIN, plain).is_err_and(|errors| errors.contains(":init")));
}

/// Ultralight-Cockpit of the IPC 2023 writes `?x -type`.
#[test]
fn a_type_may_follow_its_dash_without_a_blank() {
    let glued = DOMAIN.replace("(?t - thing ?p ?q - place)", "(?t -thing ?p ?q -place)");
    assert_ne!(glued, DOMAIN);
    assert_eq!(printed(&glued, PROBLEM), printed(DOMAIN, PROBLEM));
    let wrong = DOMAIN.replace("(?t - thing ?p ?q - place)", "(?t -thong ?p ?q -place)");
    let message = printed(&wrong, PROBLEM).expect_err("there is no such type");
    assert!(message.contains("unknown type `thong`"), "{message}");
}
