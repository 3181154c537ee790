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

    /// The number of assignments to the levels in `counted` (sorted) that satisfy two diagrams over them; `None`
    /// if it does not fit.
    pub(crate) fn count(&self, edge: Edge, within: Edge, counted: &[u32]) -> Option<u128> {
        Counter { store: self, counted, known: FxHashMap::default() }.count(edge, within, 0)
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

/// Counts models. Remembers counts by edge and not by node: no count of a part is then greater than that of the
/// whole, and so fits if the whole does, however many levels there are.
struct Counter<'s> {
    store: &'s Store,
    counted: &'s [u32],
    known: FxHashMap<(Edge, Edge), u128>,
}

impl Counter<'_> {
    /// Models of both over `counted[from..]`.
    fn count(&mut self, f: Edge, g: Edge, from: usize) -> Option<u128> {
        if f == Edge::FALSE || g == Edge::FALSE || f == g.complement() {
            return Some(0);
        }
        let level = self.store.level(f).min(self.store.level(g));
        let at = from + self.counted[from..].partition_point(|&counted| counted < level);
        let models = if level == TERMINAL {
            1
        } else if let Some(&models) = self.known.get(&(f, g)) {
            models
        } else {
            let (f0, f1) = self.store.split(f, level);
            let (g0, g1) = self.store.split(g, level);
            let models = self.count(f0, g0, at + 1)?.checked_add(self.count(f1, g1, at + 1)?)?;
            self.known.insert((f, g), models);
            models
        };
        if models == 0 { Some(0) } else { models.checked_mul(1u128.checked_shl((at - from) as u32)?) }
    }
}
