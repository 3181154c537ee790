//! Decision processes from text to checked answers.

use counterplay::mdp::{MdpAnswer, MdpProblem, MdpRequest, Objective, solve};
use counterplay::syntax::Sources;
use counterplay::{Budget, Error, Evidence, Silent, Verdict};

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/mdp/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the example is there")
}

fn solved(texts: &[&str], request: &MdpRequest) -> Result<MdpAnswer, Error> {
    let mut sources = Sources::default();
    let files: Vec<_> = texts.iter().map(|text| sources.add("text", *text)).collect();
    let problem = MdpProblem::of_sources(sources, files[0], files.get(1).copied())?;
    solve(&problem, request, &Budget::unlimited(), &Silent)
}

fn is_checked(answer: &MdpAnswer) -> bool {
    matches!(&answer.evidence, Evidence::Proved { checked_by: Some(_), within: None, .. })
}

#[test]
fn the_hallway_is_solved_exactly() {
    let answer = solved(&[&example("hallway.mdp")], &MdpRequest::default()).expect("it is sound");
    assert_eq!((answer.objective, answer.exact.as_deref()), (Objective::MinCost, Some("8/3")));
    assert!(is_checked(&answer), "{:?}", answer.evidence);
    assert_eq!(answer.probability, Some(1.0));
    let policy = answer.policy.expect("there is a policy");
    let first = &policy[0];
    assert_eq!((first.state.as_str(), first.action.as_str()), ("face-to-face", "move-right"));
    assert_eq!(policy.len(), 3);
}

#[test]
fn the_way_round_is_sure_and_the_ice_is_not() {
    let domain = example("ice-domain.pddl");
    let round = solved(&[&domain, &example("ice-round.pddl")], &MdpRequest::default()).expect("it is sound");
    assert_eq!((round.objective, round.exact.as_deref()), (Objective::MinCost, Some("11/2")));
    assert!(is_checked(&round));
    let across = example("ice-across.pddl");
    let chance = solved(&[&domain, &across], &MdpRequest::default()).expect("it is sound");
    assert_eq!((chance.objective, chance.exact.as_deref()), (Objective::MaxProb, Some("7/8")));
    assert!(is_checked(&chance));
    assert_eq!(chance.cost, None);
    let request = MdpRequest { objective: Some(Objective::MinCost), ..MdpRequest::default() };
    let infinite = solved(&[&domain, &across], &request).expect("it is sound");
    assert_eq!(infinite.verdict, Verdict::Unsolvable);
    assert!(infinite.why.expect("it says why").contains("every expected cost is infinite"));
    // Both in one file.
    let both = format!("{domain}\n{across}");
    let again = solved(&[&both], &MdpRequest::default()).expect("it is sound");
    assert_eq!(again.exact.as_deref(), Some("7/8"));
}

const COIN: &str = "(define (domain coin) (:requirements :rewards :probabilistic-effects)
    (:predicates (heads) (stopped))
    (:action toss :precondition (not (stopped))
        :effect (probabilistic 1/2 (and (heads) (increase (reward) 4)) 1/2 (and (not (heads)) (decrease (reward) 1))))
    (:action stop :effect (stopped)))";

#[test]
fn rewards_need_a_discount_or_a_horizon() {
    let task = "(define (problem p) (:domain coin) (:init) (:goal (stopped)) (:metric maximize (reward)))";
    let request = MdpRequest { objective: Some(Objective::MinCost), ..MdpRequest::default() };
    let error = solved(&[COIN, task], &request).expect_err("tossing pays for ever");
    assert!(error.to_string().contains("something is earned"), "{error}");
    let discounted = MdpRequest { discount: Some("1/2".to_owned()), ..MdpRequest::default() };
    // Each toss is worth 3/2, so for ever it is 3.
    let answer = solved(&[COIN, task], &discounted).expect("it is sound");
    assert_eq!(answer.exact.as_deref(), Some("3"));
    assert!(is_checked(&answer));
    let three = MdpRequest { horizon: Some(3), ..MdpRequest::default() };
    assert_eq!(solved(&[COIN, task], &three).expect("it is sound").exact.as_deref(), Some("9/2"));
}

#[test]
fn odds_that_are_missing_or_wrong_are_named() {
    let domain = |effect: &str| format!("(define (domain d) (:predicates (p)) (:action a :effect {effect}))");
    let task = "(define (problem q) (:domain d) (:init) (:goal (p)))";
    let choice = domain("(oneof (p) (and))");
    let error = solved(&[&choice, task], &MdpRequest::default()).expect_err("there are no odds");
    assert!(error.to_string().contains("the odds of this choice are not given"), "{error}");
    let uniform = MdpRequest { uniform: true, ..MdpRequest::default() };
    assert_eq!(solved(&[&choice, task], &uniform).expect("now there are").exact.as_deref(), Some("2"));
    for (effect, message) in [
        ("(probabilistic 0.6 (p) 0.6 (and))", "add up to 6/5"),
        ("(probabilistic 1.5 (p))", "expected a probability"),
        ("(probabilistic 1/2)", "pairs of a probability and an effect"),
    ] {
        let error = solved(&[&domain(effect), task], &MdpRequest::default()).expect_err("it is wrong");
        assert!(error.to_string().contains(message), "{effect}: {error}");
    }
}
