//! Policies in fractions: what one is worth exactly, and improving it until no action is better.
//!
//! The value of a policy solves a linear system. States are put into the strongly connected components of the policy's graph, which are
//! solved one after the other; within one, states are eliminated from the chain as in the theory of Markov chains, those with the fewest
//! connections first. Nothing is rounded.

use std::collections::{BTreeMap, BTreeSet};

use counterplay_base::{Budget, BudgetPoll, Limit};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::components::strongly_connected;
use crate::model::{Mdp, Number};

/// Components with more states are not solved in fractions.
const MOST_STATES: usize = 600;
/// Fractions with more bits are not worth waiting for.
const MOST_BITS: u64 = 200_000;

/// Why there is no exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotExact {
    Large,
    Stopped(Limit),
}

impl From<Limit> for NotExact {
    fn from(limit: Limit) -> NotExact {
        NotExact::Stopped(limit)
    }
}

/// An action for each state, by its place among those of the state.
pub(crate) type Policy = Vec<Option<u32>>;

pub(crate) fn exact(number: Number) -> BigRational {
    BigRational::new(BigInt::from(*number.numer()), BigInt::from(*number.denom()))
}

/// The probability with which a policy reaches a goal from each state.
pub(crate) fn evaluate_probability(
    mdp: &Mdp,
    policy: &Policy,
    budget: &Budget,
) -> Result<Vec<BigRational>, NotExact> {
    let reaching = reaching(mdp, policy);
    let value = |state: usize| match (mdp.is_goal(state), reaching[state]) {
        (true, _) => Some(BigRational::one()),
        (false, false) => Some(BigRational::zero()),
        (false, true) => None,
    };
    let known = (0..mdp.len()).map(value).collect();
    let nothing = vec![BigRational::zero(); mdp.len()];
    solve_chain(mdp, policy, known, &nothing, &BigRational::one(), budget)
}

/// The expected cost of a policy from each state; `None` where it does not reach a goal for sure.
pub(crate) fn evaluate_cost(
    mdp: &Mdp,
    policy: &Policy,
    budget: &Budget,
) -> Result<Vec<Option<BigRational>>, NotExact> {
    let sure = surely_reaching(mdp, policy);
    let value = |state: usize| match mdp.is_goal(state) || !sure[state] {
        true => Some(BigRational::zero()),
        false => None,
    };
    let known = (0..mdp.len()).map(value).collect();
    let values = solve_chain(mdp, policy, known, &costs(mdp, policy), &BigRational::one(), budget)?;
    Ok(values.into_iter().zip(sure).map(|(value, sure)| sure.then_some(value)).collect())
}

/// The discounted value of a policy: rewards less costs.
pub(crate) fn evaluate_discounted(
    mdp: &Mdp,
    policy: &Policy,
    discount: Number,
    budget: &Budget,
) -> Result<Vec<BigRational>, NotExact> {
    let costs = costs(mdp, policy);
    let gains: Vec<BigRational> =
        (0..mdp.len()).map(|state| exact(mdp.reward(state)) - &costs[state]).collect();
    let value = |state: usize| policy[state].is_none().then(|| gains[state].clone());
    solve_chain(mdp, policy, (0..mdp.len()).map(value).collect(), &gains, &exact(discount), budget)
}

/// What the policy's action costs in each state.
fn costs(mdp: &Mdp, policy: &Policy) -> Vec<BigRational> {
    let cost = |state: usize| policy[state].map(|at| exact(mdp.actions(state)[at as usize].cost));
    (0..mdp.len()).map(|state| cost(state).unwrap_or_default()).collect()
}

/// The successors of a state under a policy.
fn successors(mdp: &Mdp, policy: &Policy, state: usize) -> impl Iterator<Item = (Number, usize)> {
    let action = policy[state].map(|at| &mdp.actions(state)[at as usize]);
    action.into_iter().flat_map(|it| mdp.outcomes(it).iter().map(|it| (it.odds, it.next as usize)))
}

/// The states from which a policy reaches a goal with a positive probability.
pub(crate) fn reaching(mdp: &Mdp, policy: &Policy) -> Vec<bool> {
    backwards(mdp, policy, (0..mdp.len()).filter(|&state| mdp.is_goal(state)).collect())
}

/// The states from which a policy reaches a goal for sure: no state without a way to one can come up.
pub(crate) fn surely_reaching(mdp: &Mdp, policy: &Policy) -> Vec<bool> {
    let reaching = reaching(mdp, policy);
    let lost = (0..mdp.len()).filter(|&state| !reaching[state]).collect();
    backwards(mdp, policy, lost).into_iter().map(|may_be_lost| !may_be_lost).collect()
}

fn backwards(mdp: &Mdp, policy: &Policy, mut open: Vec<usize>) -> Vec<bool> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); mdp.len()];
    for state in 0..mdp.len() {
        successors(mdp, policy, state).for_each(|(_, next)| before[next].push(state));
    }
    let mut met = vec![false; mdp.len()];
    open.iter().for_each(|&state| met[state] = true);
    while let Some(state) = open.pop() {
        for &previous in &before[state] {
            if !std::mem::replace(&mut met[previous], true) {
                open.push(previous);
            }
        }
    }
    met
}

/// Solves `v = gain + discount * P v` for the states whose value is not known.
fn solve_chain(
    mdp: &Mdp,
    policy: &Policy,
    known: Vec<Option<BigRational>>,
    gains: &[BigRational],
    discount: &BigRational,
    budget: &Budget,
) -> Result<Vec<BigRational>, NotExact> {
    let next = |state: usize| -> Vec<u32> {
        let open = successors(mdp, policy, state).filter(|&(_, next)| known[next].is_none());
        if known[state].is_some() { Vec::new() } else { open.map(|(_, next)| next as u32).collect() }
    };
    let (component, count) = strongly_connected(mdp.len(), &next, budget)?;
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for state in (0..mdp.len()).filter(|&state| known[state].is_none()) {
        members[component[state] as usize].push(state);
    }
    let mut values = known;
    // Successors have smaller numbers, so their values are there.
    for members in members.into_iter().filter(|members| !members.is_empty()) {
        let mut chain = Chain::default();
        for &state in &members {
            let mut row = Row { gain: gains[state].clone(), to: BTreeMap::new() };
            for (odds, next) in successors(mdp, policy, state) {
                let odds = exact(odds) * discount;
                match &values[next] {
                    Some(value) => row.gain += odds * value,
                    None => *row.to.entry(next).or_default() += odds,
                }
            }
            chain.add(state, row);
        }
        chain.solve(&mut values, budget)?;
    }
    Ok(values.into_iter().map(Option::unwrap_or_default).collect())
}

/// One equation: the value is the gain plus the weighted values of others.
#[derive(Default)]
struct Row {
    gain: BigRational,
    to: BTreeMap<usize, BigRational>,
}

/// The equations of one component.
#[derive(Default)]
struct Chain {
    rows: BTreeMap<usize, Row>,
    /// Which equations mention a state.
    users: BTreeMap<usize, BTreeSet<usize>>,
}

impl Chain {
    fn add(&mut self, state: usize, row: Row) {
        for &next in row.to.keys() {
            self.users.entry(next).or_default().insert(state);
        }
        self.rows.insert(state, row);
    }

    fn solve(mut self, values: &mut [Option<BigRational>], budget: &Budget) -> Result<(), NotExact> {
        if self.rows.len() > MOST_STATES {
            return Err(NotExact::Large);
        }
        let mut poll = BudgetPoll::every(64);
        let mut done: Vec<(usize, Row)> = Vec::new();
        while let Some(state) = self.next() {
            let row = self.eliminate(state, &mut poll, budget)?;
            done.push((state, row));
        }
        while let Some((state, row)) = done.pop() {
            let mut value = row.gain;
            for (next, weight) in &row.to {
                value += weight * values[*next].as_ref().expect("those eliminated later are solved first");
            }
            if value.denom().bits() > MOST_BITS {
                return Err(NotExact::Large);
            }
            values[state] = Some(value);
        }
        Ok(())
    }

    /// The state whose elimination makes the fewest new connections.
    fn next(&self) -> Option<usize> {
        let users = |state: &usize| self.users.get(state).map_or(0, BTreeSet::len);
        self.rows.iter().min_by_key(|(state, row)| row.to.len() * users(state)).map(|(&state, _)| state)
    }

    /// Takes a state out of the chain: whoever leads to it leads where it leads.
    fn eliminate(&mut self, state: usize, poll: &mut BudgetPoll, budget: &Budget) -> Result<Row, NotExact> {
        let mut row = self.rows.remove(&state).unwrap_or_default();
        if let Some(own) = row.to.remove(&state) {
            // The caller gave values to states that stay for ever, so the loop is left at some time.
            let factor = (BigRational::one() - own).recip();
            row.gain *= &factor;
            row.to.values_mut().for_each(|weight| *weight *= &factor);
        }
        for next in row.to.keys() {
            if let Some(users) = self.users.get_mut(next) {
                users.remove(&state);
            }
        }
        for user in self.users.remove(&state).unwrap_or_default() {
            let Some(other) = self.rows.get_mut(&user) else { continue };
            let Some(weight) = other.to.remove(&state) else { continue };
            other.gain += &weight * &row.gain;
            if other.gain.denom().bits() > MOST_BITS {
                return Err(NotExact::Large);
            }
            for (&next, more) in &row.to {
                poll.step(budget)?;
                *other.to.entry(next).or_default() += &weight * more;
                self.users.entry(next).or_default().insert(user);
            }
        }
        Ok(row)
    }
}

/// What an action is worth if its outcomes are worth `values`, costs aside.
pub(crate) fn worth(mdp: &Mdp, state: usize, action: usize, values: &[BigRational]) -> BigRational {
    let outcomes = mdp.outcomes(&mdp.actions(state)[action]).iter();
    outcomes.fold(BigRational::zero(), |sum, it| sum + exact(it.odds) * &values[it.next as usize])
}

/// Improves a policy until no action reaches a goal with a greater probability; its probabilities, which are then the greatest.
pub(crate) fn greatest_probability(
    mdp: &Mdp,
    policy: &mut Policy,
    budget: &Budget,
) -> Result<Vec<BigRational>, NotExact> {
    loop {
        let values = evaluate_probability(mdp, policy, budget)?;
        let mut poll = BudgetPoll::every(64);
        let mut changed = false;
        for state in (0..mdp.len()).filter(|&state| !values[state].is_one()) {
            let mut best = values[state].clone();
            for action in 0..mdp.actions(state).len() {
                poll.step(budget)?;
                let worth = worth(mdp, state, action, &values);
                if worth > best {
                    (best, policy[state], changed) = (worth, Some(action as u32), true);
                }
            }
        }
        if !changed {
            return Ok(values);
        }
    }
}

/// Improves a policy that reaches a goal for sure from the states in `sure` until none is cheaper; its costs, which are then the least.
///
/// A strict improvement keeps reaching a goal for sure: costs are not negative, and a set of states that is never left would have to
/// pay less than nothing on average.
pub(crate) fn least_cost(
    mdp: &Mdp,
    policy: &mut Policy,
    sure: &[bool],
    budget: &Budget,
) -> Result<Vec<Option<BigRational>>, NotExact> {
    loop {
        let values = evaluate_cost(mdp, policy, budget)?;
        let filled: Vec<BigRational> = values.iter().map(|value| value.clone().unwrap_or_default()).collect();
        let mut poll = BudgetPoll::every(64);
        let mut changed = false;
        for state in (0..mdp.len()).filter(|&state| sure[state] && !mdp.is_goal(state)) {
            let mut best = filled[state].clone();
            for (number, action) in mdp.actions(state).iter().enumerate() {
                poll.step(budget)?;
                if mdp.outcomes(action).iter().any(|it| !sure[it.next as usize]) {
                    continue;
                }
                let cost = exact(action.cost) + worth(mdp, state, number, &filled);
                if cost < best {
                    (best, policy[state], changed) = (cost, Some(number as u32), true);
                }
            }
        }
        if !changed {
            return Ok(values);
        }
    }
}

/// Improves a policy until no action has a greater discounted value; its values, which are then the greatest.
pub(crate) fn greatest_discounted(
    mdp: &Mdp,
    policy: &mut Policy,
    discount: Number,
    budget: &Budget,
) -> Result<Vec<BigRational>, NotExact> {
    loop {
        let values = evaluate_discounted(mdp, policy, discount, budget)?;
        let mut poll = BudgetPoll::every(64);
        let mut changed = false;
        for state in 0..mdp.len() {
            let mut best = values[state].clone();
            for (number, action) in mdp.actions(state).iter().enumerate() {
                poll.step(budget)?;
                let ahead = exact(discount) * worth(mdp, state, number, &values);
                let value = exact(mdp.reward(state)) - exact(action.cost) + ahead;
                if value > best {
                    (best, policy[state], changed) = (value, Some(number as u32), true);
                }
            }
        }
        if !changed {
            return Ok(values);
        }
    }
}
