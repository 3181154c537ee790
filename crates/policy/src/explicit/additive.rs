//! The additive heuristic: how far the goal seems to be if every outcome were ours to choose.
//!
//! Bonet and Geffner (2001): the cost of a fact is that of its cheapest achiever plus the sum of the costs of the
//! achiever's preconditions. An infinite estimate proves that no outcome whatsoever leads to the goal.

use counterplay_base::IdVec;
use counterplay_plan::explicit::{FactId, Relaxed, RelaxedId};
use counterplay_task::{Fact, OpId, Task, Value, VarId};

const INFINITE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Additive {
    relaxed: Relaxed,
    cost: IdVec<FactId, u32>,
    open: IdVec<RelaxedId, u16>,
    sum: IdVec<RelaxedId, u32>,
    /// The relaxed operator that reached each fact at its cost; none for facts that hold at the start.
    supporter: IdVec<FactId, Option<RelaxedId>>,
    /// Which facts the relaxed plan at hand already accounts for.
    marked: IdVec<FactId, bool>,
    /// The operators of the task that the relaxed operators stand for.
    numbers: IdVec<OpId, OpId>,
    /// Facts by cost: a bucket queue.
    buckets: Vec<Vec<FactId>>,
}

impl Additive {
    /// Prepares the heuristic of a task for the operators that are left; each counts one.
    pub(crate) fn new(task: &Task, is_left: impl Fn(OpId) -> bool) -> Additive {
        let numbers: IdVec<OpId, OpId> = task.operators.ids().filter(|&op| is_left(op)).collect();
        let operators = numbers.iter().map(|&op| task.operators[op].clone()).collect();
        let costs: IdVec<OpId, u64> = IdVec::filled(1, numbers.len());
        let rest = Task { operators, ..task.clone() };
        let relaxed = Relaxed::new(&rest, &costs);
        Additive {
            cost: IdVec::filled(INFINITE, relaxed.fact_count),
            supporter: IdVec::filled(None, relaxed.fact_count),
            marked: IdVec::filled(false, relaxed.fact_count),
            open: IdVec::filled(0, relaxed.operator_count()),
            sum: relaxed.costs.clone(),
            buckets: Vec::new(),
            numbers,
            relaxed,
        }
    }

    /// The estimate for a state; `None` if the goal cannot be reached.
    pub(crate) fn estimate(&mut self, state: &IdVec<VarId, Value>) -> Option<u32> {
        self.begin();
        let facts: Vec<FactId> = self.relaxed.facts_of(state).collect();
        facts.into_iter().for_each(|fact| self.reach(fact, 0, None));
        self.run()
    }

    /// The length of a plan for the state that was estimated last, deletions forgotten, and the first steps of
    /// it, sorted: what seems worth doing.
    pub(crate) fn helpful(&mut self, out: &mut Vec<OpId>) -> u32 {
        out.clear();
        self.marked.iter_mut().for_each(|marked| *marked = false);
        let mut length = 0;
        let mut open = vec![FactId::GOAL];
        while let Some(fact) = open.pop() {
            let Some(op) = self.supporter[fact].filter(|_| !self.marked[fact]) else { continue };
            self.marked[fact] = true;
            length += self.relaxed.costs[op];
            let needed = &self.relaxed.preconditions[op];
            if needed.iter().all(|&fact| self.cost[fact] == 0) {
                let own = &self.relaxed.operators[self.relaxed.group[op]];
                out.extend(own.iter().map(|&number| self.numbers[number]));
            }
            open.extend(needed);
        }
        out.sort_unstable();
        out.dedup();
        length
    }

    /// Whether no state in which the facts hold leads to the goal: the other variables may have any value.
    pub(crate) fn is_dead_end(&mut self, task: &Task, known: &IdVec<VarId, Option<Value>>) -> bool {
        self.begin();
        self.reach(FactId::TRUE, 0, None);
        for (var, value) in known.enumerate() {
            match value {
                Some(value) => self.reach(self.relaxed.fact(Fact { var, value: *value }), 0, None),
                None => {
                    for value in 0..task.domain_size(var) {
                        self.reach(self.relaxed.fact(Fact { var, value }), 0, None);
                    }
                }
            }
        }
        self.run().is_none()
    }

    fn begin(&mut self) {
        let relaxed = &self.relaxed;
        self.cost.iter_mut().for_each(|cost| *cost = INFINITE);
        self.supporter.iter_mut().for_each(|supporter| *supporter = None);
        self.sum.iter_mut().zip(&relaxed.costs).for_each(|(sum, &cost)| *sum = cost);
        let lengths = relaxed.preconditions.iter().map(|list| list.len() as u16);
        self.open.iter_mut().zip(lengths).for_each(|(open, length)| *open = length);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    fn reach(&mut self, fact: FactId, cost: u32, supporter: Option<RelaxedId>) {
        if cost < self.cost[fact] {
            self.supporter[fact] = supporter;
            self.cost[fact] = cost;
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
            if (self.cost[fact] as usize) < at {
                continue;
            }
            if fact == FactId::GOAL {
                return Some(at as u32);
            }
            for index in 0..self.relaxed.needed_by[fact].len() {
                let op = self.relaxed.needed_by[fact][index];
                self.open[op] -= 1;
                // Sums are cut off: what is that far away is not distinguished.
                let sum = (self.sum[op] + at as u32).min(1 << 16);
                self.sum[op] = sum;
                if self.open[op] == 0 {
                    for index in 0..self.relaxed.adds[op].len() {
                        let add = self.relaxed.adds[op][index];
                        self.reach(add, sum, Some(op));
                    }
                }
            }
        }
        None
    }
}
