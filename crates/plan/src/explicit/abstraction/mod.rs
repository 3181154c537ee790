//! Abstraction heuristics: distances in many small abstractions of the task, added up by saturated cost partitioning.
//!
//! Projections to patterns of variables (`patterns`, `projection`; Culberson and Schaeffer 1998, Edelkamp 2001) and Cartesian abstractions refined along their own
//! flawed plans (`cartesian`; Seipp and Helmert 2018) become explicit transition systems ([`Abstraction`]). For an order of them, each takes of the operator costs what its distances need
//! and leaves the rest to the next ([`partition`]; Seipp, Keller and Helmert 2020); the heuristic is the maximum over several orders, made for states
//! of random walks and kept if one of these gains. As in Scorpion, but with fixed amounts of work in place of times.
//!
//! Tasks with axioms or conditional effects have no such abstractions here.

mod cartesian;
mod distances;
mod partition;
mod patterns;
mod projection;
mod sample;
mod trace;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{OpId, Task, Value, VarId};

use cartesian::Cartesian;
use partition::Partitioned;
use projection::Projection;

/// A distance that no path has.
const UNREACHABLE: u32 = u32::MAX;

/// From states to abstract states.
#[derive(Debug)]
enum Mapping {
    Projection(Projection),
    Cartesian(Cartesian),
}

impl Mapping {
    fn abstract_state(&self, state: &IdVec<VarId, Value>) -> u32 {
        match self {
            Mapping::Projection(projection) => projection.abstract_state(state),
            Mapping::Cartesian(cartesian) => cartesian.abstract_state(state),
        }
    }
}

/// A transition between different abstract states, by any operator of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Transition {
    from: u32,
    to: u32,
    class: u32,
}

/// A small transition system that the task maps to.
#[derive(Debug)]
struct Abstraction {
    mapping: Mapping,
    states: u32,
    goals: Vec<u32>,
    /// Sorted by where they lead; those of state `s` are `start[s]..start[s + 1]`.
    transitions: Vec<Transition>,
    start: Vec<u32>,
    /// Operators that make the same transitions.
    classes: Vec<Vec<OpId>>,
}

impl Abstraction {
    fn new(
        mapping: Mapping,
        states: u32,
        goals: Vec<u32>,
        mut transitions: Vec<Transition>,
        classes: Vec<Vec<OpId>>,
    ) -> Abstraction {
        transitions.sort_unstable_by_key(|it| (it.to, it.from, it.class));
        let mut start = vec![0u32; states as usize + 1];
        for transition in &transitions {
            start[transition.to as usize + 1] += 1;
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        Abstraction { mapping, states, goals, transitions, start, classes }
    }

    /// The transitions into a state.
    fn into(&self, state: u32) -> &[Transition] {
        &self.transitions[self.start[state as usize] as usize..self.start[state as usize + 1] as usize]
    }

    fn len(&self) -> usize {
        self.transitions.len()
    }
}

/// The heuristic.
#[derive(Debug)]
pub(super) struct Abstractions {
    partitioned: Partitioned,
    work: u64,
}

impl Abstractions {
    /// Builds the heuristic with about so much work; `None` for a task that it cannot be built for.
    pub(super) fn new(
        task: &Task,
        costs: &IdVec<OpId, u64>,
        work: u64,
        budget: &Budget,
    ) -> Result<Option<Abstractions>, Limit> {
        if !task.axioms.is_empty() || task.has_conditional_effects() || task.goal.is_empty() {
            return Ok(None);
        }
        // Sums of distances have to fit.
        let total = costs.iter().fold(0u64, |sum, &cost| sum.saturating_add(cost));
        if total >= u64::from(u32::MAX / 4) {
            return Ok(None);
        }
        let costs: IdVec<OpId, u32> = costs.iter().map(|&cost| cost as u32).collect();
        let mut spent = 0;
        let mut abstractions = Vec::new();
        for pattern in patterns::choose(task) {
            if spent > work / 4 {
                break;
            }
            budget.check()?;
            abstractions.extend(projection::project(task, pattern, &mut spent));
        }
        cartesian::refine_for_goals(task, &costs, work / 4, budget, &mut abstractions)?;
        if abstractions.is_empty() {
            return Ok(None);
        }
        let partitioned = Partitioned::new(task, &costs, abstractions, work / 2, budget)?;
        Ok(Some(Abstractions { partitioned, work: 0 }))
    }

    /// A lower bound on the cost from a state to the goal; `None` if the goal cannot be reached.
    pub(super) fn evaluate(&mut self, state: &IdVec<VarId, Value>) -> Option<u64> {
        self.work += self.partitioned.size();
        self.partitioned.evaluate(state)
    }

    /// The work of all evaluations, in operators looked at.
    pub(super) fn work(&self) -> u64 {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_testkit::{Shape, brute_force, random_task_of, reachable};

    /// An effect that stands twice in an operator does what it does once.
    #[test]
    fn effects_may_be_told_twice() {
        let shape = Shape { conditional_effects: false, axioms: false, zero_costs: false, huge_costs: false };
        let mut built = 0;
        for seed in 0..60 {
            let mut task = random_task_of(shape, seed);
            task.soft.clear();
            let costs: IdVec<OpId, u64> = task.operators.iter().map(|operator| operator.cost).collect();
            let estimate = |task: &Task| {
                let heuristic = Abstractions::new(task, &costs, 200_000, &Budget::unlimited()).unwrap();
                heuristic.map(|mut heuristic| heuristic.evaluate(&task.initial))
            };
            let once = estimate(&task);
            for operator in task.operators.iter_mut() {
                operator.effects.extend(operator.effects.clone());
            }
            assert_eq!(estimate(&task), once, "seed {seed}");
            built += usize::from(once.is_some());
        }
        assert!(built > 20, "{built}");
    }

    /// On every reachable state of random tasks the heuristic is at most the true distance, on goals it is zero, and states that it gives up have no plan.
    #[test]
    fn estimates_are_lower_bounds() {
        let (mut estimates, mut positive, mut dead) = (0, 0, 0);
        for seed in 0..150 {
            let shape = Shape {
                conditional_effects: false,
                axioms: false,
                zero_costs: seed % 3 == 0,
                huge_costs: false,
            };
            let mut task = random_task_of(shape, seed);
            task.soft.clear();
            let costs: IdVec<OpId, u64> = task.operators.iter().map(|operator| operator.cost).collect();
            let work = if seed % 2 == 0 { 2_000 } else { 200_000 };
            let built = Abstractions::new(&task, &costs, work, &Budget::unlimited()).unwrap();
            let Some(mut heuristic) = built else { continue };
            let mut from = task.clone();
            for state in reachable(&task).into_iter().take(25) {
                let estimate = heuristic.evaluate(&state);
                from.initial = state;
                let truth = brute_force(&from);
                estimates += 1;
                match (estimate, truth) {
                    (Some(estimate), Some(truth)) => {
                        assert!(estimate <= truth, "seed {seed}: {estimate} > {truth}");
                        positive += usize::from(estimate > 0);
                    }
                    (None, Some(truth)) => panic!("seed {seed}: given up at distance {truth}"),
                    (None, None) => dead += 1,
                    (Some(_), None) => {}
                }
            }
        }
        assert!(estimates > 500 && positive > 200 && dead > 20, "{estimates}, {positive}, {dead}");
    }
}
