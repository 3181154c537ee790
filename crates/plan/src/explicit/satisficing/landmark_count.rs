//! The landmark-count heuristic: what the landmarks cost that have not been reached, or have to be reached again (Richter and Westphal 2010).
//!
//! Which landmarks a state has reached depends on the way to it, so each state has a set of its own: that of its parent,
//! and what became true after everything ordered before it. A landmark that was reached and is false now is
//! needed again if it is a goal, or has to hold immediately before one that has not been reached.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_task::{OpId, Task, Value, VarId, holds};

use super::super::relaxed::{FactId, Relaxed};
use super::super::states::{StateId, reserve};
use super::landmark_graph::LandmarkGraph;

/// Counts landmarks along the paths of a search.
#[derive(Debug)]
pub(super) struct LandmarkCount {
    graph: LandmarkGraph,
    /// The landmarks that each fact belongs to.
    of_fact: IdVec<FactId, Vec<u32>>,
    width: usize,
    /// The sets of all states, back to back.
    reached: Vec<u64>,
    /// Facts that would be a new landmark, as of the last evaluation.
    wanted: IdVec<FactId, u32>,
    stamp: u32,
    work: u64,
}

/// Whether a bit is set.
fn has(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 == 1
}

fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

impl LandmarkCount {
    pub(super) fn new(relaxed: &Relaxed, graph: LandmarkGraph) -> LandmarkCount {
        let mut of_fact: IdVec<FactId, Vec<u32>> = IdVec::filled(Vec::new(), relaxed.fact_count);
        for (number, landmark) in (0..).zip(&graph.landmarks) {
            landmark.facts.iter().for_each(|&fact| of_fact[fact].push(number));
        }
        LandmarkCount {
            width: graph.landmarks.len().div_ceil(64).max(1),
            work: graph.work,
            graph,
            of_fact,
            reached: Vec::new(),
            wanted: IdVec::filled(0, relaxed.fact_count),
            stamp: 0,
        }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Forgets all states; a new search begins.
    pub(super) fn forget(&mut self) {
        self.reached = Vec::new();
    }

    /// Evaluates a new state, the one after all that were evaluated so far: what its landmarks cost that are still to be reached.
    pub(super) fn evaluate(
        &mut self,
        relaxed: &Relaxed,
        values: &IdVec<VarId, Value>,
        parent: Option<StateId>,
        budget: &Budget,
    ) -> Result<u64, Limit> {
        reserve(&mut self.reached, self.width, budget)?;
        let start = self.reached.len();
        match parent {
            Some(parent) => {
                let from = parent.index() * self.width;
                self.reached.extend_from_within(from..from + self.width);
            }
            None => self.reached.extend(std::iter::repeat_n(0, self.width)),
        }
        let mut holding = vec![0u64; self.width];
        for fact in relaxed.facts_of(values) {
            self.of_fact[fact].iter().for_each(|&number| insert(&mut holding, number as usize));
        }
        let before = match parent {
            Some(_) => self.reached[start..].to_vec(),
            None => holding.clone(),
        };
        let landmarks = &self.graph.landmarks;
        self.work += landmarks.len() as u64 / 4 + values.len() as u64 / 4;
        let set = &mut self.reached[start..];
        for number in bits(&holding) {
            if !has(set, number) && landmarks[number].before.iter().all(|&b| has(&before, b as usize)) {
                insert(set, number);
            }
        }
        let cost = landmarks.iter().enumerate().filter(|&(number, landmark)| {
            !has(set, number)
                || !has(&holding, number)
                    && (landmark.is_goal || landmark.needed_for.iter().any(|&next| !has(set, next as usize)))
        });
        Ok(cost.map(|(_, landmark)| landmark.cost.max(1)).sum())
    }

    /// Prepares [`LandmarkCount::is_preferred`] for a state: what is ready to be reached next.
    pub(super) fn look(&mut self, state: StateId) {
        self.stamp += 1;
        let (start, end) = (state.index() * self.width, (state.index() + 1) * self.width);
        let set = &self.reached[start..end];
        for (number, landmark) in self.graph.landmarks.iter().enumerate() {
            if !has(set, number) && landmark.before.iter().all(|&before| has(set, before as usize)) {
                for &fact in &landmark.facts {
                    self.wanted[fact] = self.stamp;
                }
            }
        }
        self.work += self.graph.landmarks.len() as u64 / 4;
    }

    /// Whether an operator reaches a new landmark.
    pub(super) fn is_preferred(
        &self,
        task: &Task,
        relaxed: &Relaxed,
        values: &IdVec<VarId, Value>,
        op: OpId,
    ) -> bool {
        task.operators[op].effects.iter().any(|effect| {
            self.wanted[relaxed.fact(effect.fact)] == self.stamp && holds(values, &effect.condition)
        })
    }

    /// Whether a state has reached every landmark; for tests.
    #[cfg(test)]
    fn has_all(&self, state: StateId) -> bool {
        let set = &self.reached[state.index() * self.width..(state.index() + 1) * self.width];
        (0..self.graph.landmarks.len()).all(|number| has(set, number))
    }
}

/// The numbers in a set.
fn bits(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::HeuristicCosts;
    use super::*;
    use counterplay_base::{Silent, Verdict};
    use counterplay_task::{apply, close_under_axioms};
    use counterplay_testkit::random_task;

    /// Every plan reaches every landmark, in an order that respects the proved ones: nothing is left to count at the end but
    /// what reasonable orders hold back.
    #[test]
    fn plans_reach_their_landmarks() {
        let (mut plans, mut zero) = (0, 0);
        for seed in 0..300 {
            let task = random_task(seed);
            let answer =
                crate::explicit::astar(&task, crate::Heuristic::Blind, &Budget::unlimited(), &Silent);
            let Verdict::Solved(plan) = answer.verdict else { continue };
            let relaxed = Relaxed::new(&task, &HeuristicCosts::One.of(&task));
            let budget = Budget::unlimited();
            let mut graph = LandmarkGraph::new(&task, &relaxed, u64::MAX, &budget).unwrap();
            let held_back = graph.landmarks.iter().any(|landmark| !landmark.before.is_empty());
            graph.landmarks.iter_mut().for_each(|landmark| landmark.before.clear());
            let mut count = LandmarkCount::new(&relaxed, graph);
            let mut state = task.initial.clone();
            close_under_axioms(&task, &mut state);
            let mut last = count.evaluate(&relaxed, &state, None, &budget).unwrap();
            for (i, &op) in plan.operators.iter().enumerate() {
                state = apply(&task, &state, op);
                last = count.evaluate(&relaxed, &state, Some(StateId::new(i)), &budget).unwrap();
            }
            assert!(count.has_all(StateId::new(plan.operators.len())), "seed {seed}");
            assert_eq!(last, 0, "seed {seed}");
            plans += 1;
            zero += usize::from(held_back);
        }
        assert!(plans > 50 && zero > 20, "{plans} plans, {zero} with orders");
    }
}
