//! Dead ends, and the actions that may lead into one.
//!
//! A dead end is a condition under which no strong-cyclic policy exists. An action with an outcome that makes it
//! true is forbidden where that can happen (Muise, McIlraith and Beck 2012: forbidden state-action pairs).
//! Everything here is proved: if the initial state turns out to be a dead end, there is no policy.

use counterplay_base::{IdVec, Limit};
use counterplay_ground::{ChoiceId, NondetTask};
use counterplay_task::{Fact, OpId, Value, VarId};

use super::additive::Additive;
use super::index::Index;
use super::regress::{plain_facts, regress, regress_in};
use crate::State;

/// What is known to be hopeless.
#[derive(Debug)]
pub(crate) struct DeadEnds {
    ends: Index,
    conditions: Vec<Vec<Fact>>,
    forbidden: IdVec<ChoiceId, Index>,
    reasons: Vec<Vec<Fact>>,
    /// Actions that are forbidden wherever they can be applied.
    always: IdVec<ChoiceId, bool>,
}

impl DeadEnds {
    pub(crate) fn new(nondet: &NondetTask) -> DeadEnds {
        let forbidden = nondet.choices.iter().map(|_| Index::default()).collect();
        let always = IdVec::filled(false, nondet.choices.len());
        DeadEnds { ends: Index::default(), conditions: Vec::new(), forbidden, reasons: Vec::new(), always }
    }

    /// How many conditions are known.
    pub(crate) fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether a state is known to be a dead end.
    pub(crate) fn contains(&self, state: &State) -> bool {
        self.ends.any(state, |_| true)
    }

    /// Whether an action is forbidden wherever it can be applied.
    pub(crate) fn always_forbids(&self, choice: ChoiceId) -> bool {
        self.always[choice]
    }

    /// Whether an action may lead from a state into a dead end.
    pub(crate) fn forbids(&self, state: &State, choice: ChoiceId) -> bool {
        self.forbidden[choice].any(state, |_| true)
    }

    /// Why an action may lead from a state into a dead end: facts of the state from which this follows.
    pub(crate) fn reason(&self, state: &State, choice: ChoiceId) -> Option<&[Fact]> {
        let mut reason = None;
        self.forbidden[choice].any(state, |item| {
            reason = Some(&self.reasons[item as usize][..]);
            true
        });
        reason
    }

    /// Notes that nothing good comes from a state, with as few of its facts as prove it. `led_here` is the step
    /// that was seen to lead into it.
    pub(crate) fn note(
        &mut self,
        nondet: &NondetTask,
        additive: &mut Additive,
        state: &State,
        led_here: Option<(&State, OpId, ChoiceId)>,
    ) -> Result<(), Limit> {
        if !self.contains(state) {
            let condition = self.generalise(nondet, additive, state);
            self.forbid_ways_into(nondet, &condition);
            self.ends.insert(&condition, self.conditions.len() as u32);
            self.conditions.push(condition);
        }
        if let Some((before, op, choice)) = led_here
            && !self.forbids(before, choice)
        {
            let mut reason = None;
            self.ends.any(state, |item| {
                reason = Some(item);
                true
            });
            let condition = &self.conditions[reason.expect("it has just been noted") as usize];
            let needed = regress_in(&nondet.task, &nondet.task.operators[op], condition, before);
            self.forbid(nondet, choice, needed);
        }
        Ok(())
    }

    fn forbid(&mut self, nondet: &NondetTask, choice: ChoiceId, condition: Vec<Fact>) {
        if self.always[choice] {
            return;
        }
        self.always[choice] = condition == nondet.precondition(choice);
        self.forbidden[choice].insert(&condition, self.reasons.len() as u32);
        self.reasons.push(condition);
    }

    fn forbid_ways_into(&mut self, nondet: &NondetTask, condition: &[Fact]) {
        for (id, choice) in nondet.choices.enumerate() {
            for op in choice.operators() {
                if let Some(needed) = regress(&nondet.task, &nondet.task.operators[op], condition) {
                    self.forbid(nondet, id, needed);
                }
            }
        }
    }

    /// Fewer facts of a dead end that make it one.
    fn generalise(&self, nondet: &NondetTask, additive: &mut Additive, state: &State) -> Vec<Fact> {
        let task = &nondet.task;
        let mut known: IdVec<VarId, Option<Value>> = task
            .variables
            .enumerate()
            .map(|(var, variable)| variable.derived.is_none().then(|| state[var]))
            .collect();
        if additive.is_hopeless(task, &known) {
            for var in task.variables.ids() {
                let before = known[var].take();
                if before.is_some() && !additive.is_hopeless(task, &known) {
                    known[var] = before;
                }
            }
            let kept = known.enumerate();
            return kept.filter_map(|(var, value)| value.map(|value| Fact { var, value })).collect();
        }
        self.all_forbidden(nondet, state).unwrap_or_else(|| plain_facts(task, state))
    }

    /// If every action is inapplicable or forbidden in a state: facts of the state from which this follows.
    fn all_forbidden(&self, nondet: &NondetTask, state: &State) -> Option<Vec<Fact>> {
        let task = &nondet.task;
        if !task.axioms.is_empty() {
            return None;
        }
        let mut kept: IdVec<VarId, bool> = IdVec::filled(false, task.variables.len());
        // The goal must be missed, and each action either cannot be applied or is forbidden.
        let mut missed: Vec<&[Fact]> = vec![&task.goal];
        for id in nondet.choices.ids() {
            match self.reason(state, id) {
                Some(reason) => reason.iter().for_each(|fact| kept[fact.var] = true),
                None => missed.push(nondet.precondition(id)),
            }
        }
        for condition in missed {
            let unmet = || condition.iter().filter(|fact| state[fact.var] != fact.value);
            if !unmet().any(|fact| kept[fact.var]) {
                kept[unmet().next()?.var] = true;
            }
        }
        let facts = state.enumerate().filter(|&(var, _)| kept[var]);
        Some(facts.map(|(var, &value)| Fact { var, value }).collect())
    }
}
