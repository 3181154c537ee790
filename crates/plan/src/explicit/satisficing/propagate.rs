//! The fact landmarks of the delete relaxation, for every fact at once.
//!
//! A fact is a landmark for itself, for whatever needs it, and for what all achievers need. The largest solution of these equations is the
//! complete set of landmarks of the relaxation (Keyder, Richter and Helmert 2010); it is found by going down from "everything" until
//! nothing changes. Sets are sorted lists, since they are short beside the number of facts. Facts that hold at the start are left out.

use std::collections::VecDeque;

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};
use counterplay_task::{Task, close_under_axioms};

use super::super::relaxed::{FactId, Relaxed, RelaxedId};

/// A set of facts, sorted.
pub(super) type FactSet = Vec<FactId>;

/// The landmarks of each fact; `None` for a fact that cannot be reached.
#[derive(Debug)]
pub(super) struct FactLandmarks {
    of: IdVec<FactId, Option<FactSet>>,
    pub(super) work: u64,
}

impl FactLandmarks {
    /// Propagates landmarks from the initial state. `None` if that takes more work than allowed.
    pub(super) fn new(
        task: &Task,
        relaxed: &Relaxed,
        allowed: u64,
        budget: &Budget,
    ) -> Result<Option<FactLandmarks>, Limit> {
        let mut initial = task.initial.clone();
        close_under_axioms(task, &mut initial);
        let mut landmarks = FactLandmarks { of: IdVec::filled(None, relaxed.fact_count), work: 0 };
        let mut queue: VecDeque<RelaxedId> = VecDeque::new();
        let mut is_queued: IdVec<RelaxedId, bool> = IdVec::filled(false, relaxed.operator_count());
        let enqueue = |fact: FactId, queue: &mut VecDeque<RelaxedId>, queued: &mut IdVec<RelaxedId, bool>| {
            for &op in &relaxed.needed_by[fact] {
                if !std::mem::replace(&mut queued[op], true) {
                    queue.push_back(op);
                }
            }
        };
        for fact in relaxed.facts_of(&initial) {
            landmarks.of[fact] = Some(Vec::new());
        }
        for fact in relaxed.facts_of(&initial) {
            enqueue(fact, &mut queue, &mut is_queued);
        }
        let mut poll = BudgetPoll::every(256);
        let (mut needed, mut spare) = (Vec::new(), Vec::new());
        while let Some(op) = queue.pop_front() {
            poll.step(budget)?;
            is_queued[op] = false;
            if !landmarks.of_preconditions(relaxed, op, &mut needed, &mut spare) {
                continue;
            }
            for &add in &relaxed.adds[op] {
                if landmarks.lower(add, &needed) {
                    enqueue(add, &mut queue, &mut is_queued);
                }
            }
            if landmarks.work > allowed {
                return Ok(None);
            }
        }
        Ok(Some(landmarks))
    }

    /// The landmarks of a fact; `None` if it cannot be reached.
    pub(super) fn of(&self, fact: FactId) -> Option<&[FactId]> {
        self.of[fact].as_deref()
    }

    /// The union of the landmarks of all preconditions; `false` if one of these is not reached.
    pub(super) fn of_preconditions(
        &mut self,
        relaxed: &Relaxed,
        op: RelaxedId,
        out: &mut FactSet,
        spare: &mut FactSet,
    ) -> bool {
        out.clear();
        for &fact in &relaxed.preconditions[op] {
            let Some(set) = &self.of[fact] else { return false };
            self.work += 1 + (set.len() + out.len()) as u64;
            unite(out, set, spare);
            std::mem::swap(out, spare);
        }
        true
    }

    /// Takes note of an achiever whose preconditions need `needed`; whether the landmarks of the fact became fewer.
    fn lower(&mut self, fact: FactId, needed: &[FactId]) -> bool {
        match &mut self.of[fact] {
            None => {
                let mut set = needed.to_vec();
                if let Err(place) = set.binary_search(&fact) {
                    set.insert(place, fact);
                }
                self.of[fact] = Some(set);
                true
            }
            Some(set) => {
                let before = set.len();
                self.work += 1 + before as u64;
                let mut at = 0;
                set.retain(|&known| {
                    while at < needed.len() && needed[at] < known {
                        at += 1;
                    }
                    known == fact || at < needed.len() && needed[at] == known
                });
                set.len() < before
            }
        }
    }
}

/// Writes the union of two sorted lists.
fn unite(a: &[FactId], b: &[FactId], out: &mut FactSet) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let from_a = j == b.len() || i < a.len() && a[i] <= b[j];
        let from_b = i == a.len() || j < b.len() && b[j] <= a[i];
        out.push(if from_a { a[i] } else { b[j] });
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::IdVec;
    use counterplay_testkit::random_task;

    /// Whether the goal is reached in the relaxation without ever making a fact true.
    fn is_reached_without(relaxed: &Relaxed, task: &Task, left_out: FactId) -> bool {
        let mut initial = task.initial.clone();
        close_under_axioms(task, &mut initial);
        let mut reached: IdVec<FactId, bool> = IdVec::filled(false, relaxed.fact_count);
        relaxed.facts_of(&initial).for_each(|fact| reached[fact] = true);
        loop {
            let mut changed = false;
            for (op, adds) in relaxed.adds.iter().enumerate() {
                let op = <RelaxedId as counterplay_base::Id>::new(op);
                if relaxed.preconditions[op].iter().all(|&fact| reached[fact]) {
                    for &add in adds.iter().filter(|&&add| add != left_out) {
                        changed |= !std::mem::replace(&mut reached[add], true);
                    }
                }
            }
            if !changed {
                return reached[FactId::GOAL];
            }
        }
    }

    /// Exactly the facts without which the goal cannot be reached are landmarks of the goal.
    #[test]
    fn landmarks_are_what_the_relaxation_cannot_do_without() {
        let mut found = 0;
        for seed in 0..200 {
            let task = random_task(seed);
            let costs = super::super::HeuristicCosts::One.of(&task);
            let relaxed = Relaxed::new(&task, &costs);
            let landmarks =
                FactLandmarks::new(&task, &relaxed, u64::MAX, &Budget::unlimited()).unwrap().unwrap();
            let Some(of_goal) = landmarks.of(FactId::GOAL) else { continue };
            let mut initial = task.initial.clone();
            close_under_axioms(&task, &mut initial);
            let holds: Vec<FactId> = relaxed.facts_of(&initial).collect();
            for fact in (0..relaxed.fact_count).map(<FactId as counterplay_base::Id>::new) {
                if holds.contains(&fact) || fact == FactId::GOAL {
                    continue;
                }
                let is_needed = !is_reached_without(&relaxed, &task, fact);
                assert_eq!(of_goal.contains(&fact), is_needed, "seed {seed}, {fact:?}");
                found += usize::from(is_needed);
            }
        }
        assert!(found > 100, "{found} landmarks");
    }
}
