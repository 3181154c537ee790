//! Sets of states as lists of states: ND-SHOP2, and the oracle of the diagrams.

use std::cell::Cell;
use std::collections::BTreeSet;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_policy::Pair;
use counterplay_task::{
    ChoiceId, Fact, NondetTask, Value, VarId, apply, close_under_axioms, is_applicable, is_goal,
};

use crate::advice::{Instance, Sets};

/// The values of all variables.
type State = Box<[Value]>;

/// States one by one.
pub(super) struct Explicit<'t> {
    nondet: &'t NondetTask,
    peak: Cell<u64>,
}

impl<'t> Explicit<'t> {
    pub(super) fn new(nondet: &'t NondetTask) -> Explicit<'t> {
        Explicit { nondet, peak: Cell::new(0) }
    }

    fn noted(&self, set: BTreeSet<State>) -> BTreeSet<State> {
        self.peak.set(self.peak.get().max(set.len() as u64));
        set
    }

    fn filter(&self, set: &BTreeSet<State>, keep: impl Fn(&IdVec<VarId, Value>) -> bool) -> BTreeSet<State> {
        set.iter().filter(|state| keep(&vector(state))).cloned().collect()
    }

    fn outcomes(&self, state: &State, choice: ChoiceId) -> impl Iterator<Item = State> {
        let state = vector(state);
        let operators = self.nondet.choices[choice].operators();
        operators.map(move |op| apply(&self.nondet.task, &state, op).as_slice().into())
    }
}

/// The facts of a state without those that are derived: the others decide them, and they have no name in the problem's text.
pub(super) fn basic_facts(nondet: &NondetTask, state: &IdVec<VarId, Value>) -> Vec<Fact> {
    let basic = state.enumerate().filter(|(var, _)| nondet.task.variables[*var].derived.is_none());
    basic.map(|(var, &value)| Fact { var, value }).collect()
}

fn vector(state: &State) -> IdVec<VarId, Value> {
    state.to_vec().into()
}

impl Sets for Explicit<'_> {
    type Set = BTreeSet<State>;

    fn none(&self) -> Self::Set {
        BTreeSet::new()
    }

    fn initial(&self) -> Result<Self::Set, Limit> {
        // What is derived at the start is not part of the task's initial values.
        let mut state = self.nondet.task.initial.clone();
        close_under_axioms(&self.nondet.task, &mut state);
        Ok([state.as_slice().into()].into_iter().collect())
    }

    fn is_empty(&self, set: &Self::Set) -> bool {
        set.is_empty()
    }

    fn union(&self, one: &Self::Set, other: &Self::Set) -> Result<Self::Set, Limit> {
        Ok(self.noted(one.union(other).cloned().collect()))
    }

    fn minus(&self, one: &Self::Set, other: &Self::Set) -> Result<Self::Set, Limit> {
        Ok(one.iter().filter(|state| !other.contains(*state)).cloned().collect())
    }

    fn without_goal(&self, set: &Self::Set) -> Result<Self::Set, Limit> {
        Ok(self.filter(set, |state| !is_goal(&self.nondet.task, state)))
    }

    fn goal_of(&self, set: &Self::Set) -> Result<Self::Set, Limit> {
        Ok(self.filter(set, |state| is_goal(&self.nondet.task, state)))
    }

    fn restrict(&self, set: &Self::Set, instance: &Instance) -> Result<Self::Set, Limit> {
        Ok(self.filter(set, |state| instance.guard.holds(state)))
    }

    fn applicable(&self, set: &Self::Set, choice: ChoiceId) -> Result<Self::Set, Limit> {
        let op = self.nondet.choices[choice].first();
        Ok(self.filter(set, |state| is_applicable(&self.nondet.task, state, op)))
    }

    fn image(&self, set: &Self::Set, choice: ChoiceId) -> Result<Self::Set, Limit> {
        Ok(self.noted(set.iter().flat_map(|state| self.outcomes(state, choice)).collect()))
    }

    fn may_reach(&self, set: &Self::Set, choice: ChoiceId, target: &Self::Set) -> Result<Self::Set, Limit> {
        let may = |state: &&State| self.outcomes(state, choice).any(|next| target.contains(&next));
        Ok(set.iter().filter(may).cloned().collect())
    }

    fn pairs(&self, entries: &[(Self::Set, ChoiceId)], budget: &Budget) -> Result<Vec<Pair>, Limit> {
        let mut pairs = Vec::new();
        for (set, choice) in entries {
            budget.check()?;
            pairs.extend(
                set.iter().map(|state| Pair {
                    condition: basic_facts(self.nondet, &vector(state)),
                    choice: *choice,
                }),
            );
        }
        Ok(pairs)
    }

    fn peak(&self) -> u64 {
        self.peak.get()
    }

    fn count(&self, set: &Self::Set) -> f64 {
        set.len() as f64
    }
}
