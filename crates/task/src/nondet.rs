//! Tasks in which nature picks the outcome of an action (fully observable, nondeterministic: FOND).
//!
//! Each outcome of a ground action is an operator of an ordinary [`Task`] (the *all-outcomes determinisation*), and
//! a [`Choice`] says which operators belong to one action. Several initial states are the outcomes of one more
//! action, [`START`], that has to come first.

use std::ops::Range;

use counterplay_base::{Id, IdVec, id};
use num_rational::Ratio;

use crate::{Fact, OpId, Task};

id! {
    /// A ground action: what the planner chooses.
    pub struct ChoiceId;
}

/// The name of the action that picks the initial state; no PDDL text can contain it.
pub const START: &str = ";start";

/// A ground action and the operators among which nature chooses. They have one precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name and arguments without parentheses.
    pub name: String,
    /// Its outcomes: operators of the task, one after the other.
    pub outcomes: Range<u32>,
}

impl Choice {
    /// The operators, one for each outcome.
    pub fn operators(&self) -> impl ExactSizeIterator<Item = OpId> + Clone + use<> {
        self.outcomes.clone().map(|number| OpId::new(number as usize))
    }

    /// One of its operators, for what they have in common.
    pub fn first(&self) -> OpId {
        OpId::new(self.outcomes.start as usize)
    }
}

/// A finite task in which nature picks the outcomes of actions.
#[derive(Clone, Debug, PartialEq)]
pub struct NondetTask {
    /// States, goal, and an operator for each outcome of each action.
    pub task: Task,
    pub choices: IdVec<ChoiceId, Choice>,
    /// The action that picks the initial state, if there are several.
    pub start: Option<ChoiceId>,
}

impl NondetTask {
    /// The action that an operator is an outcome of.
    pub fn choice_of(&self) -> IdVec<OpId, ChoiceId> {
        let all = self.choices.enumerate();
        all.flat_map(|(id, choice)| choice.operators().map(move |_| id)).collect()
    }

    /// The precondition of an action.
    pub fn precondition(&self, choice: ChoiceId) -> &[Fact] {
        &self.task.operators[self.choices[choice].first()].precondition
    }
}

/// A task in which nature picks outcomes with known probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct OddsTask {
    pub nondet: NondetTask,
    /// The probability of each outcome; those of one action add up to one, and their common denominator has at most 100 bits.
    pub odds: IdVec<OpId, Ratio<i128>>,
    /// What each outcome costs, in the problem's own units; negative where something is earned.
    pub costs: IdVec<OpId, Ratio<i128>>,
}
