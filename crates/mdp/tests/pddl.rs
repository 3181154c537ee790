//! From PDDL with probabilities to values, against a plain twin, and the policies through the checker.

use counterplay_base::{Budget, Id, Silent};
use counterplay_check::{policy_worth, read_policy};
use counterplay_ground::{Options, ground_odds};
use counterplay_mdp::{Answer, Explored, Objective, Value, explore, search, solve};
use counterplay_pddl::model::Problem;
use counterplay_policy::literals;
use counterplay_syntax::Sources;
use counterplay_task::{Fact, OddsTask};
use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(domain: &str, problem: &str) -> Problem {
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn ground(problem: &Problem) -> OddsTask {
    let budget = Budget::unlimited();
    let grounded = ground_odds(problem, false, &Options::default(), &budget, &Silent);
    grounded.unwrap_or_else(|error| panic!("{error}")).0
}

/// The policy as rules over full states.
fn rules(task: &OddsTask, explored: &Explored, answer: &Answer) -> String {
    let mut text = "(class weak)\n".to_owned();
    for (state, values) in explored.states.iter().enumerate() {
        let Some(action) = answer.policy[state] else { continue };
        let label = explored.mdp.actions(state)[action as usize].label;
        let name = &task.nondet.choices[Id::new(label as usize)].name;
        let facts = values.enumerate().map(|(var, &value)| Fact { var, value });
        let condition: Vec<String> = facts.flat_map(|fact| literals(&task.nondet.task, fact)).collect();
        text.push_str(&format!("(if (and {}) ({name}))\n", condition.join(" ")));
    }
    text
}

/// The value and what the checker says about the policy: the probability of the goal and the expected cost.
fn solved(problem: &Problem, objective: Objective) -> (Value, BigRational, Option<BigRational>) {
    let budget = Budget::unlimited();
    let task = ground(problem);
    let explored = explore(&task, usize::MAX, &budget).expect("no limit").expect("it is small");
    let answer = solve(&explored.mdp, objective, &budget).expect("there is a policy");
    let part = search(&task, objective, &budget).expect("there is a policy");
    assert_eq!(part.answer.value, answer.value, "a part has the value of the whole");
    let mut sources = Sources::default();
    let file = sources.add("policy", rules(&task, &explored, &answer));
    let policy = read_policy(&sources, file, problem).expect("it can be read");
    let worth = policy_worth(problem, &policy.rules, false, 1000, &budget).expect("it has a worth");
    (answer.value, worth.probability, worth.cost)
}

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/mdp/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the example is there")
}

fn fraction(above: i64, below: i64) -> BigRational {
    BigRational::new(above.into(), below.into())
}

#[test]
fn the_way_round_is_sure_and_the_ice_is_not() {
    let domain = example("ice-domain.pddl");
    let round = read(&domain, &example("ice-round.pddl"));
    let (value, probability, cost) = solved(&round, Objective::MinCost);
    let dear = fraction(11, 2);
    assert_eq!((value, probability, cost), (Value::Exact(dear.clone()), fraction(1, 1), Some(dear)));
    let across = read(&domain, &example("ice-across.pddl"));
    let (value, probability, cost) = solved(&across, Objective::MaxProb);
    assert_eq!((value, probability, cost), (Value::Exact(fraction(7, 8)), fraction(7, 8), None));
}

/// A random effect over four atoms, as text and as what it may do: probabilities with the bits that are set and cleared.
struct Random {
    text: String,
    ways: Vec<(f64, u8, u8)>,
}

fn random_effect(rng: &mut ChaCha8Rng, depth: u32) -> Random {
    let kind = rng.random_range(0..if depth == 0 { 2 } else { 4 });
    if kind < 2 {
        let atom = rng.random_range(0..4u8);
        let (text, way) = match kind {
            0 => (format!("(p{atom})"), (1.0, 1 << atom, 0)),
            _ => (format!("(not (p{atom}))"), (1.0, 0, 1 << atom)),
        };
        return Random { text, ways: vec![way] };
    }
    let (one, other) = (random_effect(rng, depth - 1), random_effect(rng, depth - 1));
    if kind == 2 {
        let pairs = one.ways.iter().flat_map(|a| other.ways.iter().map(move |b| (a, b)));
        let ways = pairs.map(|(a, b)| (a.0 * b.0, a.1 | b.1, a.2 | b.2)).collect();
        return Random { text: format!("(and {} {})", one.text, other.text), ways };
    }
    let (first, second) = (rng.random_range(1..=5u32), rng.random_range(0..=3u32));
    let share = |part: u32| f64::from(part) / 8.0;
    let mut ways: Vec<(f64, u8, u8)> = one.ways.iter().map(|w| (w.0 * share(first), w.1, w.2)).collect();
    ways.extend(other.ways.iter().filter(|_| second > 0).map(|w| (w.0 * share(second), w.1, w.2)));
    ways.extend((first + second < 8).then(|| (share(8 - first - second), 0, 0)));
    Random { text: format!("(probabilistic {first}/8 {} {second}/8 {})", one.text, other.text), ways }
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
            let next =
                |(odds, adds, deletes): &(f64, u8, u8)| odds * values[usize::from(state & !deletes | adds)];
            let best = usable.map(|(_, _, effect)| effect.ways.iter().map(next).sum()).fold(0.0, f64::max);
            moved = moved.max(best - values[usize::from(state)]);
            values[usize::from(state)] = best;
        }
    }
    values[usize::from(start)]
}

fn literal_texts(needs: u8, lacks: u8) -> String {
    let has = |set: u8, atom: u8| set >> atom & 1 == 1;
    let positive = (0..4u8).filter(|&atom| has(needs, atom)).map(|atom| format!("(p{atom})"));
    let negative = (0..4u8).filter(|&atom| has(lacks, atom)).map(|atom| format!("(not (p{atom}))"));
    positive.chain(negative).collect::<Vec<_>>().join(" ")
}

#[test]
fn random_problems_have_the_value_of_the_twin() {
    let mut inside = 0;
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut actions = Vec::new();
        for _ in 0..rng.random_range(1..=4) {
            let needs: u8 = rng.random_range(0..16u8) & rng.random_range(0..16u8);
            let lacks: u8 = rng.random_range(0..16u8) & rng.random_range(0..16u8) & !needs;
            actions.push((needs, lacks, random_effect(&mut rng, 3)));
        }
        let (start, goal) = (rng.random_range(0..16u8), rng.random_range(1..16u8));
        let texts = actions.iter().enumerate().map(|(at, (needs, lacks, effect))| {
            let condition = literal_texts(*needs, *lacks);
            format!("(:action a{at} :precondition (and {condition}) :effect {})", effect.text)
        });
        let texts: Vec<String> = texts.collect();
        let domain = format!("(define (domain r) (:predicates (p0) (p1) (p2) (p3)) {})", texts.join(" "));
        let (init, wanted) = (literal_texts(start, 0), literal_texts(goal, 0));
        let task = format!("(define (problem q) (:domain r) (:init {init}) (:goal (and {wanted})))");
        let (value, probability, _) = solved(&read(&domain, &task), Objective::MaxProb);
        assert_eq!(value, Value::Exact(probability), "seed {seed}\n{domain}\n{task}");
        let expected = twin(&actions, start, goal);
        let found = value.bounds().0;
        assert!((found - expected).abs() < 1e-6, "seed {seed}: {found} against {expected}\n{domain}\n{task}");
        inside += usize::from(expected > 0.0 && expected < 1.0);
    }
    assert!(inside > 10, "{inside} values lie between 0 and 1");
}
