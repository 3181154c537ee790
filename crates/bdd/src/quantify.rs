//! Quantification over the variables of a cube.

use crate::cache::Key;
use crate::edge::Edge;
use crate::store::Store;

impl Store {
    /// The cube without its levels above `level`.
    #[inline]
    pub(crate) fn skip_above(&self, mut cube: Edge, level: u32) -> Edge {
        while self.level(cube) < level {
            cube = self.nodes[cube.node()].high;
        }
        cube
    }

    /// For some values of the variables of `cube` (a conjunction of positive literals).
    pub(crate) fn exists(&mut self, f: Edge, cube: Edge) -> Option<Edge> {
        if f.is_constant() {
            return Some(f);
        }
        let level = self.level(f);
        let cube = self.skip_above(cube, level);
        if cube == Edge::TRUE {
            return Some(f);
        }
        let key = Key { first: f.raw(), second: 0, third: cube.raw() };
        if let Some(known) = self.cache.get(key) {
            return Some(known);
        }
        let (f0, f1) = self.split(f, level);
        let result = if self.level(cube) == level {
            let rest = self.nodes[cube.node()].high;
            let low = self.exists(f0, rest)?;
            if low == Edge::TRUE {
                low
            } else {
                let high = self.exists(f1, rest)?;
                self.or(low, high)?
            }
        } else {
            let low = self.exists(f0, cube)?;
            let high = self.exists(f1, cube)?;
            self.make(level, low, high)?
        };
        self.cache.put(key, result);
        Some(result)
    }
}
