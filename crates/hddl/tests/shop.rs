//! The planner against its plain twin, and what it says where there is no plan.

use counterplay_base::{Budget, Limit, Silent, Verdict};
use counterplay_check::{check_decomposition, read_decomposition};
use counterplay_hddl::{
    Guarantee, HddlProblem, Methods, Options, PreparedProblem, Situation, Task, network_policy, shop,
};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;
use counterplay_tasknet::{Agenda, Knowledge, Refinement, TaskWorld};
use expect_test::expect;

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

const ERRANDS: &str = "(define (domain errands)
  (:types place thing)
  (:predicates (at ?p - place) (have ?t - thing) (sold ?t - thing ?p - place) (road ?a ?b - place))
  (:task fetch :parameters (?t - thing))
  (:task get-to :parameters (?p - place))
  (:method by-shop :parameters (?t - thing ?p - place) :task (fetch ?t) :precondition (sold ?t ?p)
    :ordered-subtasks (and (get-to ?p) (buy ?t ?p)))
  (:method there :parameters (?p - place) :task (get-to ?p) :precondition (at ?p) :ordered-subtasks (and))
  (:method on-foot :parameters (?p ?q ?r - place) :task (get-to ?p) :precondition (and (at ?q) (road ?q ?r))
    :ordered-subtasks (and (go ?q ?r) (get-to ?p)))
  (:action go :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q)) :effect (and (not (at ?p)) (at ?q)))
  (:action buy :parameters (?t - thing ?p - place) :precondition (and (at ?p) (sold ?t ?p)) :effect (have ?t)))";

fn errands(goal: &str, network: &str) -> Problem {
    let problem = format!(
        "(define (problem one) (:domain errands)
          (:objects home mill shop - place milk bread - thing)
          (:htn :subtasks {network})
          (:init (at home) (road home mill) (road mill home) (road home shop) (road shop home) (road mill shop)
                 (sold milk shop) (sold bread mill))
          (:goal {goal}))"
    );
    read(ERRANDS, &problem)
}

#[test]
fn a_plan_with_its_reasons() {
    let problem = errands("(have milk)", "(fetch milk)");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    assert!(answer.is_optimal);
    let plan = answer.verdict.solved().expect("there is a plan");
    expect![[r#"
        ==>
        0 go home shop
        1 buy milk shop
        root 2
        2 fetch milk -> by-shop 3 1
        3 get-to shop -> on-foot 0 4
        4 get-to shop -> there
        <==
    "#]]
    .assert_eq(&plan.to_text(&known));
    expect![[r#"
        (fetch milk)  <- by-shop with ?p = shop because (sold milk shop)
          (get-to shop)  <- on-foot with ?q = home, ?r = shop because (at home), (road home shop)
            ! (go home shop)
            (get-to shop)  <- there because (at shop)
          ! (buy milk shop)
    "#]]
    .assert_eq(&plan.tree().to_text(&Methods(&known)));
}

/// SHOP in its plainest form: the length of the first plan in the order of the methods, or `None`. It has no memory and
/// looks at no limit.
fn plain_shop(methods: &Methods<'_>, state: &Situation<'_>, agenda: &Agenda<Task>) -> Option<usize> {
    let Some((task, rest)) = agenda.split_first() else { return state.is_goal().then_some(0) };
    match methods.refine(state, task) {
        Refinement::Do(action) => {
            plain_shop(methods, &state.apply(&action).only()?, rest).map(|length| length + 1)
        }
        Refinement::By(mut ways) => {
            ways.find_map(|way| plain_shop(methods, state, &rest.after(way.subtasks)))
        }
    }
}

#[test]
fn the_plain_twin_agrees() {
    // Roads lead one way only: the twin has no memory and would walk in cycles for ever.
    let one_way = |goal: &str, tasks: &[&str]| {
        let labelled: String =
            tasks.iter().enumerate().map(|(at, task)| format!(" (t{at} {task})")).collect();
        let problem = format!(
            "(define (problem one) (:domain errands)
              (:objects home mill shop - place milk bread - thing)
              (:htn :ordered-subtasks (and{labelled}))
              (:init (at home) (road home mill) (road home shop) (road mill shop) (sold milk shop) (sold bread mill))
              (:goal {goal}))"
        );
        read(ERRANDS, &problem)
    };
    for (goal, tasks, solvable) in [
        ("(and)", &["(fetch bread)", "(fetch milk)"][..], true),
        ("(and)", &["(fetch milk)", "(fetch bread)"], false),
        ("(at mill)", &["(get-to mill)"], true),
        ("(at home)", &["(fetch milk)"], false),
        ("(have milk)", &["(get-to shop)", "(fetch milk)"], true),
    ] {
        let problem = one_way(goal, tasks);
        let lifted = HddlProblem::new(&problem).expect("it is supported");
        let known = PreparedProblem::new(&lifted);
        let ours = shop(&known, Options::default(), &Budget::unlimited(), &Silent).verdict;
        let (methods, start) = (Methods(&known), Situation::initial(&known));
        let twin = plain_shop(&methods, &start, &known.initial_tasks().into_iter().collect());
        assert_eq!(twin.is_some(), solvable, "{goal} {tasks:?}");
        match (ours, twin) {
            (Verdict::Solved(plan), Some(length)) => assert!(plan.len() <= length),
            (Verdict::Unsolvable, None) => {}
            (ours, twin) => panic!("{goal} {tasks:?}: {ours:?}, twin {twin:?}"),
        }
    }
}

#[test]
fn a_partial_order_is_interleaved() {
    // Bread is only to be had at the mill, and the goal wants us there in the end.
    let problem = errands("(at mill)", "(and (fetch bread) (fetch milk))");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    assert!(!lifted.is_totally_ordered());
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    let plan = answer.verdict.solved().expect("milk first");
    let mut sources = Sources::default();
    let file = sources.add("plan", plan.to_text(&known));
    let text = read_decomposition(&sources, file, &problem).expect("it can be read");
    assert_eq!(check_decomposition(&problem, &text, &Budget::unlimited()), Ok(plan.len()));
    assert_eq!(plan.actions(&known).last().map(String::as_str), Some("buy bread mill"));
}

#[test]
fn no_plan_is_proved_and_a_loop_is_named() {
    let problem = errands("(have bread)", "(fetch milk)");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let answer = shop(&PreparedProblem::new(&lifted), Options::default(), &Budget::unlimited(), &Silent);
    assert!(matches!(answer.verdict, Verdict::Unsolvable));
    let endless = "(define (domain endless) (:predicates (p)) (:task dig :parameters ())
      (:method deeper :parameters () :task (dig) :ordered-subtasks (and (dig) (rest)))
      (:action rest :parameters () :precondition () :effect (p)))";
    let problem = read(endless, "(define (problem hole) (:domain endless) (:htn :subtasks (dig)) (:init))");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    assert!(matches!(answer.verdict, Verdict::Unsolvable | Verdict::Stopped(Limit::Nodes(_))), "{answer:?}");
    let hopeful = endless.replace(
        "(:action",
        "(:method out :parameters () :task (dig) :precondition (p) :ordered-subtasks (and)) (:action",
    );
    let problem = read(&hopeful, "(define (problem hole) (:domain endless) (:htn :subtasks (dig)) (:init))");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    assert!(matches!(answer.verdict, Verdict::Stopped(Limit::Nodes(_))), "{answer:?}");
    assert_eq!(answer.looping.map(|task| known.task_words(task)), Some("dig".to_owned()));
}

#[test]
fn recursion_is_as_deep_as_it_likes() {
    let count = "(define (domain count) (:types n) (:predicates (at ?n - n) (next ?a ?b - n))
      (:task up :parameters ())
      (:method more :parameters (?a ?b - n) :task (up) :precondition (and (at ?a) (next ?a ?b))
        :ordered-subtasks (and (step ?a ?b) (up)))
      (:method done :parameters () :task (up) :precondition () :ordered-subtasks (and))
      (:action step :parameters (?a ?b - n) :precondition (at ?a) :effect (and (not (at ?a)) (at ?b))))";
    let last = 60_000;
    let objects: String = (0..=last).map(|n| format!(" n{n}")).collect();
    let chain: String = (0..last).map(|n| format!(" (next n{n} n{})", n + 1)).collect();
    let problem = format!(
        "(define (problem far) (:domain count) (:objects{objects} - n) (:htn :subtasks (up)) (:init (at n0){chain}) (:goal (at n{last})))"
    );
    let problem = read(count, &problem);
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options { effort: 0, ..Options::default() }, &Budget::unlimited(), &Silent);
    assert_eq!(answer.verdict.solved().map(|plan| plan.len()), Some(last));
}

#[test]
fn a_network_that_may_have_to_be_tried_again_is_strong_cyclic() {
    let retry = "(define (domain retry) (:predicates (done))
      (:task work :parameters ())
      (:method again :parameters () :task (work) :precondition (not (done)) :ordered-subtasks (and (try) (work)))
      (:method over :parameters () :task (work) :precondition (done) :ordered-subtasks (and))
      (:action try :parameters () :precondition () :effect (oneof (and) (done))))";
    let problem =
        read(retry, "(define (problem p) (:domain retry) (:htn :subtasks (work)) (:init) (:goal (done)))");
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = network_policy(&known, None, &Budget::unlimited(), &Silent);
    assert!(answer.is_strong_impossible);
    let policy = answer.verdict.solved().expect("trying again helps");
    assert_eq!(policy.guarantee, Guarantee::StrongCyclic);
    let mut sources = Sources::default();
    let file = sources.add("policy", policy.to_text(&known));
    let text = counterplay_check::read_network_policy(&sources, file, &problem).expect("it can be read");
    let budget = Budget::unlimited();
    let check = |wanted| counterplay_check::check_network_policy(&problem, &text, wanted, &budget);
    assert!(check(counterplay_check::Guarantee::StrongCyclic).is_ok());
    assert!(check(counterplay_check::Guarantee::Strong).is_err());
}

/// An ordered method inside an unordered network: the other task's action has to come between its actions, so what its second
/// action needs must not be asked for when the method is chosen.
#[test]
fn an_ordered_method_is_interleaved_with_another_task() {
    let domain = "(define (domain handover) (:requirements :hierarchy)
      (:predicates (open) (filled) (shut))
      (:task ours :parameters ()) (:task theirs :parameters ()) (:task inner :parameters ())
      (:method by-three :parameters () :task (ours) :ordered-subtasks (and (lift) (inner)))
      (:method last :parameters () :task (inner) :ordered-subtasks (and (close)))
      (:method by-one :parameters () :task (theirs) :ordered-subtasks (and (fill)))
      (:action lift :parameters () :effect (open))
      (:action fill :parameters () :precondition (open) :effect (filled))
      (:action close :parameters () :precondition (filled) :effect (shut)))";
    for network in ["(and (ours) (theirs))", "(and (theirs) (ours))"] {
        let problem =
            format!("(define (problem p) (:domain handover) (:htn :subtasks {network}) (:goal (shut)))");
        let problem = read(domain, &problem);
        let lifted = HddlProblem::new(&problem).expect("it is supported");
        let known = PreparedProblem::new(&lifted);
        let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
        let plan = answer.verdict.solved().expect("there is a plan");
        assert_eq!(plan.actions(&known), ["lift", "fill", "close"]);
        let answer = network_policy(&known, None, &Budget::unlimited(), &Silent);
        assert!(answer.verdict.solved().is_some());
    }
}

/// More than eight arguments were refused.
#[test]
fn tasks_with_many_arguments() {
    let names = |of: &str| (0..16).map(|at| format!(" {of}{at}")).collect::<String>();
    let (variables, objects) = (names("?x"), names("o"));
    let domain = format!(
        "(define (domain wide) (:requirements :hierarchy)
          (:predicates (in{variables}) (out{variables}))
          (:task top :parameters ()) (:task inner :parameters ({variables}))
          (:method choose :parameters ({variables}) :task (top) :precondition (in{variables})
            :ordered-subtasks (and (inner{variables})))
          (:method do :parameters ({variables}) :task (inner{variables}) :ordered-subtasks (and (act{variables})))
          (:action act :parameters ({variables}) :precondition (in{variables}) :effect (out{variables})))"
    );
    let problem = format!(
        "(define (problem p) (:domain wide) (:objects{objects}) (:htn :ordered-subtasks (and (top)))
          (:init (in{objects})) (:goal (out{objects})))"
    );
    let problem = read(&domain, &problem);
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    let plan = answer.verdict.solved().expect("there is a plan");
    assert_eq!(plan.actions(&known), [format!("act{objects}")]);
}

/// The network grows with every flip, so its situations have no end and nothing is proved.
#[test]
fn a_network_that_grows_without_end_is_not_called_unsolvable() {
    let domain = "(define (domain growing) (:requirements :hierarchy :non-deterministic)
      (:predicates (up) (done))
      (:task work :parameters ())
      (:method more :parameters () :task (work) :ordered-subtasks (and (flip) (work) (end)))
      (:method out :parameters () :task (work) :precondition (up) :ordered-subtasks (and (end)))
      (:action flip :parameters () :effect (oneof (up) (not (up))))
      (:action end :parameters () :precondition (up) :effect (done)))";
    let problem = read(
        domain,
        "(define (problem p) (:domain growing) (:htn :ordered-subtasks (and (work))) (:goal (done)))",
    );
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    for wanted in [Guarantee::Strong, Guarantee::StrongCyclic] {
        let budget = Budget::unlimited().slice(std::time::Duration::from_secs(1));
        let answer = network_policy(&known, Some(wanted), &budget, &Silent);
        assert!(matches!(answer.verdict, Verdict::Stopped(_)), "flipping may go on for ever: {answer:?}");
    }
}

/// Many unordered tasks are refined one after the other without any action in between; that was taken for a loop.
#[test]
fn many_unordered_tasks_are_no_loop() {
    let domain = "(define (domain many) (:requirements :hierarchy)
      (:predicates (done ?x))
      (:task work :parameters (?x)) (:task rest :parameters ())
      (:method by-doing :parameters (?x) :task (work ?x) :ordered-subtasks (and (do ?x)))
      (:method nothing :parameters () :task (rest) :ordered-subtasks ())
      (:action do :parameters (?x) :precondition (not (done ?x)) :effect (done ?x)))";
    let tasks: String = (0..40).map(|at| format!(" (work o{at})")).collect();
    let goal: String = (0..40).map(|at| format!(" (done o{at})")).collect();
    let objects: String = (0..40).map(|at| format!(" o{at}")).collect();
    let problem = read(
        domain,
        &format!(
            "(define (problem p) (:domain many) (:objects{objects}) (:htn :subtasks (and (rest){tasks})) (:goal (and{goal})))"
        ),
    );
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let budget = Budget::unlimited().slice(std::time::Duration::from_secs(60));
    let answer = shop(&known, Options { effort: 0, ..Options::default() }, &budget, &Silent);
    assert_eq!(answer.verdict.solved().map(|plan| plan.len()), Some(40));
    assert_eq!(answer.figures.rounds, 1, "the first search goes straight to the plan");
}

/// The competition's verifier takes the order of the numbers for an order that the network allows.
#[test]
fn subtasks_are_listed_in_an_order_that_is_allowed() {
    let network = "(and (late (fetch bread)) (early (fetch milk))) :ordering (< early late)";
    let problem = errands("(have bread)", network);
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    let text = answer.verdict.solved().expect("there is a plan").to_text(&known);
    let root = text.lines().find_map(|line| line.strip_prefix("root ")).expect("a line for the root");
    let first = root.split(' ').next().expect("two tasks");
    assert!(text.contains(&format!("\n{first} fetch milk")), "{text}");
}

/// Arguments that do not fit into one word: a task, an action and two predicates, one of which changes, with forty arguments each.
#[test]
fn any_number_of_arguments() {
    let names = |start: &str| (0..40).map(|at| format!("{start}{at}")).collect::<Vec<_>>().join(" ");
    let variables = names("?x");
    let domain = format!(
        "(define (domain wide)
          (:predicates (open {variables}) (seen {variables}) (done))
          (:task visit :parameters ({variables}))
          (:task first :parameters (?x0))
          (:method any :parameters ({variables}) :task (first ?x0) :precondition (open {variables})
            :ordered-subtasks (and (visit {variables}) (finish {variables})))
          (:method once :parameters ({variables}) :task (visit {variables}) :precondition (not (seen {variables}))
            :ordered-subtasks (and (look {variables})))
          (:action look :parameters ({variables}) :precondition (open {variables}) :effect (seen {variables}))
          (:action finish :parameters ({variables}) :precondition (seen {variables}) :effect (done)))"
    );
    let objects = names("o");
    let turned = objects.split(' ').rev().collect::<Vec<_>>().join(" ");
    let file = format!(
        "(define (problem p) (:domain wide) (:objects {objects} {}) (:init (open {objects}) (open {turned}))
          (:htn :ordered-subtasks (and (first o39))) (:goal (done)))",
        (0..300).map(|at| format!("q{at}")).collect::<Vec<_>>().join(" ")
    );
    let problem = read(&domain, &file);
    let lifted = HddlProblem::new(&problem).expect("it is supported");
    let known = PreparedProblem::new(&lifted);
    let answer = shop(&known, Options::default(), &Budget::unlimited(), &Silent);
    let plan = answer.verdict.solved().expect("there is a plan");
    assert_eq!(plan.actions(&known), [format!("look {turned}"), format!("finish {turned}")]);
    let mut sources = Sources::default();
    let text = sources.add("plan", plan.to_text(&known));
    let read = read_decomposition(&sources, text, &problem).expect("the plan can be read");
    check_decomposition(&problem, &read, &Budget::unlimited()).expect("the plan is right");
}
