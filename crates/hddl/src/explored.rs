//! A part of an and-or graph, and the policies in it.
//!
//! Nodes, such as pairs of state and network, are numbers here; we call them pairs. A pair that was met but not looked into is *unexplored*: the caller of a
//! fixpoint says whether to count it as an end or as a failure, and so gets an upper or a lower bound of what can be
//! solved.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use counterplay_base::{Budget, BudgetPoll, Limit};
use rustc_hash::{FxHashMap, FxHashSet};

/// One way to go on from a pair: the decision, and the pairs that its outcomes lead to.
type Way<D> = (D, Vec<u32>);

/// What to do at each solved pair; nothing at an end.
pub(crate) type Solved<D> = FxHashMap<u32, Option<D>>;

/// The graph as far as it is known; `D` is a decision.
#[derive(Debug)]
pub(crate) struct Explored<D> {
    /// In the order in which they were looked into.
    order: Vec<u32>,
    ways: FxHashMap<u32, Vec<Way<D>>>,
    ends: FxHashSet<u32>,
    met: FxHashSet<u32>,
    queue: VecDeque<u32>,
}

impl<D: Clone> Explored<D> {
    /// Nothing is known yet.
    pub(crate) fn new() -> Explored<D> {
        Explored {
            order: Vec::new(),
            ways: FxHashMap::default(),
            ends: FxHashSet::default(),
            met: FxHashSet::default(),
            queue: VecDeque::new(),
        }
    }

    /// Notes a pair that has to be looked into.
    pub(crate) fn meet(&mut self, pair: u32) {
        if self.met.insert(pair) {
            self.queue.push_back(pair);
        }
    }

    /// The next pair to look into, breadth first, unless `most` pairs have been looked into.
    pub(crate) fn next_unexplored(&mut self, most: usize) -> Option<u32> {
        if self.order.len() >= most {
            return None;
        }
        let pair = self.queue.pop_front()?;
        self.order.push(pair);
        self.ways.insert(pair, Vec::new());
        Some(pair)
    }

    /// Notes that a pair is an end, or that it fails.
    pub(crate) fn close(&mut self, pair: u32, is_end: bool) {
        if is_end {
            self.ends.insert(pair);
        }
    }

    /// Notes a way to go on from a pair.
    pub(crate) fn way(&mut self, pair: u32, decision: D, next: Vec<u32>) {
        next.iter().for_each(|&next| self.meet(next));
        self.ways.get_mut(&pair).expect("the pair is being looked into").push((decision, next));
    }

    /// Number of pairs that were looked into.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The pairs from which every outcome leads to an end in a bounded number of steps, with the decisions for that.
    pub(crate) fn strong(&self, optimistic: bool, budget: &Budget) -> Result<Solved<D>, Limit> {
        let mut poll = BudgetPoll::every(1024);
        // The ways that lead to a pair, and for each way the outcomes that are not yet solved.
        let mut before: FxHashMap<u32, Vec<(u32, usize)>> = FxHashMap::default();
        let mut left: FxHashMap<(u32, usize), usize> = FxHashMap::default();
        for &pair in &self.order {
            for (at, (_, next)) in self.ways[&pair].iter().enumerate() {
                poll.step(budget)?;
                let different: FxHashSet<u32> = next.iter().copied().collect();
                left.insert((pair, at), different.len());
                different.iter().for_each(|&next| before.entry(next).or_default().push((pair, at)));
            }
        }
        let mut open = self.assumed_ends(optimistic);
        let mut solved: Solved<D> = open.iter().map(|&end| (end, None)).collect();
        while let Some(pair) = open.pop_front() {
            poll.step(budget)?;
            for &(previous, at) in before.get(&pair).into_iter().flatten() {
                let left = left.get_mut(&(previous, at)).expect("each way is counted");
                *left -= 1;
                if *left == 0 && !solved.contains_key(&previous) {
                    solved.insert(previous, Some(self.ways[&previous][at].0.clone()));
                    open.push_back(previous);
                }
            }
        }
        Ok(solved)
    }

    /// The pairs from which an end can be reached if nature is kind, with the decisions for the shortest way.
    pub(crate) fn weak(&self, budget: &Budget) -> Result<Solved<D>, Limit> {
        let mut poll = BudgetPoll::every(1024);
        let mut before: FxHashMap<u32, Vec<(u32, usize)>> = FxHashMap::default();
        for &pair in &self.order {
            for (at, (_, next)) in self.ways[&pair].iter().enumerate() {
                poll.step(budget)?;
                next.iter().for_each(|&next| before.entry(next).or_default().push((pair, at)));
            }
        }
        self.backwards(&before, false, &mut poll, budget)
    }

    /// The pairs that can always still reach an end, with the decisions for that, if the root is one of them.
    pub(crate) fn cyclic(
        &self,
        root: u32,
        optimistic: bool,
        budget: &Budget,
    ) -> Result<Option<Solved<D>>, Limit> {
        let mut poll = BudgetPoll::every(1024);
        let mut alive: FxHashSet<u32> = self.order.iter().copied().collect();
        if optimistic {
            alive.extend(&self.queue);
        }
        loop {
            // Least fixpoint: pairs that can reach an end by ways that stay among the living.
            let mut before: FxHashMap<u32, Vec<(u32, usize)>> = FxHashMap::default();
            for &pair in self.order.iter().filter(|pair| alive.contains(pair)) {
                for (at, (_, next)) in self.ways[&pair].iter().enumerate() {
                    poll.step(budget)?;
                    if next.iter().all(|next| alive.contains(next)) {
                        next.iter().for_each(|&next| before.entry(next).or_default().push((pair, at)));
                    }
                }
            }
            let solved = self.backwards(&before, optimistic, &mut poll, budget)?;
            if !solved.contains_key(&root) {
                return Ok(None);
            }
            if solved.len() == alive.len() {
                return Ok(Some(solved));
            }
            alive = solved.into_keys().collect();
        }
    }

    /// The pairs from which some of the listed ways lead to an end, nearest first.
    fn backwards(
        &self,
        before: &FxHashMap<u32, Vec<(u32, usize)>>,
        optimistic: bool,
        poll: &mut BudgetPoll,
        budget: &Budget,
    ) -> Result<Solved<D>, Limit> {
        let mut open = self.assumed_ends(optimistic);
        let mut solved: Solved<D> = open.iter().map(|&end| (end, None)).collect();
        while let Some(pair) = open.pop_front() {
            poll.step(budget)?;
            for &(previous, at) in before.get(&pair).into_iter().flatten() {
                if let Entry::Vacant(place) = solved.entry(previous) {
                    place.insert(Some(self.ways[&previous][at].0.clone()));
                    open.push_back(previous);
                }
            }
        }
        Ok(solved)
    }

    fn assumed_ends(&self, optimistic: bool) -> VecDeque<u32> {
        let ends = self.order.iter().copied().filter(|it| self.ends.contains(it));
        ends.chain(self.queue.iter().copied().filter(|_| optimistic)).collect()
    }
}
