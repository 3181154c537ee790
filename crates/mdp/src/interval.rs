//! Value iteration with bounds on both sides.
//!
//! From below and from above, in floating point. From above it comes to an end only if no set of states can be stayed in for ever at no
//! cost, so such sets (end components) are one state each here. Values of probabilities lie between 0 and 1; an upper bound of
//! costs comes from a policy that is known to reach a goal for sure.

use counterplay_base::{Budget, BudgetPoll, Limit};

use crate::components::EndComponents;
use crate::exact::Policy;
use crate::model::{Mdp, to_f64};

/// Bounds of the values of all states.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) sweeps: u64,
    /// The limit that ended the iteration before the bounds met.
    pub(crate) stopped: Option<Limit>,
}

/// Bounds closer than this, relative to the value, are taken to have met.
pub(crate) const CLOSE: f64 = 1e-9;

/// An action of a node: what it costs and where it leads.
struct Way {
    cost: f64,
    next: Vec<(f64, u32)>,
}

/// The process with components as nodes.
struct Quotient {
    of: Vec<u32>,
    ways: Vec<Vec<Way>>,
}

impl Quotient {
    /// `uses` says which actions there are, `components` which states are one node.
    fn new(mdp: &Mdp, uses: &[bool], components: EndComponents) -> Quotient {
        let EndComponents { of, count, stays } = components;
        let mut ways: Vec<Vec<Way>> = (0..count).map(|_| Vec::new()).collect();
        for (state, &node) in of.iter().enumerate() {
            for number in mdp.action_numbers(state).filter(|&number| uses[number] && !stays[number]) {
                let action = mdp.action(number);
                let next = mdp.outcomes(action).iter().map(|it| (it.p, of[it.next as usize])).collect();
                ways[node as usize].push(Way { cost: to_f64(action.cost), next });
            }
        }
        Quotient { of, ways }
    }

    /// Nodes of the states for which something holds.
    fn nodes(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.ways.len()];
        self.of.iter().enumerate().filter(|(state, _)| holds(*state)).for_each(|(_, &node)| {
            found[node as usize] = true;
        });
        found
    }

    fn spread(&self, values: &[f64]) -> Vec<f64> {
        self.of.iter().map(|&node| values[node as usize]).collect()
    }
}

/// Bounds of the greatest probabilities of reaching a goal. `reach` says from where one can be reached at all.
pub(crate) fn probabilities(mdp: &Mdp, reach: &[bool], budget: &Budget) -> Result<Bounds, Limit> {
    let uses = vec![true; mdp.action_count()];
    let quotient = Quotient::new(mdp, &uses, EndComponents::new(mdp, &uses, budget)?);
    let goal = quotient.nodes(|state| mdp.is_goal(state));
    let open = quotient.nodes(|state| reach[state] && !mdp.is_goal(state));
    let start = |upper: bool| -> Vec<f64> {
        let value = |node: usize| f64::from(u8::from(goal[node] || upper && open[node]));
        (0..goal.len()).map(value).collect()
    };
    let fixed: Vec<bool> = open.iter().map(|open| !open).collect();
    let best = |ways: &[Way], values: &[f64]| ways.iter().map(|way| mean(way, values)).fold(0.0, f64::max);
    iterate(&quotient, &fixed, [start(false), start(true)], &best, quotient.of[mdp.initial()], budget)
}

/// Bounds of the least expected costs of reaching a goal for sure, over the states in `sure` and the actions in `uses`. `policy` reaches
/// a goal for sure from all of them.
pub(crate) fn costs(
    mdp: &Mdp,
    sure: &[bool],
    uses: &[bool],
    policy: &Policy,
    budget: &Budget,
) -> Result<Bounds, Limit> {
    let free: Vec<bool> =
        (0..mdp.action_count()).map(|number| uses[number] && *mdp.action(number).cost.numer() == 0).collect();
    let above = cost_of(mdp, sure, policy, budget)?;
    let quotient = Quotient::new(mdp, uses, EndComponents::new(mdp, &free, budget)?);
    let open = quotient.nodes(|state| sure[state] && !mdp.is_goal(state));
    let fixed: Vec<bool> = open.iter().map(|open| !open).collect();
    let mut upper = vec![0.0; fixed.len()];
    for (state, &node) in quotient.of.iter().enumerate().filter(|&(state, _)| sure[state]) {
        // States of one node can reach each other at no cost, so the least bound is one for all.
        let bound = &mut upper[node as usize];
        *bound = if *bound == 0.0 { above[state] } else { bound.min(above[state]) };
    }
    let best = |ways: &[Way], values: &[f64]| {
        ways.iter().map(|way| way.cost + mean(way, values)).fold(f64::INFINITY, f64::min)
    };
    let lower = vec![0.0; fixed.len()];
    iterate(&quotient, &fixed, [lower, upper], &best, quotient.of[mdp.initial()], budget)
}

fn mean(way: &Way, values: &[f64]) -> f64 {
    way.next.iter().map(|&(p, next)| p * values[next as usize]).sum()
}

/// Sweeps over all nodes until the bounds of the initial one meet.
fn iterate(
    quotient: &Quotient,
    fixed: &[bool],
    [mut lower, mut upper]: [Vec<f64>; 2],
    best: &dyn Fn(&[Way], &[f64]) -> f64,
    initial: u32,
    budget: &Budget,
) -> Result<Bounds, Limit> {
    let mut poll = BudgetPoll::every(256);
    let (mut sweeps, mut stopped) = (0, None);
    let initial = initial as usize;
    'sweeps: while upper[initial] - lower[initial] > CLOSE * lower[initial].abs().max(1.0) {
        sweeps += 1;
        let mut moved = 0.0f64;
        for node in (0..fixed.len()).filter(|&node| !fixed[node]) {
            if let Err(limit) = poll.step(budget) {
                stopped = Some(limit);
                break 'sweeps;
            }
            // Rounding must not undo what is known.
            let low = best(&quotient.ways[node], &lower).max(lower[node]);
            let high = best(&quotient.ways[node], &upper).min(upper[node]);
            moved = moved.max(low - lower[node]).max(upper[node] - high);
            (lower[node], upper[node]) = (low, high);
        }
        if moved == 0.0 {
            break;
        }
    }
    Ok(Bounds { lower: quotient.spread(&lower), upper: quotient.spread(&upper), sweeps, stopped })
}

/// An upper bound of what a policy costs that reaches a goal for sure.
///
/// Iteration for one policy ends with an error; the expected number of steps, weighted by that error, makes up for it.
fn cost_of(mdp: &Mdp, sure: &[bool], policy: &Policy, budget: &Budget) -> Result<Vec<f64>, Limit> {
    let (costs, error) =
        chain(mdp, sure, policy, &|state, at| to_f64(mdp.actions(state)[at].cost), 1e-6, budget)?;
    let (steps, short) = chain(mdp, sure, policy, &|_, _| 1.0, 0.25, budget)?;
    let weight = error / (1.0 - short);
    Ok(costs.iter().zip(&steps).map(|(cost, steps)| (cost + weight * steps) * (1.0 + CLOSE)).collect())
}

/// Sums what a policy collects until an iteration changes less than `close`, and the last change.
fn chain(
    mdp: &Mdp,
    sure: &[bool],
    policy: &Policy,
    gain: &dyn Fn(usize, usize) -> f64,
    close: f64,
    budget: &Budget,
) -> Result<(Vec<f64>, f64), Limit> {
    let mut poll = BudgetPoll::every(256);
    let mut values = vec![0.0; mdp.len()];
    loop {
        let mut next = values.clone();
        let mut moved = 0.0f64;
        for state in (0..mdp.len()).filter(|&state| sure[state]) {
            let Some(at) = policy[state] else { continue };
            poll.step(budget)?;
            let outcomes = mdp.outcomes(&mdp.actions(state)[at as usize]).iter();
            let ahead: f64 = outcomes.map(|it| it.p * values[it.next as usize]).sum();
            next[state] = gain(state, at as usize) + ahead;
            moved = moved.max(next[state] - values[state]);
        }
        values = next;
        if moved < close {
            return Ok((values, moved));
        }
    }
}
