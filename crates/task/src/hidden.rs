//! Tasks whose state is hidden: several initial states, and actions that tell the truth of some facts.
//!
//! The planner knows a set of states that it may be in (a *belief state*). An action may be taken if it is applicable in all of
//! them; nature picks one of its outcomes unseen, and then the action tells which of its observed facts hold.

use counterplay_base::IdVec;

use crate::{ChoiceId, Fact, NondetTask, Value, VarId};

/// A ground action of a task with hidden state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenAction {
    /// Name and arguments without parentheses.
    pub name: String,
    /// The parts of its disjunctive precondition; all of them do the same. It is applicable where one of them is.
    pub parts: Vec<ChoiceId>,
    /// The facts whose truth is told after the action, with their atoms as PDDL writes them.
    pub observed: Vec<(Fact, String)>,
}

/// A literal over facts.
pub type Literal = (Fact, bool);

/// The states that are possible at the start.
#[derive(Clone, Debug, PartialEq)]
pub enum InitialStates {
    /// All of them, one by one.
    Listed(Vec<IdVec<VarId, Value>>),
    /// All that a description allows; there are too many to list.
    Described(Description),
}

/// A set of states: what is certain, and what is open within constraints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Description {
    /// Values of everything that is certain; open facts do not hold here.
    pub certain: IdVec<VarId, Value>,
    /// Facts that may hold or not, as far as the constraints allow. At most one for each variable.
    pub open: Vec<Fact>,
    /// For each choice its alternatives. One of them describes the state: its literals hold, other alternatives of one literal
    /// do not.
    pub choices: Vec<Vec<Vec<Literal>>>,
    /// Disjunctions that hold.
    pub clauses: Vec<Vec<Literal>>,
    /// Open facts that no clause and no `unknown` mentions: they hold only where a chosen alternative says so.
    pub closed: Vec<Fact>,
}

/// A task with hidden state.
#[derive(Clone, Debug)]
pub struct HiddenTask {
    /// States, goal, and all outcomes of all actions; its own initial state means nothing.
    pub nondet: NondetTask,
    pub actions: Vec<HiddenAction>,
    pub initial: InitialStates,
}

impl HiddenTask {
    /// Whether some action tells something.
    pub fn has_sensing(&self) -> bool {
        self.actions.iter().any(|action| !action.observed.is_empty())
    }
}
