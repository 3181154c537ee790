//! Plans in which every outcome is ours to choose, away from known dead ends.
//!
//! Greedy best-first search with the additive heuristic. It ends at the goal or in a state for which there
//! is an answer already.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};
use counterplay_plan::explicit::{AxiomEvaluator, SuccessorTree};
use counterplay_task::{ChoiceId, NondetTask, OpId, holds, is_goal};
use rustc_hash::FxHashMap;

use super::additive::Additive;
use super::dead::DeadEnds;
use crate::State;

/// Searches from many states of one task.
pub(crate) struct Planner<'t> {
    nondet: &'t NondetTask,
    tree: SuccessorTree,
    axioms: Option<AxiomEvaluator>,
    pub(crate) additive: Additive,
    choice_of: IdVec<OpId, ChoiceId>,
    /// The actions that are not forbidden everywhere.
    left: IdVec<ChoiceId, bool>,
    /// States expanded so far, and how many may be.
    pub(crate) expanded: u64,
    pub(crate) most_expanded: u64,
}

/// A plan: the states on its way and the outcomes between them.
pub(crate) struct WeakPlan {
    pub(crate) states: Vec<State>,
    pub(crate) steps: Vec<OpId>,
}

/// The states that a search in vain has reached, the first one first. All of them are dead ends.
pub(crate) struct Exhausted(pub(crate) Vec<State>);

struct SearchNode {
    state: State,
    parent: Option<(u32, OpId)>,
}

impl<'t> Planner<'t> {
    pub(crate) fn new(nondet: &'t NondetTask) -> Planner<'t> {
        Planner {
            nondet,
            tree: SuccessorTree::new(&nondet.task),
            axioms: AxiomEvaluator::new(&nondet.task),
            additive: Additive::new(&nondet.task, |_| true),
            left: IdVec::filled(true, nondet.choices.len()),
            choice_of: nondet.choice_of(),
            expanded: 0,
            most_expanded: u64::MAX,
        }
    }

    /// Forgets actions that are forbidden wherever they can be applied.
    pub(crate) fn leave_out(&mut self, dead: &DeadEnds) {
        let before = self.left.iter().filter(|&&left| left).count();
        for id in self.nondet.choices.ids() {
            self.left[id] = self.left[id] && !dead.always_forbids(id);
        }
        if self.left.iter().filter(|&&left| left).count() < before {
            let (choice_of, left) = (&self.choice_of, &self.left);
            self.additive = Additive::new(&self.nondet.task, |op| left[choice_of[op]]);
        }
    }

    /// The initial state, derived variables up to date.
    pub(crate) fn initial(&mut self) -> State {
        let mut state = self.nondet.task.initial.clone();
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut state);
        }
        state
    }

    /// The state after an outcome.
    pub(crate) fn apply(&mut self, state: &State, op: OpId) -> State {
        let mut next = state.clone();
        for effect in &self.nondet.task.operators[op].effects {
            if effect.condition.is_empty() || holds(state, &effect.condition) {
                next[effect.fact.var] = effect.fact.value;
            }
        }
        if let Some(axioms) = &mut self.axioms {
            axioms.close(&mut next);
        }
        next
    }

    /// A way from a state to the goal or to a state that `is_answered`, or all that was reached in vain.
    ///
    /// States are estimated when their turn comes; until then they wait with the estimate of their parent.
    /// Those that a helpful step leads to wait in a queue of their own as well.
    pub(crate) fn plan(
        &mut self,
        from: &State,
        dead: &DeadEnds,
        is_answered: impl Fn(&State) -> bool,
        budget: &Budget,
    ) -> Result<Result<WeakPlan, Exhausted>, Limit> {
        let task = &self.nondet.task;
        let mut nodes = vec![SearchNode { state: from.clone(), parent: None }];
        let mut known: FxHashMap<State, u32> = FxHashMap::default();
        known.insert(from.clone(), 0);
        let mut closed = vec![false];
        let mut queues = [BinaryHeap::from([Reverse((0u32, 0u32))]), BinaryHeap::new()];
        // How often each queue has been served; the helpful one is served first while estimates improve.
        let mut served = [0i64, 0];
        let mut best = u32::MAX;
        let mut poll = BudgetPoll::every(16);
        let (mut stack, mut applicable, mut helpful) = (Vec::new(), Vec::new(), Vec::new());
        while queues.iter().any(|queue| !queue.is_empty()) {
            poll.step(budget)?;
            let second = !queues[1].is_empty() && (queues[0].is_empty() || served[1] <= served[0]);
            let queue = usize::from(second);
            served[queue] += 1;
            let Some(Reverse((_, number))) = queues[queue].pop() else { continue };
            if std::mem::replace(&mut closed[number as usize], true) {
                continue;
            }
            let state = nodes[number as usize].state.clone();
            if dead.contains(&state) || self.additive.estimate(&state).is_none() {
                continue;
            }
            self.expanded += 1;
            if self.expanded > self.most_expanded {
                return Err(Limit::Nodes(self.most_expanded));
            }
            let estimate = self.additive.helpful(&mut helpful);
            if estimate < best {
                best = estimate;
                served[1] -= 1000;
            }
            applicable.clear();
            self.tree.applicable(&state, &mut stack, &mut applicable);
            applicable.sort_unstable();
            let mut last: Option<(ChoiceId, bool)> = None;
            for &op in &applicable {
                let choice = self.choice_of[op];
                let is_forbidden = match last {
                    Some((known, forbidden)) if known == choice => forbidden,
                    _ => !self.left[choice] || dead.forbids(&state, choice),
                };
                last = Some((choice, is_forbidden));
                if is_forbidden {
                    continue;
                }
                let next = self.apply(&state, op);
                if known.contains_key(&next) {
                    continue;
                }
                let id = nodes.len() as u32;
                let is_end = is_goal(task, &next) || is_answered(&next) && !dead.contains(&next);
                known.insert(next.clone(), id);
                nodes.push(SearchNode { state: next, parent: Some((number, op)) });
                closed.push(false);
                if is_end {
                    return Ok(Ok(way(&nodes)));
                }
                queues[0].push(Reverse((estimate, id)));
                if helpful.binary_search(&op).is_ok() {
                    queues[1].push(Reverse((estimate, id)));
                }
            }
        }
        Ok(Err(Exhausted(nodes.into_iter().map(|node| node.state).collect())))
    }
}

/// The way to the last node.
fn way(nodes: &[SearchNode]) -> WeakPlan {
    let mut at = nodes.len() - 1;
    let mut way = WeakPlan { states: vec![nodes[at].state.clone()], steps: Vec::new() };
    while let Some((parent, op)) = nodes[at].parent {
        at = parent as usize;
        way.states.push(nodes[at].state.clone());
        way.steps.push(op);
    }
    way.states.reverse();
    way.steps.reverse();
    way
}
