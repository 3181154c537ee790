//! The additive heuristic: how far the goal seems to be if every outcome were ours to choose.
//!
//! Bonet and Geffner (2001): the cost of a fact is that of its cheapest achiever plus the sum of the costs of the
//! achiever's preconditions. An infinite estimate proves that no outcome whatsoever leads to the goal.

use counterplay_base::IdVec;
use counterplay_plan::explicit::{GOAL, Relaxed, TRUE};
use counterplay_task::{Fact, OpId, Task, Value, VarId};

const INFINITE: u32 = u32::MAX;

/// Estimates of distances.
#[derive(Debug)]
pub(crate) struct Additive {
    relaxed: Relaxed,
    cost: Vec<u32>,
    open: Vec<u16>,
    sum: Vec<u32>,
    /// Facts by cost: a bucket queue.
    buckets: Vec<Vec<u32>>,
}

impl Additive {
    /// Prepares the heuristic of a task; every operator counts one.
    pub(crate) fn new(task: &Task) -> Additive {
        let costs: IdVec<OpId, u64> = IdVec::filled(1, task.operators.len());
        Additive {
            relaxed: Relaxed::new(task, &costs),
            cost: Vec::new(),
            open: Vec::new(),
            sum: Vec::new(),
            buckets: Vec::new(),
        }
    }

    /// The estimate for a state; `None` if the goal cannot be reached.
    pub(crate) fn estimate(&mut self, state: &IdVec<VarId, Value>) -> Option<u32> {
        self.begin();
        let facts: Vec<u32> = self.relaxed.facts_of(state).collect();
        facts.into_iter().for_each(|fact| self.reach(fact, 0));
        self.run()
    }

    /// Whether no state in which the facts hold leads to the goal: the other variables may have any value.
    pub(crate) fn is_hopeless(&mut self, task: &Task, known: &IdVec<VarId, Option<Value>>) -> bool {
        self.begin();
        self.reach(TRUE, 0);
        for (var, value) in known.enumerate() {
            match value {
                Some(value) => self.reach(self.relaxed.fact(Fact { var, value: *value }), 0),
                None => {
                    for value in 0..task.domain_size(var) {
                        self.reach(self.relaxed.fact(Fact { var, value }), 0);
                    }
                }
            }
        }
        self.run().is_none()
    }

    fn begin(&mut self) {
        let relaxed = &self.relaxed;
        self.cost.clear();
        self.cost.resize(relaxed.fact_count, INFINITE);
        self.sum.clear();
        self.sum.extend_from_slice(&relaxed.costs);
        self.open.clear();
        let lengths = (0..relaxed.operator_count() as u32).map(|op| relaxed.preconditions.get(op).len() as u16);
        self.open.extend(lengths);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    fn reach(&mut self, fact: u32, cost: u32) {
        if cost < self.cost[fact as usize] {
            self.cost[fact as usize] = cost;
            let bucket = cost as usize;
            if self.buckets.len() <= bucket {
                self.buckets.resize_with(bucket + 1, Vec::new);
            }
            self.buckets[bucket].push(fact);
        }
    }

    fn run(&mut self) -> Option<u32> {
        let mut at = 0;
        while at < self.buckets.len() {
            let Some(fact) = self.buckets[at].pop() else {
                at += 1;
                continue;
            };
            if (self.cost[fact as usize] as usize) < at {
                continue;
            }
            if fact == GOAL {
                return Some(at as u32);
            }
            for index in 0..self.relaxed.needed_by.get(fact).len() {
                let op = self.relaxed.needed_by.get(fact)[index];
                self.open[op as usize] -= 1;
                // Sums are cut off: what is that far away is not told apart.
                let sum = (self.sum[op as usize] + at as u32).min(1 << 16);
                self.sum[op as usize] = sum;
                if self.open[op as usize] == 0 {
                    for index in 0..self.relaxed.adds.get(op).len() {
                        let add = self.relaxed.adds.get(op)[index];
                        self.reach(add, sum);
                    }
                }
            }
        }
        None
    }
}
