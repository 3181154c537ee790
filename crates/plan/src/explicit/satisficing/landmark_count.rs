//! The landmark-count heuristic: what the landmarks cost that are still to be reached, or to be reached again (Richter and Westphal 2010).
//!
//! What a state has reached depends on the way to it, so each state has two sets of its own, made from those of its parent
//! (Büchner, Christen, Eriksson, Keller 2023). *Past* landmarks were true at some time. *Future* ones have to become true: those that never were;
//! a goal that is false; one that is false and has to hold immediately before another that is not past; and one that had better come
//! after another that is not past, even if it is true.

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
    /// The past and the future landmarks of all states, back to back.
    sets: Vec<u64>,
    /// Facts that would be a new landmark, as of the last evaluation.
    wanted: IdVec<FactId, u32>,
    stamp: u32,
    /// What holds in the state that is evaluated.
    holding: Vec<u64>,
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
        let width = graph.landmarks.len().div_ceil(64).max(1);
        LandmarkCount {
            width,
            holding: vec![0; width],
            work: graph.work,
            graph,
            of_fact,
            sets: Vec::new(),
            wanted: IdVec::filled(0, relaxed.fact_count),
            stamp: 0,
        }
    }

    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Forgets all states; a new search begins.
    pub(super) fn forget(&mut self) {
        self.sets = Vec::new();
    }

    /// Evaluates a new state, the one after all that were evaluated so far: what its landmarks cost that are still to be reached.
    pub(super) fn evaluate(
        &mut self,
        relaxed: &Relaxed,
        values: &IdVec<VarId, Value>,
        parent: Option<StateId>,
        budget: &Budget,
    ) -> Result<u64, Limit> {
        let width = self.width;
        reserve(&mut self.sets, 2 * width, budget)?;
        let start = self.sets.len();
        match parent {
            Some(parent) => {
                let from = parent.index() * 2 * width;
                self.sets.extend_from_within(from..from + 2 * width);
            }
            None => {
                self.sets.extend(std::iter::repeat_n(0, width));
                self.sets.extend(std::iter::repeat_n(u64::MAX, width));
            }
        }
        self.holding.fill(0);
        for fact in relaxed.facts_of(values) {
            self.of_fact[fact].iter().for_each(|&number| insert(&mut self.holding, number as usize));
        }
        let landmarks = &self.graph.landmarks;
        self.work += landmarks.len() as u64 / 4 + values.len() as u64 / 4;
        let (past, future) = self.sets[start..].split_at_mut(width);
        for ((past, future), holding) in past.iter_mut().zip(&mut *future).zip(&self.holding) {
            *past |= holding;
            *future &= !holding;
        }
        let is_missing = |&number: &u32| !has(past, number as usize);
        let mut cost = 0;
        for (number, landmark) in landmarks.iter().enumerate() {
            let is_wanted = has(future, number)
                || !has(&self.holding, number)
                    && (landmark.is_goal || landmark.needed_for.iter().any(is_missing))
                || landmark.better_before.iter().any(is_missing);
            if is_wanted {
                insert(future, number);
                cost += landmark.cost.max(1);
            }
        }
        Ok(cost)
    }

    /// Prepares [`LandmarkCount::is_preferred`] for a state: what is ready to be reached next.
    pub(super) fn look(&mut self, state: StateId) {
        self.stamp += 1;
        let (past, future) = self.of(state);
        let mut wanted = Vec::new();
        for (number, landmark) in self.graph.landmarks.iter().enumerate() {
            if has(future, number) && landmark.earlier().all(|before| has(past, before as usize)) {
                wanted.extend_from_slice(&landmark.facts);
            }
        }
        for fact in wanted {
            self.wanted[fact] = self.stamp;
        }
        self.work += self.graph.landmarks.len() as u64 / 4;
    }

    /// The past and the future landmarks of a state.
    fn of(&self, state: StateId) -> (&[u64], &[u64]) {
        let start = state.index() * 2 * self.width;
        self.sets[start..start + 2 * self.width].split_at(self.width)
    }

    /// Whether an operator reaches a landmark that is wanted next.
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
        let (past, future) = self.of(state);
        (0..self.graph.landmarks.len()).all(|number| has(past, number) && !has(future, number))
    }
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
            let held_back = graph.landmarks.iter().any(|landmark| !landmark.better_before.is_empty());
            graph.landmarks.iter_mut().for_each(|landmark| landmark.better_before.clear());
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
