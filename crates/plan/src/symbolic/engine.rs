//! A task ready for symbolic search.

use std::collections::BTreeMap;
use std::time::Duration;

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::{Arrangement, Encoding, Partition, StateSet};
use counterplay_task::{OpId, Task};

/// What an operator counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    /// Its cost in the task.
    Own,
    /// One: the search minimises the number of steps.
    One,
}

impl Costs {
    pub(crate) fn of(self, task: &Task, op: OpId) -> u64 {
        match self {
            Costs::Own => task.operators[op].cost,
            Costs::One => 1,
        }
    }
}

/// The task as diagrams, its operators merged by cost.
pub(crate) struct Engine<'t> {
    pub(crate) encoding: Encoding<'t>,
    pub(crate) costs: Costs,
    pub(crate) initial: StateSet,
    pub(crate) goal: StateSet,
    /// Operators that cost nothing.
    pub(crate) free: Option<Partition>,
    /// The others, by cost.
    pub(crate) by_cost: BTreeMap<u64, Partition>,
}

/// Relations are merged up to this many nodes.
const RELATION_NODES: usize = 20_000;
/// Merging stops after this long; what is not merged then stays apart.
const MERGE_TIME: Duration = Duration::from_secs(10);

impl<'t> Engine<'t> {
    pub(crate) fn new(task: &'t Task, costs: Costs, seed: u64, budget: &Budget) -> Result<Engine<'t>, Limit> {
        let arrangement = Arrangement { seed, ..Arrangement::default() };
        let encoding = Encoding::new(task, &arrangement, budget)?;
        let cost = |op| costs.of(task, op);
        let mut by_cost = encoding.partitions(cost, RELATION_NODES, MERGE_TIME)?;
        let free = by_cost.remove(&0);
        let (initial, goal) = (encoding.initial()?, encoding.goal()?);
        Ok(Engine { encoding, costs, initial, goal, free, by_cost })
    }

    /// The least cost of an operator that costs anything.
    pub(crate) fn least_cost(&self) -> u64 {
        match &self.free {
            Some(_) => 0,
            None => self.by_cost.keys().next().copied().unwrap_or(0),
        }
    }
}
