//! h_max: what the dearest of the facts to be reached costs at least (Bonet and Geffner 1999).
//!
//! The value of a fact is that of the cheapest operator that makes it true; the value of an operator is its cost
//! and that of its dearest precondition, its *supporter*. Values are computed for a state by one exploration in
//! order of cost, and lowered step by step when operators become cheaper.

use std::cell::Cell;

use counterplay_base::IdVec;
use counterplay_task::{Value, VarId};

use super::queue::CostQueue;
use super::relaxed::{GOAL, Lists, Relaxed};

/// The value of a fact that has not been reached.
const UNREACHED: u32 = u32::MAX;

/// The values of all facts and the supporters of all operators, for one state under changing costs.
#[derive(Debug)]
pub(super) struct HMax {
    pub(super) relaxed: Relaxed,
    facts: Vec<FactState>,
    ops: Vec<OpState>,
    /// Preconditions of each operator that have not been reached.
    open: Vec<u16>,
    /// Number of preconditions of each operator.
    preconditions: Vec<u16>,
    queue: CostQueue,
    /// Operators looked at since the beginning: what the heuristic costs, the same on every machine.
    work: Cell<u64>,
}

/// Taking a fact from the queue costs as much as looking at so many operators.
const WORK_PER_FACT: u64 = 10;

#[derive(Clone, Copy, Debug)]
struct FactState {
    value: u32,
    /// The operator that gave the fact its value, unless the fact holds in the state.
    achiever: u32,
}

#[derive(Clone, Copy, Debug)]
struct OpState {
    /// What is left of the operator's cost.
    cost: u32,
    /// A precondition of largest value, and that value; unless some are open.
    supporter: u32,
    value: u32,
}

impl HMax {
    /// Prepares the exploration of a relaxed task.
    pub(super) fn new(relaxed: Relaxed) -> HMax {
        let ops = 0..relaxed.operator_count() as u32;
        HMax {
            facts: vec![FactState { value: UNREACHED, achiever: 0 }; relaxed.fact_count],
            ops: relaxed.costs.iter().map(|&cost| OpState { cost, supporter: 0, value: 0 }).collect(),
            open: vec![0; ops.len()],
            preconditions: ops.map(|op| relaxed.preconditions.get(op).len() as u16).collect(),
            queue: CostQueue::new(),
            work: Cell::new(0),
            relaxed,
        }
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts work that is done on top of this.
    #[inline]
    pub(super) fn add_work(&self, work: u64) {
        self.work.set(self.work.get() + work);
    }

    /// Gives every operator its full cost again. Values are out of date then.
    pub(super) fn restore_costs(&mut self) {
        for (op, &cost) in self.ops.iter_mut().zip(&self.relaxed.costs) {
            op.cost = cost;
        }
    }

    /// Makes the operators of some groups cheaper. Values are out of date then.
    pub(super) fn deduct(&mut self, groups: &[u32], cost: u32) {
        for &group in groups {
            for op in self.relaxed.members(group) {
                self.ops[op as usize].cost -= cost;
            }
        }
    }

    /// The value of the goal; `None` if it cannot be reached.
    pub(super) fn goal(&self) -> Option<u32> {
        Some(self.value(GOAL)).filter(|&value| value != UNREACHED)
    }

    /// The value of a fact.
    #[inline]
    pub(super) fn value(&self, fact: u32) -> u32 {
        self.facts[fact as usize].value
    }

    /// The operator that gave a fact its value; meaningless for facts that hold in the state.
    #[inline]
    pub(super) fn achiever(&self, fact: u32) -> u32 {
        self.facts[fact as usize].achiever
    }

    /// What is left of an operator's cost.
    #[inline]
    pub(super) fn cost(&self, op: u32) -> u32 {
        self.ops[op as usize].cost
    }

    /// Whether all preconditions of an operator are reached.
    #[inline]
    pub(super) fn is_reached(&self, op: u32) -> bool {
        self.open[op as usize] == 0
    }

    /// A precondition of largest value of a reached operator.
    #[inline]
    pub(super) fn supporter(&self, op: u32) -> u32 {
        self.ops[op as usize].supporter
    }

    /// The value of the supporter of a reached operator.
    #[inline]
    pub(super) fn supporter_value(&self, op: u32) -> u32 {
        self.ops[op as usize].value
    }

    /// Computes all values for a state; or stops early if the goal is free, and then only its value is right.
    pub(super) fn explore(&mut self, state: &IdVec<VarId, Value>) {
        self.facts.fill(FactState { value: UNREACHED, achiever: 0 });
        self.open.copy_from_slice(&self.preconditions);
        self.queue.clear();
        for fact in self.relaxed.facts_of(state) {
            self.facts[fact as usize].value = 0;
            self.queue.push(0, fact);
        }
        // Separate references let the compiler keep them in registers.
        let HMax { relaxed: Relaxed { needed_by, adds, .. }, facts, ops, open, queue, work, .. } = self;
        work.set(work.get() + (facts.len() + ops.len()) as u64 / 4);
        let (facts, ops, open) = (facts.as_mut_slice(), ops.as_mut_slice(), open.as_mut_slice());
        while let Some((value, fact)) = queue.pop() {
            if facts[fact as usize].value < value {
                continue;
            }
            if fact == GOAL && value == 0 {
                return;
            }
            work.set(work.get() + WORK_PER_FACT + needed_by.get(fact).len() as u64);
            for &op in needed_by.get(fact) {
                let open = &mut open[op as usize];
                *open -= 1;
                if *open == 0 {
                    let state = &mut ops[op as usize];
                    (state.supporter, state.value) = (fact, value);
                    reach(op, value + state.cost, adds, facts, queue);
                }
            }
        }
    }

    /// Lowers the values after the operators of some groups have become cheaper; or stops early if the goal is
    /// free, and then only its value is right.
    pub(super) fn update(&mut self, groups: &[u32]) {
        self.queue.clear();
        for &group in groups {
            for op in self.relaxed.members(group) {
                if self.open[op as usize] == 0 {
                    let OpState { cost, value, .. } = self.ops[op as usize];
                    reach(op, value + cost, &self.relaxed.adds, &mut self.facts, &mut self.queue);
                }
            }
        }
        let HMax { relaxed, facts, ops, open, queue, work, .. } = self;
        let Relaxed { needed_by, adds, preconditions, .. } = relaxed;
        let (facts, ops, open) = (facts.as_mut_slice(), ops.as_mut_slice(), open.as_slice());
        while let Some((value, fact)) = queue.pop() {
            if facts[fact as usize].value < value {
                continue;
            }
            if fact == GOAL && value == 0 {
                return;
            }
            work.set(work.get() + WORK_PER_FACT + needed_by.get(fact).len() as u64);
            for &op in needed_by.get(fact) {
                let state = &mut ops[op as usize];
                if state.supporter != fact || state.value <= value || open[op as usize] > 0 {
                    continue;
                }
                let before = state.value;
                (state.value, state.supporter) = (value, fact);
                for &pre in preconditions.get(op) {
                    if facts[pre as usize].value > state.value {
                        (state.value, state.supporter) = (facts[pre as usize].value, pre);
                    }
                }
                if state.value < before {
                    reach(op, state.value + state.cost, adds, facts, queue);
                }
            }
        }
    }
}

/// Passes the value of an operator on to its effects.
#[inline(always)]
fn reach(op: u32, value: u32, adds: &Lists, facts: &mut [FactState], queue: &mut CostQueue) {
    for &add in adds.get(op) {
        let fact = &mut facts[add as usize];
        if value < fact.value {
            *fact = FactState { value, achiever: op };
            queue.push(value, add);
        }
    }
}
