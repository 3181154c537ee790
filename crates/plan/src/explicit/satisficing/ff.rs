//! The FF heuristic: the cost of a plan of the delete relaxation (Hoffmann and Nebel 2001).
//!
//! One exploration in the order of h_add values gives each fact a cheapest achiever (Keyder and Geffner 2008); the achievers that the
//! goal needs, each counted once, are the relaxed plan. Its operators that are applicable are preferred.

use counterplay_base::IdVec;
use counterplay_task::{OpId, Task, Value, VarId, is_applicable};

use super::super::queue::CostQueue;
use super::super::relaxed::{FactId, GroupId, Relaxed, RelaxedId};

/// Values do not grow beyond this.
const MOST: u32 = 1 << 28;

/// Taking a fact from the queue costs as much as looking at so many operators.
const WORK_PER_FACT: u64 = 10;

/// Estimates the cost of reaching the goal, and which operators look helpful.
#[derive(Debug)]
pub(super) struct FastForward {
    relaxed: Relaxed,
    facts: IdVec<FactId, FactState>,
    ops: IdVec<RelaxedId, OpState>,
    preconditions: IdVec<RelaxedId, u16>,
    queue: CostQueue,
    /// The evaluation in which a fact or a group was last put into the relaxed plan.
    fact_stamp: IdVec<FactId, u32>,
    group_stamp: IdVec<GroupId, u32>,
    stamp: u32,
    stack: Vec<FactId>,
    work: u64,
}

#[derive(Clone, Copy, Debug)]
struct FactState {
    value: u32,
    /// `None` for a fact that holds in the state.
    achiever: Option<RelaxedId>,
}

#[derive(Clone, Copy, Debug)]
struct OpState {
    /// Preconditions that have not been reached.
    open: u16,
    /// The sum of the values of those that have been.
    value: u32,
}

const UNREACHED: FactState = FactState { value: u32::MAX, achiever: None };

impl FastForward {
    /// Prepares the heuristic for a task whose operators are taken to cost `costs`.
    pub(super) fn new(task: &Task, costs: &IdVec<OpId, u64>) -> FastForward {
        let relaxed = Relaxed::new(task, costs);
        FastForward {
            facts: IdVec::filled(UNREACHED, relaxed.fact_count),
            ops: IdVec::filled(OpState { open: 0, value: 0 }, relaxed.operator_count()),
            preconditions: relaxed.preconditions.iter().map(|list| list.len() as u16).collect(),
            queue: CostQueue::new(),
            fact_stamp: IdVec::filled(0, relaxed.fact_count),
            group_stamp: IdVec::filled(0, relaxed.group_count()),
            stamp: 0,
            stack: Vec::new(),
            work: 0,
            relaxed,
        }
    }

    /// The delete relaxation that the estimates are made on.
    pub(super) fn relaxed(&self) -> &Relaxed {
        &self.relaxed
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// The cost of a relaxed plan; `None` if there is none, and then there is no plan either. Operators of the relaxed plan that are applicable are appended to `preferred`.
    pub(super) fn evaluate(
        &mut self,
        task: &Task,
        state: &IdVec<VarId, Value>,
        preferred: &mut Vec<OpId>,
    ) -> Option<u64> {
        if !self.explore(state) {
            return None;
        }
        self.stamp += 1;
        self.stack.clear();
        self.stack.push(FactId::GOAL);
        let mut cost = 0u64;
        while let Some(fact) = self.stack.pop() {
            if std::mem::replace(&mut self.fact_stamp[fact], self.stamp) == self.stamp {
                continue;
            }
            let Some(op) = self.facts[fact].achiever else { continue };
            self.work += 1;
            self.stack.extend(&self.relaxed.preconditions[op]);
            let group = self.relaxed.group[op];
            if std::mem::replace(&mut self.group_stamp[group], self.stamp) != self.stamp {
                cost += u64::from(self.relaxed.costs[op]);
                let helpful = self.relaxed.operators[group].iter();
                preferred.extend(helpful.filter(|&&op| is_applicable(task, state, op)));
            }
        }
        Some(cost)
    }

    /// The facts that the relaxed plan of the last evaluation achieves.
    pub(super) fn planned_facts(&self) -> Vec<FactId> {
        let is_planned =
            |fact: &FactId| self.fact_stamp[*fact] == self.stamp && self.facts[*fact].achiever.is_some();
        self.facts.ids().filter(is_planned).collect()
    }

    /// Computes values until all goals have theirs; `false` if some are out of reach.
    fn explore(&mut self, state: &IdVec<VarId, Value>) -> bool {
        let FastForward { relaxed, facts, ops, preconditions, queue, work, .. } = self;
        *work += (facts.len() + ops.len()) as u64 / 4;
        facts.iter_mut().for_each(|fact| *fact = UNREACHED);
        for (op, &open) in ops.iter_mut().zip(preconditions.iter()) {
            *op = OpState { open, value: 0 };
        }
        queue.clear();
        for fact in relaxed.facts_of(state) {
            facts[fact].value = 0;
            queue.push(0, fact);
        }
        while let Some((value, fact)) = queue.pop() {
            if facts[fact].value < value {
                continue;
            }
            let needed_by = &relaxed.needed_by[fact];
            *work += WORK_PER_FACT + needed_by.len() as u64;
            for &op in needed_by {
                let state = &mut ops[op];
                state.open -= 1;
                state.value = (state.value + value).min(MOST);
                if state.open > 0 {
                    continue;
                }
                let reached = (state.value + relaxed.costs[op].min(MOST)).min(MOST);
                for &add in &relaxed.adds[op] {
                    if reached < facts[add].value {
                        facts[add] = FactState { value: reached, achiever: Some(op) };
                        if add == FactId::GOAL {
                            return true;
                        }
                        // A capped value may be less than what was taken out last, by rounding only.
                        queue.push(reached.max(value), add);
                    }
                }
            }
        }
        facts[FactId::GOAL].value != u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeuristicCosts;
    use super::*;
    use counterplay_testkit::{brute_force, random_task, reachable};

    /// A state without a relaxed plan has no plan, and preferred operators are applicable.
    #[test]
    fn dead_ends_are_real() {
        let mut dead = 0;
        for seed in 0..200 {
            let mut task = random_task(seed);
            let mut ff = FastForward::new(&task, &HeuristicCosts::One.of(&task));
            for state in reachable(&task).into_iter().take(20) {
                let mut preferred = Vec::new();
                let estimate = ff.evaluate(&task, &state, &mut preferred);
                assert!(preferred.iter().all(|&op| is_applicable(&task, &state, op)), "seed {seed}");
                if estimate.is_none() {
                    task.initial = state;
                    dead += 1;
                    assert_eq!(brute_force(&task), None, "seed {seed}");
                }
            }
        }
        assert!(dead > 20, "{dead} dead ends");
    }
}
