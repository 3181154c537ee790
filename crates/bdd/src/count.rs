//! Sizes, counts and single assignments.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::edge::Edge;
use crate::store::{Store, TERMINAL};

impl Store {
    /// Number of nodes of a diagram, the terminal not counted.
    pub(crate) fn size(&self, roots: &[Edge]) -> usize {
        let mut seen = FxHashSet::default();
        let mut open: Vec<usize> = roots.iter().map(|edge| edge.node()).collect();
        while let Some(index) = open.pop() {
            if index > 1 && seen.insert(index) {
                open.push(self.nodes[index].low.node());
                open.push(self.nodes[index].high.node());
            }
        }
        seen.len()
    }

    /// The share of all assignments that satisfy a diagram.
    pub(crate) fn share(&self, edge: Edge, known: &mut FxHashMap<usize, f64>) -> f64 {
        let node = &self.nodes[edge.node()];
        let plain = if node.level == TERMINAL {
            1.0
        } else if let Some(&share) = known.get(&edge.node()) {
            share
        } else {
            let share = 0.5 * (self.share(node.low, known) + self.share(node.high, known));
            known.insert(edge.node(), share);
            share
        };
        if edge.is_complemented() { 1.0 - plain } else { plain }
    }

    /// The number of assignments to the levels in `counted` (sorted) that satisfy a diagram over them; `None`
    /// if it does not fit.
    pub(crate) fn count(&self, edge: Edge, counted: &[u32]) -> Option<u128> {
        let total = 1u128.checked_shl(counted.len() as u32).filter(|_| counted.len() < 127)?;
        Some(self.count_below(edge, 0, counted, total, &mut FxHashMap::default()))
    }

    /// Models over `counted[from..]`; `total` is the number of all assignments to those levels.
    fn count_below(
        &self,
        edge: Edge,
        from: usize,
        counted: &[u32],
        total: u128,
        known: &mut FxHashMap<usize, u128>,
    ) -> u128 {
        if edge == Edge::TRUE {
            return total;
        }
        if edge == Edge::FALSE {
            return 0;
        }
        let node = &self.nodes[edge.node()];
        let at = from + counted[from..].partition_point(|&level| level < node.level);
        let own_total = 1u128 << (counted.len() - at);
        let plain = match known.get(&edge.node()) {
            Some(&count) => count,
            None => {
                let low = self.count_below(node.low, at + 1, counted, own_total / 2, known);
                let high = self.count_below(node.high, at + 1, counted, own_total / 2, known);
                known.insert(edge.node(), low + high);
                low + high
            }
        };
        let models = if edge.is_complemented() { own_total - plain } else { plain };
        models << (at - from)
    }

    /// Levels and values on one path to true; `None` for the constant false.
    pub(crate) fn path(&self, mut edge: Edge) -> Option<Vec<(u32, bool)>> {
        if edge == Edge::FALSE {
            return None;
        }
        let mut path = Vec::new();
        while edge != Edge::TRUE {
            let level = self.level(edge);
            let (low, high) = self.split(edge, level);
            // The low branch first: a fixed rule, so that the same diagram always gives the same path.
            let value = low == Edge::FALSE;
            path.push((level, value));
            edge = if value { high } else { low };
        }
        Some(path)
    }

    /// The value of a diagram under an assignment by level.
    pub(crate) fn evaluate(&self, mut edge: Edge, value: impl Fn(u32) -> bool) -> bool {
        while !edge.is_constant() {
            let level = self.level(edge);
            let (low, high) = self.split(edge, level);
            edge = if value(level) { high } else { low };
        }
        edge == Edge::TRUE
    }
}
