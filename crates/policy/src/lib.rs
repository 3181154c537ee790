//! Policies against nature.
//!
//! An action has several outcomes and somebody else picks one. A *weak* policy may reach the goal, a *strong* one
//! reaches it whatever happens, and a *strong-cyclic* one reaches it if no outcome is withheld for ever
//! (Cimatti, Pistore, Roveri and Traverso 2003). The answer is a list of pairs of a condition and an action: in a
//! state one takes the action of the first pair whose condition holds, so the list cuts the states into parts.

mod explicit;
mod words;

use counterplay_base::{Budget, IdVec, Progress, Verdict};
use counterplay_ground::{ChoiceId, NondetTask};
use counterplay_task::{Fact, Value, VarId};

pub use words::{Rule, literals, rules};

/// A state of a task, derived variables up to date.
pub type State = IdVec<VarId, Value>;

/// What a policy guarantees; later ones guarantee more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Some outcomes lead to the goal.
    Weak,
    /// The goal can always still be reached; if nature is fair, it will be.
    StrongCyclic,
    /// The goal is reached in finitely many steps, whatever nature does.
    Strong,
}

/// If the condition holds, and no earlier one does, take the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Facts that all have to hold, sorted.
    pub condition: Vec<Fact>,
    /// The action.
    pub choice: ChoiceId,
}

/// What to do, by conditions. Goal states need no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What it guarantees.
    pub class: Class,
    /// The first pair that fits counts.
    pub pairs: Vec<Pair>,
}

/// Which search to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Whatever measured best.
    #[default]
    Auto,
    /// Plans for single outcomes, repaired.
    Explicit,
    /// Fixpoints over sets of states.
    Symbolic,
}

/// What a search took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Which search it was.
    pub ran: String,
    /// Rounds of repair, or layers of fixpoints.
    pub rounds: u64,
    /// States expanded one by one.
    pub expanded: u64,
    /// The largest number of nodes of decision diagrams.
    pub peak_nodes: u64,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The class that is wanted; `None` for the strongest that exists.
    pub class: Option<Class>,
    /// Which search to run.
    pub search: Search,
    /// Seed of variable orders.
    pub seed: u64,
}

/// A verdict, what it took, and which stronger classes were proved not to exist on the way.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The policy.
    pub verdict: Verdict<Policy>,
    /// What it took.
    pub statistics: Statistics,
    /// Classes that do not exist.
    pub impossible: Vec<Class>,
}

/// Finds a policy.
pub fn solve(nondet: &NondetTask, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    let class = options.class.unwrap_or(Class::StrongCyclic);
    let (verdict, statistics) = explicit::solve(nondet, class, budget, progress);
    Answer { verdict, statistics, impossible: Vec::new() }
}
