//! Counting what a search does, and looking at its budget.

use std::collections::HashMap;

use counterplay_base::{Budget, BudgetPoll, Limit};

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
    poll: BudgetPoll,
    /// States generated when the budget was last looked at.
    looked_at: u64,
    /// Whether a table was refused memory.
    tables_full: bool,
}

/// Nodes with large belief states allocate much each, so the budget is looked at after so many states as well.
const STATES_BETWEEN_LOOKS: u64 = 4096;
/// Tables with fewer entries grow without asking.
const SMALL_TABLE: usize = 1 << 12;

impl<'b> Meter<'b> {
    pub(crate) fn new(budget: &'b Budget) -> Meter<'b> {
        Meter {
            budget,
            effort: Effort::default(),
            poll: BudgetPoll::every(256),
            looked_at: 0,
            tables_full: false,
        }
    }

    /// One more node.
    #[inline]
    pub(crate) fn node(&mut self) -> Result<(), Limit> {
        self.effort.nodes += 1;
        self.budget.allow_nodes(self.effort.nodes)?;
        if self.effort.states - self.looked_at >= STATES_BETWEEN_LOOKS {
            self.looked_at = self.effort.states;
            return self.budget.check();
        }
        self.poll.step(self.budget)
    }

    /// Whether a table that only saves work may take one more entry. A full table doubles, and holds the old entries until they are
    /// moved; if there is no memory for that, none of the tables grows from then on, and the search goes on with what they hold.
    #[inline]
    pub(crate) fn may_grow<K, V, S>(&mut self, table: &HashMap<K, V, S>) -> bool {
        let full = table.capacity();
        if table.len() < full || full < SMALL_TABLE {
            return true;
        }
        // The table keeps an eighth of its slots free, and has a byte of its own for each slot.
        self.may_take((2 * full / 7 * 8) * (size_of::<(K, V)>() + 1))
    }

    /// The same for a list.
    #[inline]
    pub(crate) fn may_lengthen<T>(&mut self, list: &Vec<T>) -> bool {
        let full = list.capacity();
        list.len() < full || full < SMALL_TABLE || self.may_take(2 * full * size_of::<T>())
    }

    fn may_take(&mut self, bytes: usize) -> bool {
        self.tables_full = self.tables_full || self.budget.allow_bytes(bytes).is_err();
        !self.tables_full
    }

    /// A step of a loop that makes no nodes.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Limit> {
        self.poll.step(self.budget)
    }
}
