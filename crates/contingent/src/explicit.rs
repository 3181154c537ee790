//! Belief states as sorted lists of states, each state stored once.

use std::rc::Rc;

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_task::{Fact, HiddenTask, InitialStates, apply, close_under_axioms, holds};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::described::enumerate;
use crate::space::{BeliefSpace, Percept, State};

/// A belief state with more states than this is left to the diagrams.
pub(crate) const MOST_STATES: usize = 200_000;

/// So many states stand for a belief state in the estimate. Relaxed plans are kept for each state, so many are cheap.
const SAMPLES: usize = 256;

pub(crate) struct Explicit<'t> {
    hidden: &'t HiddenTask,
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
    /// The actions that are applicable in a state.
    applicable: FxHashMap<u32, Rc<[u32]>>,
    successors: FxHashMap<(u32, u32), Rc<[u32]>>,
    budget: &'t Budget,
    poll: BudgetPoll,
}

impl<'t> Explicit<'t> {
    pub(crate) fn new(hidden: &'t HiddenTask, budget: &'t Budget) -> Explicit<'t> {
        Explicit {
            hidden,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            applicable: FxHashMap::default(),
            successors: FxHashMap::default(),
            budget,
            poll: BudgetPoll::every(64),
        }
    }

    fn number(&mut self, state: State) -> u32 {
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    fn applicable_in(&mut self, state: u32) -> Rc<[u32]> {
        if let Some(known) = self.applicable.get(&state) {
            return Rc::clone(known);
        }
        let values = &self.states[state as usize];
        let found: Rc<[u32]> = (0..self.hidden.actions.len() as u32)
            .filter(|&action| part_that_holds(self.hidden, values, action).is_some())
            .collect();
        self.applicable.insert(state, Rc::clone(&found));
        found
    }

    /// The states that an action may lead to from one state.
    fn step(&mut self, state: u32, action: u32) -> Result<Rc<[u32]>, Limit> {
        if let Some(known) = self.successors.get(&(state, action)) {
            return Ok(Rc::clone(known));
        }
        self.poll.step(self.budget)?;
        let hidden = self.hidden;
        let values = self.states[state as usize].clone();
        let part = part_that_holds(hidden, &values, action).expect("the action is applicable");
        let operators = hidden.nondet.choices[hidden.actions[action as usize].parts[part]].operators();
        let mut next: Vec<u32> =
            operators.map(|op| self.number(apply(&hidden.nondet.task, &values, op))).collect();
        next.sort_unstable();
        next.dedup();
        let next: Rc<[u32]> = next.into();
        self.successors.insert((state, action), Rc::clone(&next));
        Ok(next)
    }
}

/// The first part of an action's precondition that holds in a state.
pub(crate) fn part_that_holds(hidden: &HiddenTask, state: &State, action: u32) -> Option<usize> {
    let parts = &hidden.actions[action as usize].parts;
    parts.iter().position(|&part| holds(state, hidden.nondet.precondition(part)))
}

impl BeliefSpace for Explicit<'_> {
    type Belief = Rc<[u32]>;

    fn initial(&mut self) -> Result<Rc<[u32]>, Limit> {
        let states = match &self.hidden.initial {
            InitialStates::Listed(states) => states.clone(),
            InitialStates::Described(description) => enumerate(description, MOST_STATES, self.budget)?,
        };
        let task = &self.hidden.nondet.task;
        let mut numbers = Vec::new();
        for mut state in states {
            close_under_axioms(task, &mut state);
            numbers.push(self.number(state));
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers.into())
    }

    fn is_goal(&mut self, belief: &Rc<[u32]>) -> Result<bool, Limit> {
        let goal = &self.hidden.nondet.task.goal;
        Ok(belief.iter().all(|&state| holds(&self.states[state as usize], goal)))
    }

    fn applicable(&mut self, belief: &Rc<[u32]>) -> Result<Vec<u32>, Limit> {
        let mut actions: Vec<u32> = self.applicable_in(belief[0]).to_vec();
        for &state in &belief[1..] {
            self.poll.step(self.budget)?;
            let own = self.applicable_in(state);
            actions.retain(|action| own.binary_search(action).is_ok());
        }
        Ok(actions)
    }

    fn tells(&self, action: u32) -> bool {
        !self.hidden.actions[action as usize].observed.is_empty()
    }

    fn after(&mut self, belief: &Rc<[u32]>, action: u32) -> Result<Vec<(Percept, Rc<[u32]>)>, Limit> {
        let mut next = Vec::new();
        for &state in &belief[..] {
            next.extend_from_slice(&self.step(state, action)?);
            if next.len() > 2 * MOST_STATES {
                return Err(Limit::Nodes(MOST_STATES as u64));
            }
        }
        next.sort_unstable();
        next.dedup();
        let observed = &self.hidden.actions[action as usize].observed;
        let mut parts: Vec<(Percept, Vec<u32>)> = Vec::new();
        for state in next {
            let values = &self.states[state as usize];
            let percept: Percept = observed.iter().map(|(fact, _)| values[fact.var] == fact.value).collect();
            match parts.iter_mut().find(|(seen, _)| *seen == percept) {
                Some((_, states)) => states.push(state),
                None => parts.push((percept, vec![state])),
            }
        }
        parts.sort();
        Ok(parts.into_iter().map(|(percept, states)| (percept, states.into())).collect())
    }

    fn samples(&mut self, belief: &Rc<[u32]>) -> Result<Vec<State>, Limit> {
        let mut seen: FxHashSet<Fact> = FxHashSet::default();
        let mut samples = Vec::new();
        for &state in &belief[..] {
            let values = &self.states[state as usize];
            let mut is_new = false;
            for (var, &value) in values.enumerate() {
                is_new |= seen.insert(Fact { var, value });
            }
            if is_new {
                samples.push(values.clone());
            }
            if samples.len() >= SAMPLES {
                break;
            }
        }
        Ok(samples)
    }

    fn size(&self, belief: &Rc<[u32]>) -> u64 {
        belief.len() as u64
    }

    fn may_lead(&mut self, from: &Rc<[u32]>, action: u32, into: &Rc<[u32]>) -> Result<Rc<[u32]>, Limit> {
        let mut states = Vec::new();
        for &state in &from[..] {
            let next = self.step(state, action)?;
            if next.iter().any(|state| into.binary_search(state).is_ok()) {
                states.push(state);
            }
        }
        Ok(states.into())
    }

    fn union(&mut self, one: &Rc<[u32]>, other: &Rc<[u32]>) -> Result<Rc<[u32]>, Limit> {
        let mut states = [&one[..], other].concat();
        states.sort_unstable();
        states.dedup();
        Ok(states.into())
    }

    fn none(&self) -> Rc<[u32]> {
        Rc::from([])
    }

    fn peak_nodes(&self) -> Option<u64> {
        None
    }
}
