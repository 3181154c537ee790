//! Problems whose state is hidden, from text to a checked answer.

use counterplay::planning::{Class, Kind, PolicyBody, Search};
use counterplay::{Answer, Budget, CheckRequest, Problem, Request, Silent, Verdict, check, solve};

fn example(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/contingent/");
    std::fs::read_to_string(format!("{root}{path}")).expect("the example is there")
}

fn problem(domain: &str, name: &str) -> Problem {
    let (domain, text) =
        (example(&format!("{domain}/domain.pddl")), example(&format!("{domain}/{name}.pddl")));
    Problem::read(&domain, &text).expect("it is sound")
}

fn answer(problem: &Problem, request: &Request) -> Answer {
    solve(problem, request, &Budget::unlimited(), &Silent).expect("it is answered")
}

#[test]
fn answers_are_checked_and_their_files_too() {
    for (domain, name, kind, class) in [
        ("medicine", "p03", Kind::Contingent, Class::Strong),
        ("corridor", "p05", Kind::Conformant, Class::Strong),
        ("coin", "p01", Kind::Contingent, Class::StrongCyclic),
    ] {
        let problem = problem(domain, name);
        for search in [Search::Auto, Search::Explicit, Search::Symbolic] {
            let answer = answer(&problem, &Request { search, ..Request::default() });
            assert_eq!((answer.kind, answer.class), (kind, Some(class)), "{domain}");
            assert_eq!(answer.plan.is_some(), kind == Kind::Conformant);
            assert_eq!(matches!(answer.policy, Some(PolicyBody::Places(_))), kind == Kind::Contingent);
            assert!(answer.evidence.is_proof());
            let Problem::Lifted(lifted) = &problem else { panic!("it was read from text") };
            let file = answer.file_text().expect("there is a plan");
            let checked = check(lifted, "plan", &file, &CheckRequest::default(), &Budget::unlimited());
            assert!(checked.expect("it can be read").valid, "{file}");
        }
    }
}

#[test]
fn that_there_is_no_plan_is_confirmed() {
    let answer = answer(&problem("medicine", "healthy"), &Request::default());
    assert_eq!(answer.verdict, Verdict::Unsolvable);
    assert!(answer.summary().contains("confirmed by exhaustive search"), "{}", answer.summary());
}

/// `oneof` in `:init` is seen unless something says that it is not.
#[test]
fn only_what_is_declared_is_hidden() {
    let domain = "(define (domain d) (:requirements :adl) (:predicates (a) (b) (won) (lost))
        (:action left :parameters () :precondition (not (lost)) :effect (and (when (a) (won)) (when (b) (lost))))
        (:action right :parameters () :precondition (not (lost)) :effect (and (when (b) (won)) (when (a) (lost)))))";
    let text = "(define (problem p) (:domain d) (:init (oneof (a) (b))) (:goal (and (won) (not (lost)))))";
    let problem = Problem::read(domain, text).expect("it is sound");
    let seen = answer(&problem, &Request::default());
    assert_eq!((seen.kind, seen.class), (Kind::Policy, Some(Class::Strong)));
    let hidden = answer(&problem, &Request { hidden: true, ..Request::default() });
    assert_eq!((hidden.kind, hidden.verdict), (Kind::Conformant, Verdict::Unsolvable));
}
