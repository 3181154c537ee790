//! Random small processes against a slow twin: every policy is evaluated by plain Gaussian elimination, and the best one counts.

use counterplay_base::{Budget, Id, IdVec};
use counterplay_mdp::{
    Mdp, MdpBuilder, Objective, Unsearched, Unsolved, Value, almost_sure, explore, search, solve,
};
use counterplay_task::{
    Choice, ChoiceId, Effect, Fact, NondetTask, OddsTask, OpId, Operator, Task, VarId, Variable,
};
use num_rational::{BigRational, Ratio};
use num_traits::{One, Zero};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Number = Ratio<i128>;

fn random_mdp(seed: u64) -> Mdp {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let states = rng.random_range(2..=6usize);
    let mut builder = MdpBuilder::default();
    for state in 0..states {
        let is_goal = state + 1 == states;
        builder.state(is_goal, Number::from(0));
        let actions = if is_goal { 0 } else { rng.random_range(0..=3usize) };
        for label in 0..actions {
            let parts = rng.random_range(1..=3usize);
            let weights: Vec<i128> = (0..parts).map(|_| rng.random_range(1..=4i128)).collect();
            let sum: i128 = weights.iter().sum();
            let outcomes: Vec<(Number, u32)> = weights
                .iter()
                .map(|&weight| (Number::new(weight, sum), rng.random_range(0..states) as u32))
                .collect();
            let cost = Number::new(rng.random_range(0..=4i128), rng.random_range(1..=3i128));
            builder.action(label as u32, cost, outcomes);
        }
    }
    builder.finish(0)
}

/// All policies that name an action wherever there is one.
fn policies(mdp: &Mdp) -> Vec<Vec<Option<usize>>> {
    let mut all = vec![Vec::new()];
    for state in 0..mdp.len() {
        let count = mdp.actions(state).len();
        let ways: Vec<Option<usize>> = if count == 0 { vec![None] } else { (0..count).map(Some).collect() };
        all = all.iter().flat_map(|begun| ways.iter().map(|way| [&begun[..], &[*way]].concat())).collect();
    }
    all
}

fn big(number: Number) -> BigRational {
    BigRational::new((*number.numer()).into(), (*number.denom()).into())
}

/// Solves a dense linear system.
fn gauss(mut rows: Vec<Vec<BigRational>>) -> Vec<BigRational> {
    let size = rows.len();
    for column in 0..size {
        let pivot =
            (column..size).find(|&at| !rows[at][column].is_zero()).expect("the system has one solution");
        rows.swap(column, pivot);
        let factor = rows[column][column].recip();
        rows[column].iter_mut().for_each(|value| *value *= &factor);
        let own = rows[column].clone();
        for other in (0..size).filter(|&other| other != column) {
            let times = rows[other][column].clone();
            rows[other].iter_mut().zip(&own).for_each(|(value, own)| *value -= &times * own);
        }
    }
    rows.iter().map(|row| row[size].clone()).collect()
}

/// Probability of the goal and, if that is one, the expected cost of a policy at the initial state.
fn evaluate(mdp: &Mdp, policy: &[Option<usize>]) -> (BigRational, Option<BigRational>) {
    let size = mdp.len();
    let next = |state: usize| {
        let action = policy[state].map(|at| &mdp.actions(state)[at]);
        action.map_or_else(Vec::new, |it| {
            mdp.outcomes(it).iter().map(|o| (big(o.odds), o.next as usize)).collect()
        })
    };
    let mut reaches: Vec<bool> = (0..size).map(|state| mdp.is_goal(state)).collect();
    for _ in 0..size {
        for state in 0..size {
            reaches[state] |= next(state).iter().any(|&(_, to)| reaches[to]);
        }
    }
    let system = |gain: &dyn Fn(usize) -> BigRational| {
        let rows = (0..size).map(|state| {
            let mut row = vec![BigRational::zero(); size + 1];
            row[state] = BigRational::one();
            row[size] = gain(state);
            if reaches[state] && !mdp.is_goal(state) {
                for (odds, to) in next(state) {
                    row[to] -= odds;
                }
            }
            row
        });
        gauss(rows.collect())
    };
    let goal = |state: usize| if mdp.is_goal(state) { BigRational::one() } else { BigRational::zero() };
    let probability = system(&goal)[mdp.initial()].clone();
    if !probability.is_one() {
        return (probability, None);
    }
    let cost = |state: usize| match policy[state] {
        Some(at) if reaches[state] => big(mdp.actions(state)[at].cost),
        _ => BigRational::zero(),
    };
    (probability, Some(system(&cost)[mdp.initial()].clone()))
}

#[test]
fn exact_values_are_those_of_the_best_of_all_policies() {
    let (mut sure, mut between) = (0, 0);
    for seed in 0..600 {
        let mdp = random_mdp(seed);
        let all: Vec<_> = policies(&mdp).iter().map(|policy| evaluate(&mdp, policy)).collect();
        let best = all.iter().map(|(probability, _)| probability.clone()).max().expect("there is a policy");
        let answer = solve(&mdp, Objective::MaxProb, &Budget::unlimited()).expect("there is always a policy");
        assert_eq!(answer.value, Value::Exact(best.clone()), "seed {seed}");
        let policy: Vec<Option<usize>> = answer.policy.iter().map(|at| at.map(|at| at as usize)).collect();
        assert_eq!(evaluate(&mdp, &policy).0, best, "seed {seed}: the policy has the value");
        let least = all.iter().filter_map(|(_, cost)| cost.clone()).min();
        let (certain, _) = almost_sure(&mdp, &Budget::unlimited()).expect("no limit");
        assert_eq!(certain[0], least.is_some(), "seed {seed}");
        match (solve(&mdp, Objective::MinCost, &Budget::unlimited()), least) {
            (Ok(answer), Some(least)) => {
                assert_eq!(answer.value, Value::Exact(least.clone()), "seed {seed}");
                let policy: Vec<Option<usize>> =
                    answer.policy.iter().map(|at| at.map(|at| at as usize)).collect();
                assert_eq!(evaluate(&mdp, &policy).1, Some(least), "seed {seed}: the policy has the cost");
                sure += 1;
            }
            (Err(Unsolved::NotSure { lost }), None) => assert!(!lost.is_empty()),
            (found, least) => panic!("seed {seed}: {found:?} against {least:?}"),
        }
        between += usize::from(!best.is_zero() && !best.is_one());
    }
    assert!(sure > 100 && between > 50, "{sure} with a sure policy, {between} in between");
}

/// A random task over four variables of two or three values.
fn random_task(seed: u64) -> OddsTask {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let sizes: Vec<u32> = (0..4).map(|_| rng.random_range(2..=3u32)).collect();
    let variable = |(at, &size): (usize, &u32)| Variable {
        name: format!("v{at}"),
        values: (0..size).map(|value| format!("Atom v{at}-{value}()")).collect(),
        derived: None,
    };
    let fact = |rng: &mut ChaCha8Rng, var: usize| Fact {
        var: VarId::new(var),
        value: rng.random_range(0..sizes[var]),
    };
    let some = |rng: &mut ChaCha8Rng, chance: f64| -> Vec<Fact> {
        let mut found = Vec::new();
        for var in 0..4 {
            if rng.random_bool(chance) {
                found.push(fact(rng, var));
            }
        }
        found
    };
    let (mut operators, mut choices) = (IdVec::new(), IdVec::new());
    let (mut odds, mut costs) = (IdVec::new(), IdVec::new());
    for number in 0..rng.random_range(3..=8) {
        let precondition = some(&mut rng, 0.4);
        let weights: Vec<i128> = (0..rng.random_range(1..=3)).map(|_| rng.random_range(1..=4i128)).collect();
        let first = operators.len() as u32;
        for &weight in &weights {
            let effects = some(&mut rng, 0.4).into_iter();
            let effects = effects.map(|fact| Effect { condition: some(&mut rng, 0.1), fact }).collect();
            let operator =
                Operator { name: format!("a{number}"), precondition: precondition.clone(), effects, cost: 1 };
            let _: OpId = operators.push(operator);
            let _: OpId = odds.push(Number::new(weight, weights.iter().sum()));
            let _: OpId = costs.push(Number::new(rng.random_range(0..=3i128), 2));
        }
        let _: ChoiceId =
            choices.push(Choice { name: format!("a{number}"), outcomes: first..operators.len() as u32 });
    }
    let task = Task {
        variables: sizes.iter().enumerate().map(variable).collect(),
        initial: vec![0; 4].into(),
        goal: vec![Fact { var: VarId::new(0), value: 1 }, Fact { var: VarId::new(1), value: 1 }],
        soft: Vec::new(),
        operators,
        axioms: Vec::new(),
        mutex_groups: Vec::new(),
        mutex_pairs: Vec::new(),
        has_metric: true,
        cost_unit: Number::from(1),
    };
    OddsTask { nondet: NondetTask { task, choices, start: None }, odds, costs }
}

#[test]
fn the_search_of_a_part_has_the_value_of_the_whole() {
    let (mut sure, mut fewer) = (0, 0);
    for seed in 0..300 {
        let task = random_task(seed);
        let budget = Budget::unlimited();
        let whole = explore(&task, usize::MAX, &budget).expect("it is small").expect("it is small");
        let best = solve(&whole.mdp, Objective::MaxProb, &budget).expect("there is a policy").value;
        let part = search(&task, Objective::MaxProb, &budget).expect("there is a policy");
        assert_eq!(part.answer.value, best, "seed {seed}");
        match (solve(&whole.mdp, Objective::MinCost, &budget), search(&task, Objective::MinCost, &budget)) {
            (Ok(answer), Ok(part)) => {
                assert_eq!(part.answer.value, answer.value, "seed {seed}");
                sure += 1;
                fewer += usize::from(part.expanded < whole.states.len());
            }
            (Err(Unsolved::NotSure { .. }), Err(Unsearched::Unsolved(Unsolved::NotSure { .. }, _))) => {}
            (whole, part) => panic!("seed {seed}: {whole:?} against {part:?}"),
        }
    }
    assert!(sure > 30 && fewer > 10, "{sure} with a sure policy, {fewer} of them without all states");
}

#[test]
fn discounted_values_have_no_better_action_and_agree_with_many_steps() {
    for seed in 0..100 {
        let mdp = random_mdp(seed);
        let half = Number::new(1, 2);
        let answer =
            solve(&mdp, Objective::Discounted(half), &Budget::unlimited()).expect("there is a policy");
        assert!(matches!(answer.value, Value::Exact(_)));
        // With a discount of one half, what lies beyond 60 steps is below rounding.
        let mut values = vec![0.0f64; mdp.len()];
        for _ in 0..60 {
            let best = |state: usize| {
                let worth = |action: &counterplay_mdp::Action| {
                    let ahead = mdp.outcomes(action).iter().map(|it| {
                        *it.odds.numer() as f64 / *it.odds.denom() as f64 * values[it.next as usize]
                    });
                    0.5 * ahead.sum::<f64>() - *action.cost.numer() as f64 / *action.cost.denom() as f64
                };
                mdp.actions(state).iter().map(worth).reduce(f64::max).unwrap_or(0.0)
            };
            values = (0..mdp.len()).map(best).collect();
        }
        let (found, _) = answer.value.bounds();
        assert!((found - values[0]).abs() < 1e-9, "seed {seed}: {found} against {}", values[0]);
    }
}
