//! The three conditions: initial state, goal, and steps.

use std::collections::HashMap;

use counterplay_base::{Budget, BudgetPoll};

use super::invariant::{Closed, Estimate, Invariant};
use super::layers;
use super::task::{Fact, FiniteTask, Operator, holds};
use super::{CertificateClaim, CertificateFile, CertificateFlaw, CheckedCertificate};

/// Checks that the invariant is one.
pub(super) fn check(
    task: &FiniteTask,
    invariant: &Invariant,
    budget: &Budget,
) -> Result<CheckedCertificate, CertificateFlaw> {
    let mut least: HashMap<&[u32], u64> = HashMap::new();
    for state in &invariant.states {
        let known = least.entry(&state.values).or_insert(state.cost);
        *known = state.cost.min(*known);
    }
    let recent = (0..invariant.estimates.len()).collect();
    let crossing = crossing(task, &invariant.zones, budget)?;
    let mut kernel =
        Kernel { task, invariant, least, recent, crossing, poll: BudgetPoll::every(256), budget, steps: 0 };
    if !kernel.is_inside(&task.initial, 0) {
        return Err(wrong(1, "the initial state is not in the set"));
    }
    let pairs = layers::check(task, invariant.claim, &invariant.diagram, &invariant.layers, budget)?;
    for estimate in &invariant.estimates {
        kernel.check_estimate(estimate)?;
    }
    let by_fact = operators_by_fact(task);
    for state in &invariant.states {
        kernel.check_state(state, &by_fact)?;
    }
    Ok(CheckedCertificate {
        claim: invariant.claim,
        states: invariant.states.len(),
        estimates: invariant.estimates.len(),
        layers: invariant.layers.len(),
        nodes: invariant.diagram.len(),
        steps: kernel.steps + pairs,
    })
}

fn wrong(line: usize, why: &str) -> CertificateFlaw {
    CertificateFlaw::Wrong { file: CertificateFile::Invariant, line, why: why.to_owned() }
}

/// The operators by a fact that they need; those that need none are under `None`.
fn operators_by_fact(task: &FiniteTask) -> HashMap<Option<Fact>, Vec<&Operator>> {
    let mut by_fact: HashMap<Option<Fact>, Vec<&Operator>> = HashMap::new();
    for operator in &task.operators {
        by_fact.entry(operator.precondition.first().copied()).or_default().push(operator);
    }
    by_fact
}

struct Kernel<'a> {
    task: &'a FiniteTask,
    invariant: &'a Invariant,
    /// The least cost of each closed state.
    least: HashMap<&'a [u32], u64>,
    /// The places of estimates, the ones that covered something last at the end.
    recent: Vec<usize>,
    /// The operators that can lead into each zone.
    crossing: Vec<Vec<usize>>,
    poll: BudgetPoll,
    budget: &'a Budget,
    steps: usize,
}

impl Kernel<'_> {
    fn cost(&self, operator: &Operator) -> u64 {
        match self.invariant.claim {
            CertificateClaim::Unsolvable => 0,
            CertificateClaim::AtLeast(_) => operator.cost,
        }
    }

    fn reaches_claim(&self, cost: u128) -> bool {
        match self.invariant.claim {
            CertificateClaim::Unsolvable => false,
            CertificateClaim::AtLeast(bound) => cost >= u128::from(bound),
        }
    }

    /// Whether a pair is in the set.
    fn is_inside(&mut self, state: &[u32], cost: u128) -> bool {
        if self.least.get(state).is_some_and(|&least| u128::from(least) <= cost) {
            return true;
        }
        let invariant = self.invariant;
        let has = |set| invariant.diagram.contains(set, state);
        if invariant.layers.iter().any(|layer| u128::from(layer.cost) <= cost && has(layer.set)) {
            return true;
        }
        let mut entered: HashMap<usize, bool> = HashMap::new();
        let covering = self.recent.iter().rposition(|&estimate| {
            let Estimate { base, parts, .. } = &invariant.estimates[estimate];
            let mut charge = u128::from(*base);
            parts.iter().all(|&(zone, weight)| {
                let is_entered = *entered.entry(zone).or_insert_with(|| {
                    invariant.zones[zone].iter().any(|&(var, value)| state[var as usize] == value)
                });
                charge += if is_entered { u128::from(weight) } else { 0 };
                charge <= cost
            }) && charge <= cost
        });
        if let Some(at) = covering {
            let estimate = self.recent.remove(at);
            self.recent.push(estimate);
        }
        covering.is_some()
    }

    /// An estimate charges the claim to every goal state, and no operator enters zones of more weight than it costs.
    fn check_estimate(&mut self, estimate: &Estimate) -> Result<(), CertificateFlaw> {
        let zone = |at: usize| &self.invariant.zones[at];
        let entered = estimate
            .parts
            .iter()
            .filter(|&&(at, _)| zone(at).iter().any(|fact| self.task.goal.contains(fact)));
        let weight: u128 = entered.map(|&(_, weight)| u128::from(weight)).sum();
        let is_closed_to_goals = match self.invariant.claim {
            CertificateClaim::Unsolvable => u128::from(estimate.base) + weight > 0,
            CertificateClaim::AtLeast(_) => self.reaches_claim(u128::from(estimate.base) + weight),
        };
        if !is_closed_to_goals {
            return Err(wrong(estimate.line, "the estimate charges too little for goal states"));
        }
        let mut taken: HashMap<usize, u128> = HashMap::new();
        for &(at, weight) in &estimate.parts {
            self.poll.step(self.budget)?;
            for &operator in &self.crossing[at] {
                *taken.entry(operator).or_default() += u128::from(weight);
            }
        }
        let too_much = |(operator, taken): &(usize, u128)| {
            *taken > u128::from(self.cost(&self.task.operators[*operator]))
        };
        if let Some((operator, taken)) = taken.into_iter().filter(too_much).min() {
            let name = &self.task.operators[operator].name;
            return Err(wrong(
                estimate.line,
                &format!("`{name}` enters zones of weight {taken} and costs less"),
            ));
        }
        Ok(())
    }

    /// A closed state is no goal, and each step from it stays in the set.
    fn check_state(
        &mut self,
        state: &Closed,
        by_fact: &HashMap<Option<Fact>, Vec<&Operator>>,
    ) -> Result<(), CertificateFlaw> {
        if holds(&self.task.goal, &state.values) && !self.reaches_claim(u128::from(state.cost)) {
            return Err(wrong(state.line, "the state is a goal state"));
        }
        let facts = state.values.iter().enumerate().map(|(var, &value)| Some((var as u32, value)));
        for operators in facts.chain([None]).filter_map(|fact| by_fact.get(&fact)) {
            for operator in operators {
                self.poll.step(self.budget)?;
                if !operator.is_applicable(&state.values) {
                    continue;
                }
                self.steps += 1;
                let cost = u128::from(state.cost) + u128::from(self.cost(operator));
                let Some(after) = operator.apply(&state.values) else {
                    let why = format!("`{}` has effects that contradict each other here", operator.name);
                    return Err(wrong(state.line, &why));
                };
                if !self.reaches_claim(cost) && !self.is_inside(&after, cost) {
                    let why = format!("`{}` leads out of the set", operator.name);
                    return Err(wrong(state.line, &why));
                }
            }
        }
        Ok(())
    }
}

/// The operators that can lead from outside each zone into it.
fn crossing(
    task: &FiniteTask,
    zones: &[Vec<Fact>],
    budget: &Budget,
) -> Result<Vec<Vec<usize>>, CertificateFlaw> {
    let mut poll = BudgetPoll::every(16);
    let mut crossing = Vec::new();
    for zone in zones {
        poll.step(budget)?;
        let mut is_in: Vec<Vec<u32>> = vec![Vec::new(); task.domains.len()];
        zone.iter().for_each(|&(var, value)| is_in[var as usize].push(value));
        let is_in = |&(var, value): &Fact| is_in[var as usize].contains(&value);
        let enters = |operator: &Operator| {
            !operator.precondition.iter().any(is_in)
                && operator
                    .effects
                    .iter()
                    .any(|(condition, fact)| is_in(fact) && !condition.iter().any(is_in))
        };
        crossing.push((0..task.operators.len()).filter(|&at| enters(&task.operators[at])).collect());
    }
    Ok(crossing)
}
