//! Random small processes against a slow twin: every policy is evaluated by plain Gaussian elimination, and the best one counts.

use counterplay_base::Budget;
use counterplay_mdp::{Mdp, MdpBuilder, Objective, Unsolved, Value, almost_sure, solve};
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
        for k in 0..=size {
            rows[column][k] = &rows[column][k] * &factor;
        }
        for other in (0..size).filter(|&other| other != column) {
            let times = rows[other][column].clone();
            for k in 0..=size {
                let less = &times * &rows[column][k];
                rows[other][k] -= less;
            }
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
