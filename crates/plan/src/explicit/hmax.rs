//! h_max: what the dearest of the facts to be reached costs at least (Bonet and Geffner 1999).
//!
//! The value of a fact is that of the cheapest operator that makes it true; the value of an operator is its cost
//! and that of its dearest precondition, its *supporter*. Values are computed for a state by one exploration in
//! order of cost, and lowered step by step when operators become cheaper.

use std::cell::Cell;

use counterplay_base::{Id, IdLists, IdVec};
use counterplay_task::{Value, VarId};

use super::queue::CostQueue;
use super::relaxed::{FactId, GroupId, Relaxed, RelaxedId};

/// The value of a fact that has not been reached.
const UNREACHED: u32 = u32::MAX;

/// The values of all facts and the supporters of all operators, for one state under changing costs.
#[derive(Debug)]
pub(super) struct HMax {
    pub(super) relaxed: Relaxed,
    facts: IdVec<FactId, FactState>,
    ops: IdVec<RelaxedId, OpState>,
    /// Preconditions of each operator that have not been reached.
    open: IdVec<RelaxedId, u16>,
    /// Number of preconditions of each operator.
    preconditions: IdVec<RelaxedId, u16>,
    queue: CostQueue,
    /// Operators looked at since the beginning: what the heuristic costs, the same on every machine.
    work: Cell<u64>,
}

/// Taking a fact from the queue costs as much as looking at so many operators.
const WORK_PER_FACT: u64 = 10;

#[derive(Clone, Copy, Debug)]
struct FactState {
    value: u32,
    /// The operator that gave the fact its value; any one if the fact holds in the state or is unreached.
    achiever: RelaxedId,
}

#[derive(Clone, Copy, Debug)]
struct OpState {
    /// What is left of the operator's cost.
    cost: u32,
    /// A precondition of largest value, and that value; unless some are open.
    supporter: FactId,
    value: u32,
}

/// What is known about a fact before it is reached.
fn unreached() -> FactState {
    FactState { value: UNREACHED, achiever: RelaxedId::new(0) }
}

impl HMax {
    /// Prepares the exploration of a relaxed task.
    pub(super) fn new(relaxed: Relaxed) -> HMax {
        let preconditions: IdVec<RelaxedId, u16> =
            relaxed.preconditions.iter().map(|list| list.len() as u16).collect();
        let op = |&cost: &u32| OpState { cost, supporter: FactId::TRUE, value: 0 };
        HMax {
            facts: IdVec::filled(unreached(), relaxed.fact_count),
            ops: relaxed.costs.iter().map(op).collect(),
            open: preconditions.clone(),
            preconditions,
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
    pub(super) fn deduct(&mut self, groups: &[GroupId], cost: u32) {
        for &group in groups {
            for &op in &self.relaxed.members[group] {
                self.ops[op].cost -= cost;
            }
        }
    }

    /// The value of the goal; `None` if it cannot be reached.
    pub(super) fn goal(&self) -> Option<u32> {
        Some(self.value(FactId::GOAL)).filter(|&value| value != UNREACHED)
    }

    /// The value of a fact.
    #[inline]
    pub(super) fn value(&self, fact: FactId) -> u32 {
        self.facts[fact].value
    }

    /// The operator that gave a fact its value; meaningless for facts that hold in the state.
    #[inline]
    pub(super) fn achiever(&self, fact: FactId) -> RelaxedId {
        self.facts[fact].achiever
    }

    /// What is left of an operator's cost.
    #[inline]
    pub(super) fn cost(&self, op: RelaxedId) -> u32 {
        self.ops[op].cost
    }

    /// What is left of the cost of a group.
    pub(super) fn group_cost(&self, group: GroupId) -> u32 {
        self.relaxed.members[group].first().map_or(0, |&op| self.cost(op))
    }

    /// Whether all preconditions of an operator are reached.
    #[inline]
    pub(super) fn is_reached(&self, op: RelaxedId) -> bool {
        self.open[op] == 0
    }

    /// A precondition of largest value of a reached operator.
    #[inline]
    pub(super) fn supporter(&self, op: RelaxedId) -> FactId {
        self.ops[op].supporter
    }

    /// The value of the supporter of a reached operator.
    #[inline]
    pub(super) fn supporter_value(&self, op: RelaxedId) -> u32 {
        self.ops[op].value
    }

    /// Computes all values for a state; or stops early if the goal is free, and then only its value is right.
    pub(super) fn explore(&mut self, state: &IdVec<VarId, Value>) {
        let HMax { relaxed, facts, ops, open, preconditions, queue, work } = self;
        work.set(work.get() + (facts.len() + ops.len()) as u64 / 4);
        facts.iter_mut().for_each(|fact| *fact = unreached());
        open.clone_from(preconditions);
        queue.clear();
        for fact in relaxed.facts_of(state) {
            facts[fact].value = 0;
            queue.push(0, fact);
        }
        while let Some((value, fact)) = queue.pop() {
            if facts[fact].value < value {
                continue;
            }
            if fact == FactId::GOAL && value == 0 {
                return;
            }
            work.set(work.get() + WORK_PER_FACT + relaxed.needed_by[fact].len() as u64);
            for &op in &relaxed.needed_by[fact] {
                let open = &mut open[op];
                *open -= 1;
                if *open == 0 {
                    let state = &mut ops[op];
                    (state.supporter, state.value) = (fact, value);
                    reach(op, value + state.cost, &relaxed.adds, facts, queue);
                }
            }
        }
    }

    /// Lowers the values after the operators of some groups have become cheaper; or stops early if the goal is
    /// free, and then only its value is right.
    pub(super) fn update(&mut self, groups: &[GroupId]) {
        let HMax { relaxed, facts, ops, open, queue, work, .. } = self;
        queue.clear();
        for &op in groups.iter().flat_map(|&group| &relaxed.members[group]) {
            if open[op] == 0 {
                reach(op, ops[op].value + ops[op].cost, &relaxed.adds, facts, queue);
            }
        }
        while let Some((value, fact)) = queue.pop() {
            if facts[fact].value < value {
                continue;
            }
            if fact == FactId::GOAL && value == 0 {
                return;
            }
            work.set(work.get() + WORK_PER_FACT + relaxed.needed_by[fact].len() as u64);
            for &op in &relaxed.needed_by[fact] {
                let state = &mut ops[op];
                if state.supporter != fact || state.value <= value || open[op] > 0 {
                    continue;
                }
                let before = state.value;
                (state.value, state.supporter) = (value, fact);
                for &pre in &relaxed.preconditions[op] {
                    if facts[pre].value > state.value {
                        (state.value, state.supporter) = (facts[pre].value, pre);
                    }
                }
                if state.value < before {
                    reach(op, state.value + state.cost, &relaxed.adds, facts, queue);
                }
            }
        }
    }
}

/// Passes the value of an operator on to its effects.
#[inline(always)]
fn reach(
    op: RelaxedId,
    value: u32,
    adds: &IdLists<RelaxedId, FactId>,
    facts: &mut IdVec<FactId, FactState>,
    queue: &mut CostQueue,
) {
    for &add in &adds[op] {
        let fact = &mut facts[add];
        if value < fact.value {
            *fact = FactState { value, achiever: op };
            queue.push(value, add);
        }
    }
}
