//! Counting what a search does, and looking at its budget.

use counterplay_base::{Budget, Limit, Pulse};

/// What a search has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// States generated: results of attempts and of replies.
    pub states: u64,
    /// Nodes of the belief-state tree that were expanded.
    pub nodes: u64,
}

/// Counts, and stops when a limit is reached.
#[derive(Debug)]
pub(crate) struct Meter<'b> {
    pub(crate) budget: &'b Budget,
    pub(crate) effort: Effort,
    pulse: Pulse,
}

impl<'b> Meter<'b> {
    pub(crate) fn new(budget: &'b Budget) -> Meter<'b> {
        Meter { budget, effort: Effort::default(), pulse: Pulse::every(256) }
    }

    /// One more node.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), Limit> {
        self.effort.nodes += 1;
        self.budget.allow_nodes(self.effort.nodes)?;
        self.pulse.beat(self.budget)
    }

    /// A step of a loop that makes no nodes.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Limit> {
        self.pulse.beat(self.budget)
    }
}
