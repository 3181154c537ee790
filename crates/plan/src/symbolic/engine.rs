//! A task ready for symbolic search.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::{Encoding, OrderSearch, Partition, Space, StateSet, causal_graph};
use counterplay_task::{OpId, Task, VarId};

use super::soft;

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

/// Operators merged by cost.
pub(crate) struct Steps {
    /// Those that cost nothing.
    pub(crate) free: Option<Partition>,
    /// The others.
    pub(crate) by_cost: BTreeMap<u64, Partition>,
}

/// The task as diagrams.
pub(crate) struct Engine<'t> {
    pub(crate) encoding: Encoding<'t>,
    pub(crate) costs: Costs,
    pub(crate) initial: StateSet,
    /// Goal states by what the soft goals that they violate cost.
    pub(crate) goals: BTreeMap<u64, StateSet>,
    /// States by what they are sure to violate at the end: those that are sure to pay at least so much.
    lost: BTreeMap<u64, StateSet>,
    /// For images.
    pub(crate) forward: Steps,
    /// For pre-images: held to the mutexes.
    pub(crate) backward: Steps,
}

/// Relations are merged up to this many nodes.
const RELATION_NODES: usize = 20_000;
/// Work allowed for merging in each direction; what is not merged then stays apart.
const MERGE_WORK: u64 = 3_000_000;

impl<'t> Engine<'t> {
    pub(crate) fn new(task: &'t Task, costs: Costs, seed: u64, budget: &Budget) -> Result<Engine<'t>, Limit> {
        let arrangement = OrderSearch { seed, ..OrderSearch::default() };
        Engine::with_order(task, costs, &arrangement.order(&causal_graph(task)), budget)
    }

    /// The task laid out in the given order of its variables.
    pub(crate) fn with_order(
        task: &'t Task,
        costs: Costs,
        order: &[VarId],
        budget: &Budget,
    ) -> Result<Engine<'t>, Limit> {
        let encoding = Encoding::with_order(task, order, budget)?;
        let cost = |op| costs.of(task, op);
        let steps = |mut by_cost: BTreeMap<u64, Partition>| Steps { free: by_cost.remove(&0), by_cost };
        let forward =
            steps(encoding.partitions(cost, |op| encoding.relation(op), RELATION_NODES, MERGE_WORK)?);
        let backward = steps(encoding.partitions(
            cost,
            |op| encoding.backward_relation(op),
            RELATION_NODES,
            MERGE_WORK,
        )?);
        let (initial, goals) = (encoding.initial()?, soft::layers(&encoding)?);
        let lost = soft::lost(&encoding)?;
        Ok(Engine { encoding, costs, initial, goals, lost, forward, backward })
    }

    /// The space all sets of this engine live in.
    pub(crate) fn space(&self) -> &Space {
        &self.encoding.space
    }

    /// The goal states that violate nothing.
    pub(crate) fn goal(&self) -> StateSet {
        self.goals.get(&0).cloned().unwrap_or_else(|| self.space().none())
    }

    /// States that are sure to pay at least this much for soft goals; those that were found.
    pub(crate) fn lost_at(&self, cost: u64) -> Option<&StateSet> {
        self.lost.range(cost..).next().map(|(_, states)| states)
    }

    /// The least cost of an operator.
    pub(crate) fn least_cost(&self) -> u64 {
        match &self.forward.free {
            Some(_) => 0,
            None => self.forward.by_cost.keys().next().copied().unwrap_or(0),
        }
    }
}
