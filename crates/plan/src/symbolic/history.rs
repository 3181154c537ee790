//! What a search has expanded, in order: all that plan extraction needs.

use std::collections::BTreeMap;

use counterplay_symbolic::StateSet;

/// Expanded sets by cost, each with its place in the order of expansion. A state is in at most one of them, and it
/// was reached from a set of an earlier place.
#[derive(Default)]
pub(crate) struct History {
    by_cost: BTreeMap<u64, Vec<Expanded>>,
    len: usize,
}

/// A set that was expanded.
pub(crate) struct Expanded {
    pub(crate) place: usize,
    pub(crate) states: StateSet,
}

impl History {
    /// Adds the set expanded last.
    pub(crate) fn push(&mut self, cost: u64, states: StateSet) {
        self.by_cost.entry(cost).or_default().push(Expanded { place: self.len, states });
        self.len += 1;
    }

    /// The sets of one cost, in order.
    pub(crate) fn at(&self, cost: u64) -> &[Expanded] {
        self.by_cost.get(&cost).map_or(&[], Vec::as_slice)
    }

    /// All sets by cost, cheapest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Expanded)> {
        self.by_cost.iter().flat_map(|(&cost, sets)| sets.iter().map(move |set| (cost, set)))
    }
}
