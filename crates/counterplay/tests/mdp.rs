//! Decision processes from text to checked answers.

use counterplay::mdp::{MdpAnswer, MdpProblem, MdpRequest, Objective, solve};
use counterplay::syntax::Sources;
use counterplay::{Budget, Error, Evidence, Silent, Verdict};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

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

/// A random effect over four atoms, as text and as what it may do: probabilities with the bits that are set and cleared.
#[derive(Clone)]
struct Random {
    text: String,
    ways: Vec<(f64, u8, u8)>,
}

fn random_effect(rng: &mut ChaCha8Rng, depth: u32) -> Random {
    match rng.random_range(0..if depth == 0 { 2 } else { 4 }) {
        0 => {
            let atom = rng.random_range(0..4u8);
            Random { text: format!("(p{atom})"), ways: vec![(1.0, 1 << atom, 0)] }
        }
        1 => {
            let atom = rng.random_range(0..4u8);
            Random { text: format!("(not (p{atom}))"), ways: vec![(1.0, 0, 1 << atom)] }
        }
        2 => {
            let (one, other) = (random_effect(rng, depth - 1), random_effect(rng, depth - 1));
            let pairs = one.ways.iter().flat_map(|a| other.ways.iter().map(move |b| (a, b)));
            let ways = pairs.map(|(a, b)| (a.0 * b.0, a.1 | b.1, a.2 | b.2)).collect();
            Random { text: format!("(and {} {})", one.text, other.text), ways }
        }
        _ => {
            let (one, other) = (random_effect(rng, depth - 1), random_effect(rng, depth - 1));
            let (first, second) = (rng.random_range(1..=5u32), rng.random_range(0..=3u32));
            let share = |part: u32| f64::from(part) / 8.0;
            let mut ways: Vec<(f64, u8, u8)> =
                one.ways.iter().map(|w| (w.0 * share(first), w.1, w.2)).collect();
            ways.extend(other.ways.iter().filter(|_| second > 0).map(|w| (w.0 * share(second), w.1, w.2)));
            ways.extend((first + second < 8).then_some((share(8 - first - second), 0, 0)));
            let text = format!("(probabilistic {first}/8 {} {}/8 {})", one.text, second, other.text);
            Random { text, ways }
        }
    }
}

/// The greatest probability of the goal by plain value iteration over all sixteen states.
fn twin(actions: &[(u8, u8, Random)], start: u8, goal: u8) -> f64 {
    let mut values: Vec<f64> = (0..16u8).map(|state| f64::from(u8::from(state & goal == goal))).collect();
    let mut moved = 1.0;
    while moved > 1e-13 {
        moved = 0.0f64;
        for state in (0..16u8).filter(|state| state & goal != goal) {
            let usable =
                actions.iter().filter(|(needs, lacks, _)| state & needs == *needs && state & lacks == 0);
            let worth = |effect: &Random| -> f64 {
                let next = |(odds, adds, deletes): &(f64, u8, u8)| {
                    odds * values[usize::from(state & !deletes | adds)]
                };
                effect.ways.iter().map(next).sum()
            };
            let best = usable.map(|(_, _, effect)| worth(effect)).fold(0.0, f64::max);
            moved = moved.max(best - values[usize::from(state)]);
            values[usize::from(state)] = best;
        }
    }
    values[usize::from(start)]
}

#[test]
fn random_problems_have_the_value_of_the_twin() {
    let literals = |needs: u8, lacks: u8| {
        let has = |set: u8, atom: u8| set >> atom & 1 == 1;
        let positive = (0..4u8).filter(|&atom| has(needs, atom)).map(|atom| format!("(p{atom})"));
        let negative = (0..4u8).filter(|&atom| has(lacks, atom)).map(|atom| format!("(not (p{atom}))"));
        positive.chain(negative).collect::<Vec<_>>().join(" ")
    };
    let mut inside = 0;
    for seed in 0..150 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut actions = Vec::new();
        for _ in 0..rng.random_range(1..=4) {
            let needs: u8 = rng.random_range(0..16u8) & rng.random_range(0..16u8);
            let lacks: u8 = rng.random_range(0..16u8) & rng.random_range(0..16u8) & !needs;
            actions.push((needs, lacks, random_effect(&mut rng, 3)));
        }
        let (start, goal) = (rng.random_range(0..16u8), rng.random_range(1..16u8));
        let texts = actions.iter().enumerate().map(|(at, (needs, lacks, effect))| {
            let condition = literals(*needs, *lacks);
            format!("(:action a{at} :precondition (and {condition}) :effect {})", effect.text)
        });
        let texts: Vec<String> = texts.collect();
        let domain = format!("(define (domain r) (:predicates (p0) (p1) (p2) (p3)) {})", texts.join(" "));
        let task = format!(
            "(define (problem q) (:domain r) (:init {}) (:goal (and {})))",
            literals(start, 0),
            literals(goal, 0)
        );
        let request = MdpRequest { objective: Some(Objective::MaxProb), ..MdpRequest::default() };
        let answer =
            solved(&[&domain, &task], &request).unwrap_or_else(|error| panic!("{domain} {task}: {error}"));
        let expected = twin(&actions, start, goal);
        let value = answer.value.expect("there is always a policy");
        assert!((value - expected).abs() < 1e-6, "seed {seed}: {value} against {expected}\n{domain}\n{task}");
        assert!(is_checked(&answer), "seed {seed}: {:?}", answer.evidence);
        inside += usize::from(expected > 0.0 && expected < 1.0);
    }
    assert!(inside > 10, "{inside} values lie between 0 and 1");
}
