//! Uniform-cost search over sets of states, in one direction.
//!
//! Open sets are kept by cost in an ordered map, because costs may be huge and sparse. A layer is all states of
//! one cost; operators that cost nothing make it a sequence of sublayers, which plan extraction walks back
//! without running in circles. A step that hits a limit changes nothing, so it can be tried again.

use std::collections::BTreeMap;

use counterplay_base::Limit;
use counterplay_symbolic::{Partition, StateSet};

use super::engine::{Engine, Steps};

/// Which way a side searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Backward,
}

/// One direction of a search.
pub(crate) struct Side {
    pub(crate) way: Way,
    /// Reached at this cost but not expanded; may overlap with `closed`.
    pub(crate) open: BTreeMap<u64, StateSet>,
    /// Everything expanded.
    pub(crate) closed: StateSet,
    /// Expanded states by cost: first those reached by operators that cost something, then, sublayer by
    /// sublayer, those reached by operators that cost nothing.
    pub(crate) layers: BTreeMap<u64, Vec<StateSet>>,
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

impl Side {
    pub(crate) fn new(engine: &Engine<'_>, way: Way) -> Side {
        let start = match way {
            Way::Forward => engine.initial.clone(),
            Way::Backward => engine.goal.clone(),
        };
        let open = if start.is_empty() { BTreeMap::new() } else { BTreeMap::from([(0, start)]) };
        let closed = engine.encoding.space.none();
        Side { way, open, closed, layers: BTreeMap::new(), last: None, at_least: 0 }
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
    pub(crate) fn step(&mut self, engine: &Engine<'_>, allowed: u64) -> Result<Vec<Reached>, Limit> {
        let space = &engine.encoding.space;
        let before = space.work();
        let outcome = space.with_allowance(allowed, || self.try_step(engine));
        let work = space.work() - before;
        match &outcome {
            Ok((nodes, _)) => {
                self.last = Some((work, *nodes));
                self.at_least = 0;
            }
            Err(_) => self.at_least = work.saturating_mul(2),
        }
        outcome.map(|(_, reached)| reached)
    }

    fn try_step(&mut self, engine: &Engine<'_>) -> Result<(usize, Vec<Reached>), Limit> {
        let Some((&cost, open)) = self.open.first_key_value() else { return Ok((0, Vec::new())) };
        let fresh = open.minus(&self.closed)?;
        let nodes = fresh.nodes();
        let mut reached = Vec::new();
        let (mut sublayers, mut closed) = (Vec::new(), self.closed.clone());
        let mut layer = fresh.clone();
        let mut newest = fresh;
        while !newest.is_empty() {
            closed = closed.union(&newest)?;
            sublayers.push(newest.clone());
            let Some(free) = &self.steps(engine).free else { break };
            newest = self.successors(engine, free, &newest)?.minus(&closed)?;
            if !newest.is_empty() {
                layer = layer.union(&newest)?;
                reached.push(Reached { cost, states: newest.clone() });
            }
        }
        if !sublayers.is_empty() {
            for (&by, partition) in &self.steps(engine).by_cost {
                let states = self.successors(engine, partition, &layer)?.minus(&closed)?;
                if !states.is_empty() {
                    reached.push(Reached { cost: cost.saturating_add(by), states });
                }
            }
        }
        self.commit(cost, sublayers, closed, &reached)?;
        Ok((nodes, reached))
    }

    /// Takes over the results of a step that went through.
    fn commit(
        &mut self,
        cost: u64,
        sublayers: Vec<StateSet>,
        closed: StateSet,
        reached: &[Reached],
    ) -> Result<(), Limit> {
        let mut grown = Vec::new();
        for Reached { cost: at, states } in reached.iter().filter(|reached| reached.cost > cost) {
            let all = match self.open.get(at) {
                Some(open) => open.union(states)?,
                None => states.clone(),
            };
            grown.push((*at, all));
        }
        self.open.extend(grown);
        self.open.remove(&cost);
        self.closed = closed;
        if !sublayers.is_empty() {
            self.layers.insert(cost, sublayers);
        }
        Ok(())
    }

    fn steps<'e>(&self, engine: &'e Engine<'_>) -> &'e Steps {
        match self.way {
            Way::Forward => &engine.forward,
            Way::Backward => &engine.backward,
        }
    }

    fn successors(&self, engine: &Engine<'_>, by: &Partition, set: &StateSet) -> Result<StateSet, Limit> {
        let space = &engine.encoding.space;
        match self.way {
            Way::Forward => by.image(space, set),
            Way::Backward => by.pre_image(space, set),
        }
    }
}
