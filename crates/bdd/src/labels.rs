//! Diagrams with labels: what lies below a level is the label of what lies above.
//!
//! A function from states to a few labels is one diagram, if each label is a function of its own over bits below those
//! of the states. It is much smaller than a diagram for each label, and what is done to it is done to all at once.

use counterplay_base::Limit;
use rustc_hash::FxHashMap;

use crate::edge::Edge;
use crate::manager::{Bdd, Manager};
use crate::store::Store;

impl Manager {
    /// Puts other labels in the place of those that a diagram has from `level` on. Labels that are not named stay.
    pub fn relabel(&self, bdd: &Bdd, level: u32, labels: &[(&Bdd, &Bdd)]) -> Result<Bdd, Limit> {
        let labels: FxHashMap<Edge, Edge> = labels.iter().map(|(from, to)| (from.edge, to.edge)).collect();
        self.run(|store| store.relabel(bdd.edge, level, &mut labels.clone()))
    }

    /// How many assignments to `levels` (ascending, all of them above `level`) lead to each of the labels, among those
    /// that satisfy `within`; `None` if a number does not fit.
    pub fn count_labels(
        &self,
        bdd: &Bdd,
        level: u32,
        labels: &[&Bdd],
        within: &Bdd,
        levels: &[u32],
    ) -> Option<Vec<u128>> {
        let known = self.0.borrow().count_labels(bdd.edge, level, within.edge, levels)?;
        Some(labels.iter().map(|label| known.get(&label.edge).copied().unwrap_or(0)).collect())
    }
}

impl Store {
    /// `known` has the new labels, and on the way whatever was changed.
    fn relabel(&mut self, edge: Edge, level: u32, known: &mut FxHashMap<Edge, Edge>) -> Option<Edge> {
        if let Some(&known) = known.get(&edge) {
            return Some(known);
        }
        let own = self.level(edge);
        if own >= level {
            return Some(edge);
        }
        let (low, high) = self.split(edge, own);
        let low = self.relabel(low, level, known)?;
        let high = self.relabel(high, level, known)?;
        let result = self.make(own, low, high)?;
        known.insert(edge, result);
        Some(result)
    }

    /// Numbers of assignments go down from the root, level by level.
    fn count_labels(
        &self,
        edge: Edge,
        label: u32,
        within: Edge,
        counted: &[u32],
    ) -> Option<FxHashMap<Edge, u128>> {
        let place = |edge: Edge| match self.level(edge) {
            level if level >= label => counted.len(),
            level => counted.partition_point(|&own| own < level),
        };
        let both = |f: Edge, g: Edge| place(f).min(place(g));
        let mut open: Vec<FxHashMap<(Edge, Edge), u128>> = vec![FxHashMap::default(); counted.len() + 1];
        let first = both(edge, within);
        open[first].insert((edge, within), 1u128.checked_shl(first as u32)?);
        for at in 0..counted.len() {
            for ((f, g), ways) in std::mem::take(&mut open[at]) {
                let (f0, f1) = self.split(f, counted[at]);
                let (g0, g1) = self.split(g, counted[at]);
                for (f, g) in [(f0, g0), (f1, g1)] {
                    if f == Edge::FALSE || g == Edge::FALSE {
                        continue;
                    }
                    let next = both(f, g);
                    let skipped = 1u128.checked_shl((next - at - 1) as u32)?;
                    let sum = open[next].entry((f, g)).or_insert(0);
                    *sum = sum.checked_add(ways.checked_mul(skipped)?)?;
                }
            }
        }
        let last = open.pop().expect("one more than levels");
        Some(last.into_iter().map(|((label, _), ways)| (label, ways)).collect())
    }
}
