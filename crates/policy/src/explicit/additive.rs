//! The additive heuristic: how far the goal seems to be if every outcome were ours to choose.
//!
//! Bonet and Geffner (2001): the cost of a fact is that of its cheapest achiever plus the sum of the costs of the
//! achiever's preconditions. An infinite estimate proves that no outcome whatsoever leads to the goal.

use counterplay_base::IdVec;
use counterplay_plan::explicit::{GOAL, Relaxed, TRUE};
use counterplay_task::{Fact, OpId, Task, Value, VarId};

const INFINITE: u32 = u32::MAX;
/// The supporter of facts that hold at the start.
const NOBODY: u32 = u32::MAX;

/// Estimates of distances.
#[derive(Debug)]
pub(crate) struct Additive {
    relaxed: Relaxed,
    cost: Vec<u32>,
    open: Vec<u16>,
    sum: Vec<u32>,
    /// The relaxed operator that reached each fact at its cost.
    supporter: Vec<u32>,
    /// Which facts the relaxed plan at hand already accounts for.
    marked: Vec<bool>,
    /// The operators of the task that the relaxed operators stand for.
    numbers: Vec<OpId>,
    /// Facts by cost: a bucket queue.
    buckets: Vec<Vec<u32>>,
}

impl Additive {
    /// Prepares the heuristic of a task for the operators that are left; each counts one.
    pub(crate) fn new(task: &Task, is_left: impl Fn(OpId) -> bool) -> Additive {
        let numbers: Vec<OpId> = task.operators.ids().filter(|&op| is_left(op)).collect();
        let operators = numbers.iter().map(|&op| task.operators[op].clone()).collect();
        let costs: IdVec<OpId, u64> = IdVec::filled(1, numbers.len());
        let rest = Task { operators, ..task.clone() };
        Additive {
            relaxed: Relaxed::new(&rest, &costs),
            supporter: Vec::new(),
            marked: Vec::new(),
            numbers,
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
        facts.into_iter().for_each(|fact| self.reach(fact, 0, NOBODY));
        self.run()
    }

    /// The length of a plan for the state that was estimated last, deletions forgotten, and the first steps of
    /// it, sorted: what seems worth doing.
    pub(crate) fn helpful(&mut self, out: &mut Vec<OpId>) -> u32 {
        out.clear();
        self.marked.clear();
        self.marked.resize(self.relaxed.fact_count, false);
        let mut length = 0;
        let mut open = vec![GOAL];
        while let Some(fact) = open.pop() {
            let op = self.supporter[fact as usize];
            if self.marked[fact as usize] || op == NOBODY {
                continue;
            }
            self.marked[fact as usize] = true;
            length += self.relaxed.costs[op as usize];
            let needed = self.relaxed.preconditions.get(op);
            if needed.iter().all(|&fact| self.cost[fact as usize] == 0) {
                let group = self.relaxed.group[op as usize];
                if (group as usize) < self.relaxed.operators.len() {
                    let own = self.relaxed.operators.get(group);
                    out.extend(own.iter().map(|&number| self.numbers[number as usize]));
                }
            }
            open.extend(needed);
        }
        out.sort_unstable();
        out.dedup();
        length
    }

    /// Whether no state in which the facts hold leads to the goal: the other variables may have any value.
    pub(crate) fn is_hopeless(&mut self, task: &Task, known: &IdVec<VarId, Option<Value>>) -> bool {
        self.begin();
        self.reach(TRUE, 0, NOBODY);
        for (var, value) in known.enumerate() {
            match value {
                Some(value) => self.reach(self.relaxed.fact(Fact { var, value: *value }), 0, NOBODY),
                None => {
                    for value in 0..task.domain_size(var) {
                        self.reach(self.relaxed.fact(Fact { var, value }), 0, NOBODY);
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
        self.supporter.resize(relaxed.fact_count, NOBODY);
        self.sum.clear();
        self.sum.extend_from_slice(&relaxed.costs);
        self.open.clear();
        let lengths =
            (0..relaxed.operator_count() as u32).map(|op| relaxed.preconditions.get(op).len() as u16);
        self.open.extend(lengths);
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    fn reach(&mut self, fact: u32, cost: u32, supporter: u32) {
        if cost < self.cost[fact as usize] {
            self.supporter[fact as usize] = supporter;
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
                        self.reach(add, sum, op);
                    }
                }
            }
        }
        None
    }
}
