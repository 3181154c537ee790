//! Plans in which every outcome is ours to choose, away from known dead ends.
//!
//! Greedy best-first search with the additive heuristic. It ends at the goal or in a state for which there
//! is an answer already.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Budget, IdVec, Limit, Pulse};
use counterplay_ground::{ChoiceId, NondetTask};
use counterplay_plan::explicit::{AxiomEvaluator, SuccessorTree};
use counterplay_task::{OpId, holds, is_goal};
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
    /// Estimates that have been computed; `None` for dead ends.
    estimates: FxHashMap<State, Option<u32>>,
    /// States expanded so far.
    pub(crate) expanded: u64,
}

/// A plan: the states on its way and the outcomes between them.
pub(crate) struct Way {
    pub(crate) states: Vec<State>,
    pub(crate) steps: Vec<OpId>,
}

struct Node {
    state: State,
    parent: Option<(u32, OpId)>,
}

impl<'t> Planner<'t> {
    pub(crate) fn new(nondet: &'t NondetTask) -> Planner<'t> {
        Planner {
            nondet,
            tree: SuccessorTree::new(&nondet.task),
            axioms: AxiomEvaluator::new(&nondet.task),
            additive: Additive::new(&nondet.task),
            choice_of: nondet.choice_of(),
            estimates: FxHashMap::default(),
            expanded: 0,
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

    fn estimate(&mut self, state: &State) -> Option<u32> {
        if let Some(&known) = self.estimates.get(state) {
            return known;
        }
        let estimate = self.additive.estimate(state);
        self.estimates.insert(state.clone(), estimate);
        estimate
    }

    /// A way from a state to the goal or to a state that `is_answered`; `None` if there is none.
    pub(crate) fn plan(
        &mut self,
        from: &State,
        dead: &DeadEnds,
        is_answered: impl Fn(&State) -> bool,
        budget: &Budget,
    ) -> Result<Option<Way>, Limit> {
        let task = &self.nondet.task;
        if dead.contains(from) {
            return Ok(None);
        }
        let Some(first) = self.estimate(from) else { return Ok(None) };
        let mut nodes = vec![Node { state: from.clone(), parent: None }];
        let mut known: FxHashMap<State, u32> = FxHashMap::default();
        known.insert(from.clone(), 0);
        let mut open = BinaryHeap::from([Reverse((first, 0u32))]);
        let mut pulse = Pulse::every(64);
        let (mut stack, mut applicable) = (Vec::new(), Vec::new());
        while let Some(Reverse((_, number))) = open.pop() {
            pulse.beat(budget)?;
            self.expanded += 1;
            let state = nodes[number as usize].state.clone();
            applicable.clear();
            self.tree.applicable(&state, &mut stack, &mut applicable);
            applicable.sort_unstable();
            let mut last: Option<(ChoiceId, bool)> = None;
            for &op in &applicable {
                let choice = self.choice_of[op];
                let is_forbidden = match last {
                    Some((known, forbidden)) if known == choice => forbidden,
                    _ => dead.forbids(&state, choice),
                };
                last = Some((choice, is_forbidden));
                if is_forbidden {
                    continue;
                }
                let next = self.apply(&state, op);
                if known.contains_key(&next) || dead.contains(&next) {
                    continue;
                }
                let id = nodes.len() as u32;
                known.insert(next.clone(), id);
                let parent = Some((number, op));
                if is_goal(task, &next) || is_answered(&next) {
                    nodes.push(Node { state: next, parent });
                    return Ok(Some(way(&nodes)));
                }
                let estimate = self.estimate(&next);
                nodes.push(Node { state: next, parent });
                if let Some(estimate) = estimate {
                    open.push(Reverse((estimate, id)));
                }
            }
        }
        Ok(None)
    }
}

/// The way to the last node.
fn way(nodes: &[Node]) -> Way {
    let mut at = nodes.len() - 1;
    let mut way = Way { states: vec![nodes[at].state.clone()], steps: Vec::new() };
    while let Some((parent, op)) = nodes[at].parent {
        at = parent as usize;
        way.states.push(nodes[at].state.clone());
        way.steps.push(op);
    }
    way.states.reverse();
    way.steps.reverse();
    way
}
