//! Solving decision processes: a finite horizon exactly, an infinite one with discounting.
//!
//! A horizon is solved by dynamic programming from its end, which costs the product of depth and size where a tree
//! search would cost a power of the depth. The infinite horizon is solved by policy iteration (Howard, 1960): the
//! value of a policy is the solution of a linear system, and a policy that no single change improves is optimal.
//! Of actions that are worth the same, the first is taken.

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Verdict};

use crate::mdp::{Mdp, StateId};

/// Differences smaller than this are rounding, not preference.
const TIE: f64 = 1e-9;

/// The solution for so many steps and no more.
#[derive(Clone, Debug)]
pub struct FiniteHorizonPolicy {
    /// `values[k][s]`: what `s` is worth with `k` steps to go.
    pub values: Vec<IdVec<StateId, f64>>,
    /// `policy[k][s]`: the number of the best action in `s` with `k` steps to go; `None` in an end or without steps.
    pub policy: Vec<IdVec<StateId, Option<usize>>>,
}

/// Solves a process for `depth` steps, without discounting. Each state on the way counts its reward, the last too.
pub fn solve_truncated(mdp: &Mdp, depth: usize, budget: &Budget) -> Verdict<FiniteHorizonPolicy> {
    let mut values: Vec<IdVec<StateId, f64>> = vec![mdp.states().map(|state| mdp.reward(state)).collect()];
    let mut policy = vec![IdVec::filled(None, mdp.states().len())];
    for steps in 1..=depth {
        if let Err(limit) = budget.check() {
            return Verdict::Stopped(limit);
        }
        let before = &values[steps - 1];
        let best: IdVec<StateId, Option<(usize, f64)>> =
            mdp.states().map(|state| best_action(mdp, state, before, 1.0)).collect();
        let value = |state| mdp.reward(state) + best[state].map_or(0.0, |(_, worth)| worth);
        let now = mdp.states().map(value).collect();
        policy.push(best.iter().map(|best| best.map(|(action, _)| action)).collect());
        values.push(now);
    }
    Verdict::Solved(FiniteHorizonPolicy { values, policy })
}

/// The solution for ever after.
#[derive(Clone, Debug)]
pub struct DiscountedPolicy {
    /// What each state is worth.
    pub values: IdVec<StateId, f64>,
    /// The number of the best action of each state; `None` in an end.
    pub policy: IdVec<StateId, Option<usize>>,
    /// How often the policy was improved.
    pub improvements: u32,
}

/// Solves a process that never ends, where a reward counts `discount` times as much one step later.
///
/// # Panics
/// If `discount` is not at least 0 and less than 1.
pub fn solve_discounted(mdp: &Mdp, discount: f64, budget: &Budget) -> Verdict<DiscountedPolicy> {
    assert!((0.0..1.0).contains(&discount), "a discount of {discount} has no finite values");
    let mut policy: IdVec<StateId, Option<usize>> =
        mdp.states().map(|state| (!mdp.actions(state).is_empty()).then_some(0)).collect();
    let mut improvements = 0;
    loop {
        let values = match evaluate(mdp, &policy, discount, budget) {
            Verdict::Solved(values) => values,
            Verdict::Unsolvable => unreachable!("a policy has a value"),
            Verdict::Stopped(limit) => return Verdict::Stopped(limit),
        };
        let mut changed = false;
        for state in mdp.states() {
            let Some(now) = policy[state] else { continue };
            let present = mdp.worth(mdp.actions(state)[now], &values, discount);
            let scale = 1.0 + present.abs();
            if let Some((action, worth)) = best_action(mdp, state, &values, discount)
                && worth > present + TIE * scale
            {
                policy[state] = Some(action);
                changed = true;
            }
        }
        if !changed {
            return Verdict::Solved(DiscountedPolicy { values, policy, improvements });
        }
        improvements += 1;
    }
}

/// The first action that no other beats, and its worth.
fn best_action(
    mdp: &Mdp,
    state: StateId,
    values: &IdVec<StateId, f64>,
    discount: f64,
) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (number, &action) in mdp.actions(state).iter().enumerate() {
        let worth = mdp.worth(action, values, discount);
        if best.is_none_or(|(_, most)| worth > most + TIE) {
            best = Some((number, worth));
        }
    }
    best
}

/// The value of a policy: the solution of `v = r - c + discount * P v`, by elimination with pivoting.
fn evaluate(
    mdp: &Mdp,
    policy: &IdVec<StateId, Option<usize>>,
    discount: f64,
    budget: &Budget,
) -> Verdict<IdVec<StateId, f64>> {
    let size = mdp.states().len();
    let width = size + 1;
    let mut rows = vec![0.0; size * width];
    for state in mdp.states() {
        let row = &mut rows[state.index() * width..][..width];
        row[state.index()] += 1.0;
        row[size] = mdp.reward(state);
        if let Some(number) = policy[state] {
            let action = mdp.actions(state)[number];
            row[size] -= action.cost;
            for outcome in mdp.outcomes(action) {
                row[outcome.next.index()] -= discount * outcome.probability;
            }
        }
    }
    let mut poll = BudgetPoll::every(64);
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| rows[a * width + column].abs().total_cmp(&rows[b * width + column].abs()))
            .expect("there is a row left for each column");
        for k in 0..width {
            rows.swap(column * width + k, pivot * width + k);
        }
        for other in (0..size).filter(|&other| other != column) {
            if let Err(limit) = poll.step(budget) {
                return Verdict::Stopped(limit);
            }
            let factor = rows[other * width + column] / rows[column * width + column];
            if factor != 0.0 {
                for k in column..width {
                    rows[other * width + k] -= factor * rows[column * width + k];
                }
            }
        }
    }
    Verdict::Solved((0..size).map(|i| rows[i * width + size] / rows[i * width + i]).collect())
}
