//! Plans of task networks: when methods are chosen, and what trying every decomposition says.

use counterplay_base::Budget;
use counterplay_check::{
    Existence, Guarantee, check_decomposition, check_network_policy, own_reward, read_decomposition,
    read_network_policy, try_advice, try_decompositions,
};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn is_accepted(problem: &Problem, plan: &str) -> bool {
    let mut sources = Sources::default();
    let file = sources.add("plan", plan);
    let plan = read_decomposition(&sources, file, problem).expect("the plan can be read");
    check_decomposition(problem, &plan, &Budget::unlimited()).is_ok()
}

/// Two tasks without actions, one of which can be done only before the action and the other only after it.
const MOMENTS: &str = "(define (domain moments) (:requirements :adl :hierarchy)
  (:predicates (late))
  (:task early :parameters ()) (:task later :parameters ())
  (:method at-first :parameters () :task (early) :precondition (not (late)) :subtasks ())
  (:method at-last :parameters () :task (later) :precondition (late) :subtasks ())
  (:action wait :parameters () :effect (late)))";

const PLAN: &str = "==>\n0 wait\nroot 1 2 0\n1 early -> at-first\n2 later -> at-last\n<==\n";

/// The order of tasks without actions was not looked at.
#[test]
fn tasks_without_actions_happen_in_their_order() {
    let problem = |ordering: &str| {
        let network = "(and (e (early)) (l (later)) (w (wait)))";
        let text = format!(
            "(define (problem p) (:domain moments) (:htn :subtasks {network} :ordering (and {ordering})))"
        );
        read(MOMENTS, &text)
    };
    assert!(is_accepted(&problem(""), PLAN));
    assert!(is_accepted(&problem("(< e l)"), PLAN));
    assert!(is_accepted(&problem("(< e w) (< w l)"), PLAN));
    assert!(!is_accepted(&problem("(< l e)"), PLAN));
    assert!(!is_accepted(&problem("(< w e)"), PLAN));
    for (ordering, expected) in [("(< e l)", Existence::Possible), ("(< l e)", Existence::Impossible)] {
        let tried = try_decompositions(&problem(ordering), Guarantee::Weak, 1_000, &Budget::unlimited());
        assert_eq!(tried, Ok(expected), "{ordering}");
    }
}

/// A plan may name the parts of a task in any order; which number is which part is for the checker to find out.
#[test]
fn parts_are_named_in_any_order() {
    let text =
        "(define (problem p) (:domain moments) (:htn :subtasks (and (e (early)) (l (later)) (w (wait)))))";
    let problem = read(MOMENTS, text);
    for order in ["1 2 0", "1 0 2", "2 1 0", "2 0 1", "0 1 2", "0 2 1"] {
        assert!(is_accepted(&problem, &PLAN.replace("1 2 0", order)), "{order}");
    }
    assert!(!is_accepted(&problem, &PLAN.replace("1 2 0", "1 0")), "a part is missing");
    assert!(
        !is_accepted(&problem, &PLAN.replace("later -> at-last", "early -> at-first")),
        "a part is there twice"
    );
}

#[test]
fn unknown_words_in_plans_are_errors() {
    let text =
        "(define (problem p) (:domain moments) (:htn :subtasks (and (e (early)) (l (later)) (w (wait)))))";
    let problem = read(MOMENTS, text);
    for (known, unknown) in [("wait", "weight"), ("later", "latest"), ("at-last", "at-least")] {
        let mut sources = Sources::default();
        let file = sources.add("plan", PLAN.replace(known, unknown));
        let errors = read_decomposition(&sources, file, &problem).expect_err("it is not known");
        assert!(errors.iter().any(|error| error.to_string().contains(unknown)), "{errors:?}");
    }
}

#[test]
fn trying_everything_ends_open_where_networks_grow_without_end() {
    let domain = "(define (domain growing) (:requirements :hierarchy :non-deterministic)
      (:predicates (up) (done))
      (:task work :parameters ())
      (:method more :parameters () :task (work) :subtasks (and (work) (flip)))
      (:action flip :parameters () :effect (oneof (up) (not (up)))))";
    let problem = read(
        domain,
        "(define (problem p) (:domain growing) (:htn :ordered-subtasks (and (work))) (:goal (done)))",
    );
    for wanted in [Guarantee::Weak, Guarantee::Strong, Guarantee::StrongCyclic] {
        let unlimited = Budget::unlimited();
        assert_eq!(try_decompositions(&problem, wanted, 60, &unlimited), Ok(Existence::Open));
        assert_eq!(try_advice(&problem, wanted, 60, &unlimited), Ok(Existence::Open));
    }
}

/// The goal may be reached half-way, and a state that has its answer needs no second one.
#[test]
fn advice_is_followed_until_the_goal_holds() {
    let domain = "(define (domain flipping) (:requirements :hierarchy :non-deterministic)
      (:predicates (up))
      (:task work :parameters ())
      (:method once :parameters () :task (work) :ordered-subtasks (and (flip)))
      (:action flip :parameters () :effect (oneof (up) (not (up)))))";
    let problem = read(
        domain,
        "(define (problem p) (:domain flipping) (:htn :ordered-subtasks (and (work))) (:goal (up)))",
    );
    let tried = |wanted| try_advice(&problem, wanted, 500, &Budget::unlimited()).expect("no limit");
    assert_eq!(tried(Guarantee::Strong), Existence::Impossible);
    assert_eq!(tried(Guarantee::StrongCyclic), Existence::Possible);
    assert_eq!(tried(Guarantee::Weak), Existence::Possible);
    let carried = |wanted| try_decompositions(&problem, wanted, 500, &Budget::unlimited()).expect("no limit");
    assert_eq!(carried(Guarantee::StrongCyclic), Existence::Impossible);
    assert_eq!(carried(Guarantee::Weak), Existence::Possible);
}

/// A method may be for one object only.
#[test]
fn methods_for_one_object_are_for_no_other() {
    let domain =
        "(define (domain keys) (:requirements :typing :hierarchy) (:types key) (:constants gold - key)
      (:predicates (open))
      (:task unlock :parameters (?k - key))
      (:method with-gold :parameters () :task (unlock gold) :ordered-subtasks (and (turn)))
      (:action turn :parameters () :effect (open)))";
    let tried = |key: &str| {
        let problem = format!(
            "(define (problem p) (:domain keys) (:objects lead - key) (:htn :ordered-subtasks (and (unlock {key}))) (:init))"
        );
        try_decompositions(&read(domain, &problem), Guarantee::Weak, 100, &Budget::unlimited())
    };
    assert_eq!(tried("gold"), Ok(Existence::Possible));
    assert_eq!(tried("lead"), Ok(Existence::Impossible));
}

/// Values of variables that a policy gives are taken as they are given.
#[test]
fn policies_over_networks_name_the_values_of_variables() {
    let domain = "(define (domain pick) (:requirements :typing :hierarchy :non-deterministic) (:types card)
      (:predicates (good ?c - card) (done))
      (:task choose :parameters ())
      (:method take :parameters (?c - card) :task (choose) :precondition (good ?c) :ordered-subtasks (and (play ?c)))
      (:action play :parameters (?c - card) :effect (oneof (done) (not (done)))))";
    let problem = read(
        domain,
        "(define (problem p) (:domain pick) (:objects ace two - card) (:htn :ordered-subtasks (and (choose))) (:init (good ace)))",
    );
    let check = |card: &str| {
        let mut sources = Sources::default();
        let text = format!(
            "(network-policy strong (values))\n(0 (by take (choose) (values {card})) 1)\n(1 (do (play {card})) 2 2)\n(2 (end))\n"
        );
        let file = sources.add("policy", text);
        let policy = read_network_policy(&sources, file, &problem).expect("it can be read");
        check_network_policy(&problem, &policy, Guarantee::Strong, &Budget::unlimited()).is_ok()
    };
    assert!(check("ace"));
    assert!(!check("two"), "two is not good");
}

/// A role looks at its own reward first; among equals it wants the least for the others.
#[test]
fn own_reward_breaks_ties_against_the_others() {
    assert_eq!(own_reward(&[50, 20, 30], 0), (50, -50));
    assert!(own_reward(&[50, 0, 30], 0) > own_reward(&[50, 20, 30], 0));
    assert!(own_reward(&[51, 100, 100], 0) > own_reward(&[50, 0, 0], 0));
}
