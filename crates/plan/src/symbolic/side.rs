//! Uniform-cost search over sets of states, in one direction.
//!
//! Open sets are kept by cost in an ordered map, because costs may be huge and sparse. Operators that cost nothing
//! are followed to the end within a layer, one sublayer and one step after the other. A step that hits a limit changes
//! nothing, so it can be tried again, and most of its work is still in the cache then.

use std::collections::BTreeMap;

use counterplay_base::Limit;
use counterplay_symbolic::{Partition, Space, StateSet};

use super::engine::Steps;
use super::history::History;

/// Which way a side searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Backward,
}

/// One direction of a search.
pub(crate) struct Side<'e> {
    way: Way,
    space: &'e Space,
    steps: &'e Steps,
    /// Reached at this cost but not expanded; may overlap with `closed`.
    pub(crate) open: BTreeMap<u64, StateSet>,
    /// The layer that is being expanded.
    current: Option<Layer>,
    /// States from which nothing better can come than what is known; they are not expanded.
    pruned: Option<StateSet>,
    /// Everything expanded, and all of the current layer.
    pub(crate) closed: StateSet,
    /// Everything expanded, in order.
    pub(crate) history: History,
    /// The work of the last step, and the size of the set it expanded.
    last: Option<(u64, usize)>,
    /// At least this much work for the next step: an earlier try was cut off.
    at_least: u64,
}

/// States of one cost, as far as operators that cost nothing have led.
#[derive(Clone)]
struct Layer {
    cost: u64,
    states: StateSet,
    /// Those to which free operators have not yet been applied.
    newest: StateSet,
}

/// New states of one cost, as a step found them.
pub(crate) struct Reached {
    pub(crate) cost: u64,
    pub(crate) states: StateSet,
}

/// What a step computes before it changes anything.
enum Outcome {
    /// There are more states of the same cost.
    Wider { layer: Layer, closed: StateSet },
    /// The layer is complete, and its successors are known.
    Complete { reached: Vec<Reached>, open: Vec<(u64, StateSet)> },
}

impl<'e> Side<'e> {
    /// A search from sets that are there at a cost each.
    pub(crate) fn new(
        way: Way,
        space: &'e Space,
        steps: &'e Steps,
        start: BTreeMap<u64, StateSet>,
    ) -> Side<'e> {
        let open = start.into_iter().filter(|(_, states)| !states.is_empty()).collect();
        let (closed, history) = (space.none(), History::default());
        let (current, pruned) = (None, None);
        Side { way, space, steps, open, current, pruned, closed, history, last: None, at_least: 0 }
    }

    /// Takes note of states from which nothing better can come.
    pub(crate) fn prune(&mut self, pruned: Option<StateSet>) {
        self.pruned = pruned;
    }

    /// States of a set that are new and not pruned.
    fn fresh(&self, states: &StateSet) -> Result<StateSet, Limit> {
        let fresh = states.minus(&self.closed)?;
        match &self.pruned {
            Some(pruned) => fresh.minus(pruned),
            None => Ok(fresh),
        }
    }

    /// The cost of what is expanded next; `None` when everything is expanded.
    pub(crate) fn next_cost(&self) -> Option<u64> {
        let current = self.current.as_ref().map(|layer| layer.cost);
        current.or_else(|| self.open.keys().next().copied())
    }

    /// Diagram nodes of what is expanded next.
    pub(crate) fn next_nodes(&self) -> usize {
        match &self.current {
            Some(layer) if !layer.newest.is_empty() => layer.newest.nodes(),
            Some(layer) => layer.states.nodes(),
            None => self.open.values().next().map_or(0, StateSet::nodes),
        }
    }

    /// How many states are expanded next, roughly.
    pub(crate) fn next_count(&self) -> f64 {
        let next = match &self.current {
            Some(layer) => Some(&layer.newest),
            None => self.open.values().next(),
        };
        next.map_or(0.0, |states| self.space.count_about(states))
    }

    /// How much work the next step will be, by the last one and the sizes of both sets.
    pub(crate) fn estimate(&self) -> u64 {
        let nodes = self.next_nodes();
        let scaled = match self.last {
            None => 0,
            Some((work, before)) => {
                (work as f64 * (nodes as f64 / before.max(1) as f64).clamp(0.1, 1e6)) as u64
            }
        };
        scaled.max(self.at_least)
    }

    /// Takes one step, unless that is more than the allowed work: applies free operators once to the current layer, or
    /// the others when they lead nowhere new. Returns what is new, for meeting the other side.
    pub(crate) fn step(&mut self, allowed: u64) -> Result<Vec<Reached>, Limit> {
        let (before, nodes) = (self.space.work(), self.next_nodes());
        let outcome = self.space.with_allowance(allowed, || -> Result<Option<Outcome>, Limit> {
            self.begin()?;
            self.current.as_ref().map(|layer| self.expand(layer)).transpose()
        });
        let work = self.space.work() - before;
        let outcome = outcome.inspect_err(|_| self.at_least = work.saturating_mul(2))?;
        self.at_least = 0;
        self.last = Some((work, nodes));
        match outcome {
            None => Ok(Vec::new()),
            Some(Outcome::Wider { layer, closed }) => {
                self.history.push(layer.cost, layer.newest.clone());
                let reached = Reached { cost: layer.cost, states: layer.newest.clone() };
                self.closed = closed;
                self.current = Some(layer);
                Ok(vec![reached])
            }
            Some(Outcome::Complete { reached, open }) => {
                self.open.extend(open);
                self.current = None;
                Ok(reached)
            }
        }
    }

    /// Makes the cheapest open set the current layer, unless there is one.
    fn begin(&mut self) -> Result<(), Limit> {
        while self.current.is_none()
            && let Some((&cost, open)) = self.open.first_key_value()
        {
            let fresh = self.fresh(open)?;
            if !fresh.is_empty() {
                self.closed = self.closed.union(&fresh)?;
                self.history.push(cost, fresh.clone());
                self.current = Some(Layer { cost, states: fresh.clone(), newest: fresh });
            }
            self.open.remove(&cost);
        }
        Ok(())
    }

    fn expand(&self, layer: &Layer) -> Result<Outcome, Limit> {
        if let Some(free) = &self.steps.free
            && !layer.newest.is_empty()
        {
            let newest = self.fresh(&self.successors(free, &layer.newest)?)?;
            if !newest.is_empty() {
                let closed = self.closed.union(&newest)?;
                let states = layer.states.union(&newest)?;
                return Ok(Outcome::Wider { layer: Layer { cost: layer.cost, states, newest }, closed });
            }
        }
        let (mut reached, mut open) = (Vec::new(), Vec::new());
        for (&by, partition) in &self.steps.by_cost {
            let states = self.successors(partition, &layer.states)?.minus(&self.closed)?;
            if !states.is_empty() {
                let cost = layer.cost.saturating_add(by);
                let all =
                    self.open.get(&cost).map_or_else(|| Ok(states.clone()), |old| old.union(&states))?;
                open.push((cost, all));
                reached.push(Reached { cost, states });
            }
        }
        Ok(Outcome::Complete { reached, open })
    }

    fn successors(&self, by: &Partition, set: &StateSet) -> Result<StateSet, Limit> {
        match self.way {
            Way::Forward => by.image(self.space, set),
            Way::Backward => by.pre_image(self.space, set),
        }
    }
}
