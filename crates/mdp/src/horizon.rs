//! Rewards and costs that are discounted, or that end after so many steps.

use counterplay_base::{Budget, BudgetPoll, Limit};
use num_rational::BigRational;

use crate::exact::{NotExact, Policy, exact, worth};
use crate::model::{Mdp, Number, to_f64};

/// Work that exact dynamic programming may take, in outcomes looked at.
const MOST_EXACT: usize = 200_000;

/// Values and best actions with so many steps to go.
pub(crate) struct Horizon<V> {
    pub(crate) values: Vec<V>,
    /// `policy[k]`: what to do with `k + 1` steps to go.
    pub(crate) policy: Vec<Policy>,
}

/// Solves a process for so many steps in fractions, if it is small. Each state on the way counts its reward, the last one too.
pub(crate) fn finite_exact(
    mdp: &Mdp,
    steps: usize,
    budget: &Budget,
) -> Result<Horizon<BigRational>, NotExact> {
    let outcomes: usize =
        (0..mdp.len()).flat_map(|it| mdp.actions(it)).map(|it| mdp.outcomes(it).len()).sum();
    if outcomes.saturating_mul(steps) > MOST_EXACT {
        return Err(NotExact::Large);
    }
    let mut poll = BudgetPoll::every(64);
    let mut values: Vec<BigRational> = (0..mdp.len()).map(|state| exact(mdp.reward(state))).collect();
    let mut policy = Vec::new();
    for _ in 0..steps {
        let (mut next, mut best) = (values.clone(), vec![None; mdp.len()]);
        for state in 0..mdp.len() {
            for (number, action) in mdp.actions(state).iter().enumerate() {
                poll.step(budget)?;
                let value =
                    exact(mdp.reward(state)) - exact(action.cost) + worth(mdp, state, number, &values);
                if best[state].is_none() || value > next[state] {
                    (next[state], best[state]) = (value, Some(number as u32));
                }
            }
            if best[state].is_none() {
                next[state] = exact(mdp.reward(state));
            }
        }
        values = next;
        policy.push(best);
    }
    Ok(Horizon { values, policy })
}

/// The same in floating point.
pub(crate) fn finite(mdp: &Mdp, steps: usize, budget: &Budget) -> Result<Horizon<f64>, Limit> {
    let mut poll = BudgetPoll::every(256);
    let mut values: Vec<f64> = (0..mdp.len()).map(|state| to_f64(mdp.reward(state))).collect();
    let mut policy = Vec::new();
    for _ in 0..steps {
        let (next, best) = sweep(mdp, &values, 1.0, &mut poll, budget)?;
        values = next;
        policy.push(best);
    }
    Ok(Horizon { values, policy })
}

/// A policy that is nearly the best where values are discounted, and bounds of the values.
pub(crate) fn discounted(
    mdp: &Mdp,
    discount: Number,
    budget: &Budget,
) -> Result<(Policy, [Vec<f64>; 2]), Limit> {
    let factor = to_f64(discount);
    let mut poll = BudgetPoll::every(256);
    let mut values = vec![0.0; mdp.len()];
    loop {
        let (next, policy) = sweep(mdp, &values, factor, &mut poll, budget)?;
        let moved =
            next.iter().zip(&values).map(|(new, old): (&f64, &f64)| (new - old).abs()).fold(0.0, f64::max);
        values = next;
        let error = moved * factor / (1.0 - factor);
        let scale = values.iter().map(|value| value.abs()).fold(1.0, f64::max);
        if error <= 1e-10 * scale {
            let slack = error + 1e-12 * scale;
            let shifted = |by: f64| values.iter().map(|value| value + by).collect();
            return Ok((policy, [shifted(-slack), shifted(slack)]));
        }
    }
}

/// One step of value iteration.
fn sweep(
    mdp: &Mdp,
    values: &[f64],
    discount: f64,
    poll: &mut BudgetPoll,
    budget: &Budget,
) -> Result<(Vec<f64>, Policy), Limit> {
    let (mut next, mut policy) = (Vec::with_capacity(mdp.len()), Vec::with_capacity(mdp.len()));
    for state in 0..mdp.len() {
        poll.step(budget)?;
        let mut best: Option<(f64, u32)> = None;
        for (number, action) in mdp.actions(state).iter().enumerate() {
            let ahead: f64 = mdp.outcomes(action).iter().map(|it| it.p * values[it.next as usize]).sum();
            let worth = discount * ahead - to_f64(action.cost);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, number as u32));
            }
        }
        next.push(to_f64(mdp.reward(state)) + best.map_or(0.0, |(worth, _)| worth));
        policy.push(best.map(|(_, number)| number));
    }
    Ok((next, policy))
}
