//! Queues that take turns.
//!
//! Each heuristic has two queues: one for all successors and one for those by preferred operators. The queue that was used least is next;
//! when the search makes progress, the queues of preferred operators get a bonus (Richter and Helmert 2009).

use std::collections::{BTreeMap, VecDeque};

use counterplay_task::OpId;

use super::super::states::StateId;

/// So many turns the queues of preferred operators gain by progress.
const BONUS: i64 = 1000;

/// A successor that has not been generated: its parent and the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) parent: StateId,
    pub(super) op: OpId,
}

#[derive(Debug, Default)]
struct Queue {
    buckets: BTreeMap<u64, VecDeque<Waiting>>,
    turns: i64,
    is_preferred: bool,
}

/// The alternating queues of several heuristics.
#[derive(Debug)]
pub(super) struct Queues {
    /// For each heuristic that for all successors, then that for preferred operators.
    queues: Vec<Queue>,
    len: usize,
}

impl Queues {
    /// No successors yet, for so many heuristics.
    pub(super) fn new(heuristics: usize) -> Queues {
        let queue = |i: usize| Queue { is_preferred: i % 2 == 1, ..Queue::default() };
        Queues { queues: (0..2 * heuristics).map(queue).collect(), len: 0 }
    }

    /// Entries of all queues together.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Puts in a successor, with a key for each heuristic.
    pub(super) fn push(&mut self, keys: &[u64], is_preferred: bool, waiting: Waiting) {
        for (pair, &key) in self.queues.chunks_exact_mut(2).zip(keys) {
            let wanted = if is_preferred { 2 } else { 1 };
            for queue in &mut pair[..wanted] {
                queue.buckets.entry(key).or_default().push_back(waiting);
                self.len += 1;
            }
        }
    }

    /// Takes the first entry of the least key from the queue whose turn it is.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let filled = self.queues.iter_mut().filter(|queue| !queue.buckets.is_empty());
        let queue = filled.min_by_key(|queue| queue.turns)?;
        queue.turns += 1;
        let mut first = queue.buckets.first_entry()?;
        let waiting = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        self.len -= 1;
        waiting
    }

    /// The search has made progress.
    pub(super) fn reward(&mut self) {
        for queue in self.queues.iter_mut().filter(|queue| queue.is_preferred) {
            queue.turns -= BONUS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Id;

    fn waiting(number: usize) -> Waiting {
        Waiting { parent: StateId::new(number), op: OpId::new(0) }
    }

    #[test]
    fn queues_take_turns_and_preferred_ones_gain() {
        let mut queues = Queues::new(2);
        queues.push(&[5, 1], false, waiting(0));
        queues.push(&[3, 9], false, waiting(1));
        queues.push(&[7, 7], true, waiting(2));
        assert_eq!(queues.len(), 8);
        // The first heuristic, its preferred operators, the second heuristic, and so on.
        let order: Vec<usize> = (0..4).filter_map(|_| queues.pop()).map(|it| it.parent.index()).collect();
        assert_eq!(order, [1, 2, 0, 2]);
        queues.push(&[9, 9], true, waiting(3));
        queues.reward();
        assert_eq!(queues.pop(), Some(waiting(3)));
        while queues.pop().is_some() {}
        assert_eq!(queues.len(), 0);
    }
}
