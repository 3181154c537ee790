//! ND-SHOP2 and Yoyo: both find policies that the checker accepts, on the case studies and on small traps.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Guarantee, PolicyOptions, check_policy, read_policy};
use counterplay_generate::Files;
use counterplay_generate::hddl::{hunter_prey, robot_navigation};
use counterplay_ground::{Options, ground_outcomes};
use counterplay_hddl::HddlProblem;
use counterplay_hddl::advice::{AdviceError, Algorithm, Answer, advised_policy};
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, Policy, rules};
use counterplay_syntax::Sources;
use counterplay_task::NondetTask;

fn read(files: &Files) -> (Problem, NondetTask) {
    let mut sources = Sources::default();
    let domain = sources.add("domain", files.domain.as_str());
    let problem = sources.add("problem", files.problem.as_str());
    let problem =
        counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let plain = Problem { hierarchy: None, ..problem.clone() };
    let options = Options { keep_irrelevant: true, ..Options::default() };
    let grounded = ground_outcomes(&plain, &options, &Budget::unlimited(), &Silent);
    (problem, grounded.expect("it grounds").0)
}

fn search(problem: &Problem, nondet: &NondetTask, class: Class, how: Algorithm) -> Answer {
    let lifted = HddlProblem::new(problem).expect("it is supported");
    advised_policy(&lifted, nondet, class, how, 0, &Budget::unlimited(), &Silent).expect("the methods fit")
}

fn check(problem: &Problem, nondet: &NondetTask, policy: &Policy, wanted: Guarantee) {
    let mut text = String::new();
    for rule in rules(nondet, policy) {
        text += &format!("(if (and {}) {})\n", rule.condition.join(" "), rule.action);
    }
    let mut sources = Sources::default();
    let file = sources.add("policy", text);
    let read = read_policy(&sources, file, problem).expect("the policy can be read");
    let options = PolicyOptions { wanted, most_states: 1_000_000, only_runs: false, runs: 10, seed: 0 };
    let checked =
        check_policy(problem, &read.rules, options, &Budget::unlimited()).expect("the policy is right");
    assert!(checked.is_certain());
}

#[test]
fn both_solve_the_case_studies() {
    let cases = [
        hunter_prey(2, 1, false),
        hunter_prey(3, 1, false),
        hunter_prey(3, 2, false),
        hunter_prey(3, 2, true),
        robot_navigation(1, 2, 1),
        robot_navigation(2, 3, 4),
    ];
    for files in cases {
        let (problem, nondet) = read(&files);
        for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
            let Verdict::Solved(policy) = search(&problem, &nondet, Class::StrongCyclic, how).verdict else {
                panic!("{how:?} finds no policy for {}", problem.name)
            };
            check(&problem, &nondet, &policy, Guarantee::StrongCyclic);
        }
        // A prey that never stands still is never caught for sure.
        if problem.name.starts_with("hunter") {
            for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
                let verdict = search(&problem, &nondet, Class::Strong, how).verdict;
                assert!(matches!(verdict, Verdict::Unsolvable), "{how:?} {}", problem.name);
            }
        }
    }
}

/// Two ways to cross: the first method is a trap, since the ice may break and then nothing helps.
const TRAP: &str = "(define (domain crossing)
  (:requirements :adl :hierarchy :non-deterministic)
  (:predicates (here) (there) (wet) (tired))
  (:task cross :parameters ())
  (:method over-ice :parameters () :task (cross) :precondition (here) :ordered-subtasks (and (slide)))
  (:method by-bridge :parameters () :task (cross) :precondition (here) :ordered-subtasks (and (walk) (cross)))
  (:action slide :parameters () :precondition (here)
    :effect (oneof (and (not (here)) (there)) (and (not (here)) (wet))))
  (:action walk :parameters () :precondition (here)
    :effect (oneof (and (not (here)) (there)) (tired))))";

#[test]
fn what_fails_is_avoided_the_next_time() {
    let problem = "(define (problem p) (:domain crossing) (:htn :ordered-subtasks (and (cross)))
      (:init (here)) (:goal (there)))";
    let files = Files { domain: TRAP.to_owned(), problem: problem.to_owned() };
    let (problem, nondet) = read(&files);
    for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
        let answer = search(&problem, &nondet, Class::StrongCyclic, how);
        let Verdict::Solved(policy) = answer.verdict else { panic!("{how:?}: {answer:?}") };
        assert!(answer.figures.restarts > 0, "the ice is tried first");
        check(&problem, &nondet, &policy, Guarantee::StrongCyclic);
        assert!(rules(&nondet, &policy).iter().all(|rule| rule.action == "(walk)"));
        let verdict = search(&problem, &nondet, Class::Strong, how).verdict;
        assert!(matches!(verdict, Verdict::Unsolvable));
    }
}

/// The first method goes round between two states for ever; the second one ends it.
#[test]
fn a_method_that_loops_for_ever_does_not_hide_the_next_one() {
    let domain = "(define (domain looping) (:requirements :adl :hierarchy :non-deterministic)
      (:predicates (start) (left) (right) (done) (coin))
      (:task work :parameters ())
      (:method begin :parameters () :task (work) :precondition (start) :ordered-subtasks (and (toss) (work)))
      (:method round :parameters () :task (work) :precondition (left) :ordered-subtasks (and (go) (work)))
      (:method back :parameters () :task (work) :precondition (right) :ordered-subtasks (and (come) (work)))
      (:method finish :parameters () :task (work) :precondition (left) :ordered-subtasks (and (end) (work)))
      (:action toss :parameters () :precondition (start)
        :effect (and (not (start)) (left) (oneof (coin) (not (coin)))))
      (:action go :parameters () :precondition (left) :effect (and (not (left)) (right)))
      (:action come :parameters () :precondition (right) :effect (and (not (right)) (left)))
      (:action end :parameters () :precondition (left) :effect (and (not (left)) (done))))";
    let problem = "(define (problem p) (:domain looping) (:htn :ordered-subtasks (and (work)))
      (:init (start)) (:goal (done)))";
    let (problem, nondet) = read(&Files { domain: domain.to_owned(), problem: problem.to_owned() });
    for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
        for (class, wanted) in [
            (Class::Strong, Guarantee::Strong),
            (Class::StrongCyclic, Guarantee::StrongCyclic),
            (Class::Weak, Guarantee::Weak),
        ] {
            let answer = search(&problem, &nondet, class, how);
            let Verdict::Solved(policy) = answer.verdict else { panic!("{how:?} {class:?}: {answer:?}") };
            check(&problem, &nondet, &policy, wanted);
        }
    }
}

/// A task list that grows before every action, and one that calls itself at once, must neither run for ever nor hide
/// the way out.
#[test]
fn task_lists_that_grow_without_end() {
    let domain = "(define (domain growing) (:requirements :adl :hierarchy :non-deterministic)
      (:predicates (start) (done))
      (:task work :parameters ())
      (:method same :parameters () :task (work) :ordered-subtasks (and (work)))
      (:method more :parameters () :task (work) :ordered-subtasks (and (work) (try)))
      (:method end :parameters () :task (work) :ordered-subtasks (and (try) (work)))
      (:action try :parameters () :precondition (start) :effect (oneof (and) (and (not (start)) (done)))))";
    let problem = "(define (problem p) (:domain growing) (:htn :ordered-subtasks (and (work)))
      (:init (start)) (:goal (done)))";
    let (problem, nondet) = read(&Files { domain: domain.to_owned(), problem: problem.to_owned() });
    for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
        let answer = search(&problem, &nondet, Class::StrongCyclic, how);
        let Verdict::Solved(policy) = answer.verdict else { panic!("{how:?}: {answer:?}") };
        check(&problem, &nondet, &policy, Guarantee::StrongCyclic);
        assert!(matches!(search(&problem, &nondet, Class::Strong, how).verdict, Verdict::Unsolvable));
    }
}

/// Methods and their actions may be about atoms that the goal does not need, or change nothing at all.
#[test]
fn methods_may_mention_what_the_goal_does_not_need() {
    let domain = "(define (domain greeting) (:requirements :adl :hierarchy :non-deterministic)
      (:predicates (start) (done) (polite))
      (:task work :parameters ())
      (:method greet :parameters () :task (work) :precondition (not (polite))
        :ordered-subtasks (and (wait) (wave) (work)))
      (:method end :parameters () :task (work) :precondition (polite) :ordered-subtasks (and (finish)))
      (:action wait :parameters () :precondition (start) :effect (and))
      (:action wave :parameters () :precondition (start) :effect (polite))
      (:action finish :parameters () :precondition (start) :effect (and (not (start)) (done))))";
    let problem = "(define (problem p) (:domain greeting) (:htn :ordered-subtasks (and (work)))
      (:init (start)) (:goal (done)))";
    let (problem, nondet) = read(&Files { domain: domain.to_owned(), problem: problem.to_owned() });
    for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
        let answer = search(&problem, &nondet, Class::Strong, how);
        let Verdict::Solved(policy) = answer.verdict else { panic!("{how:?}: {answer:?}") };
        check(&problem, &nondet, &policy, Guarantee::Strong);
    }
}

/// A method that reaches the goal half-way is of use although its last action can never be done.
#[test]
fn the_goal_ends_a_method_half_way() {
    let domain = "(define (domain halfway) (:requirements :adl :hierarchy :non-deterministic)
      (:predicates (start) (done) (never))
      (:task work :parameters ())
      (:method both :parameters () :task (work) :ordered-subtasks (and (finish) (impossible)))
      (:action finish :parameters () :precondition (start) :effect (oneof (done) (and (done) (not (start)))))
      (:action impossible :parameters () :precondition (never) :effect (start)))";
    let problem = "(define (problem p) (:domain halfway) (:htn :ordered-subtasks (and (work)))
      (:init (start)) (:goal (done)))";
    let (problem, nondet) = read(&Files { domain: domain.to_owned(), problem: problem.to_owned() });
    for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
        let answer = search(&problem, &nondet, Class::Strong, how);
        assert!(matches!(answer.verdict, Verdict::Solved(_)), "{how:?}: {answer:?}");
    }
}

/// Without a goal the empty policy was an answer.
#[test]
fn a_problem_without_a_goal_is_refused() {
    let problem =
        "(define (problem p) (:domain crossing) (:htn :ordered-subtasks (and (cross))) (:init (here)))";
    let (problem, nondet) = read(&Files { domain: TRAP.to_owned(), problem: problem.to_owned() });
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let how = Algorithm::NdShop2;
    let refused = advised_policy(&lifted, &nondet, Class::Strong, how, 0, &Budget::unlimited(), &Silent);
    assert_eq!(refused.unwrap_err(), AdviceError::NoGoal);
}
