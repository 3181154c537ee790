//! Uniform-cost search over sets of states, in one direction.
//!
//! Open sets are kept by cost in an ordered map, because costs may be huge and sparse. Operators that cost nothing
//! are followed to the end within a layer, one sublayer after the other. A step that hits a limit changes nothing,
//! so it can be tried again, and most of its work is still in the cache then.

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
    /// Everything expanded.
    pub(crate) closed: StateSet,
    /// Everything expanded, in order.
    pub(crate) history: History,
    /// The work of the last step, and the size of the set it expanded.
    last: Option<(u64, usize)>,
    /// At least this much work for the next step: an earlier try was cut off.
    at_least: u64,
}

/// New states of one cost, as a step found them.
pub(crate) struct Reached {
    pub(crate) cost: u64,
    pub(crate) states: StateSet,
}

/// What a step computes before it changes anything.
struct Outcome {
    expanded: usize,
    sublayers: Vec<StateSet>,
    closed: StateSet,
    reached: Vec<Reached>,
    open: Vec<(u64, StateSet)>,
}

impl<'e> Side<'e> {
    /// A search from sets that are there at a cost each.
    pub(crate) fn new(way: Way, space: &'e Space, steps: &'e Steps, start: BTreeMap<u64, StateSet>) -> Side<'e> {
        let open = start.into_iter().filter(|(_, states)| !states.is_empty()).collect();
        let (closed, history) = (space.none(), History::default());
        Side { way, space, steps, open, closed, history, last: None, at_least: 0 }
    }

    /// The cost of the next layer to expand; `None` when everything is expanded.
    pub(crate) fn next_cost(&self) -> Option<u64> {
        self.open.keys().next().copied()
    }

    /// How much work the next step will be, by the last one and the sizes of both sets.
    pub(crate) fn estimate(&self) -> u64 {
        let nodes = self.open.values().next().map_or(0, StateSet::nodes);
        let scaled = match self.last {
            None => 0,
            Some((work, before)) => {
                (work as f64 * (nodes as f64 / before.max(1) as f64).clamp(0.1, 1e6)) as u64
            }
        };
        scaled.max(self.at_least)
    }

    /// Expands the cheapest open set, unless that is more than the allowed work. Returns what is new, for meeting
    /// the other side.
    pub(crate) fn step(&mut self, allowed: u64) -> Result<Vec<Reached>, Limit> {
        let Some((&cost, open)) = self.open.first_key_value() else { return Ok(Vec::new()) };
        let before = self.space.work();
        let outcome = self.space.with_allowance(allowed, || self.expand(cost, open));
        let work = self.space.work() - before;
        match outcome {
            Ok(outcome) => {
                self.last = Some((work, outcome.expanded));
                self.at_least = 0;
                self.open.extend(outcome.open);
                self.open.remove(&cost);
                self.closed = outcome.closed;
                outcome.sublayers.into_iter().for_each(|states| self.history.push(cost, states));
                Ok(outcome.reached)
            }
            Err(limit) => {
                self.at_least = work.saturating_mul(2);
                Err(limit)
            }
        }
    }

    fn expand(&self, cost: u64, open: &StateSet) -> Result<Outcome, Limit> {
        let fresh = open.minus(&self.closed)?;
        let expanded = fresh.nodes();
        let mut closed = self.closed.clone();
        let (mut sublayers, mut reached) = (Vec::new(), Vec::new());
        let (mut layer, mut newest) = (fresh.clone(), fresh);
        while !newest.is_empty() {
            closed = closed.union(&newest)?;
            sublayers.push(newest.clone());
            let Some(free) = &self.steps.free else { break };
            newest = self.successors(free, &newest)?.minus(&closed)?;
            if !newest.is_empty() {
                layer = layer.union(&newest)?;
                reached.push(Reached { cost, states: newest.clone() });
            }
        }
        let mut open = Vec::new();
        for (&by, partition) in self.steps.by_cost.iter().filter(|_| !layer.is_empty()) {
            let states = self.successors(partition, &layer)?.minus(&closed)?;
            if !states.is_empty() {
                let cost = cost.saturating_add(by);
                open.push((
                    cost,
                    self.open.get(&cost).map_or_else(|| Ok(states.clone()), |old| old.union(&states))?,
                ));
                reached.push(Reached { cost, states });
            }
        }
        Ok(Outcome { expanded, sublayers, closed, reached, open })
    }

    fn successors(&self, by: &Partition, set: &StateSet) -> Result<StateSet, Limit> {
        match self.way {
            Way::Forward => by.image(self.space, set),
            Way::Backward => by.pre_image(self.space, set),
        }
    }
}
