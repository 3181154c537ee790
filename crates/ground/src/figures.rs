//! How large things were and how long they took.

use std::time::Duration;

use counterplay_task::Task;

/// Figures of one grounding, for people and benchmarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Atoms that can be reached and may change.
    pub atoms: usize,
    /// Ground actions before any simplification.
    pub ground_actions: usize,
    /// Candidates for invariants that were checked.
    pub candidates: usize,
    /// Mutex groups that were proved.
    pub groups: usize,
    /// Variables of the task.
    pub variables: usize,
    /// Derived ones among them.
    pub derived: usize,
    /// Facts of the task: values of all variables.
    pub facts: usize,
    /// Operators of the task.
    pub operators: usize,
    /// Axioms of the task.
    pub axioms: usize,
    /// Pairs of facts that h² found mutex.
    pub mutex_pairs: usize,
    /// What became of h².
    pub h2: H2Outcome,
    /// The phases and how long each took, in order.
    pub phases: Vec<(&'static str, Duration)>,
}

/// What became of h².
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum H2Outcome {
    /// It was not asked for, or the task has nothing to gain.
    #[default]
    Skipped,
    /// It reached its fixpoint.
    Complete,
    /// Its time ended; what had been completed until then was used.
    Cut,
}

impl Figures {
    /// Takes the sizes of a finished task.
    pub(crate) fn measure(&mut self, task: &Task) {
        self.variables = task.variables.len();
        self.derived = task.variables.iter().filter(|variable| variable.derived.is_some()).count();
        self.facts = task.variables.iter().map(|variable| variable.values.len()).sum();
        self.operators = task.operators.len();
        self.axioms = task.axioms.len();
        self.mutex_pairs = task.mutex_pairs.len();
    }
}
