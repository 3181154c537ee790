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

    /// A function that agrees with `f` wherever `care` holds, and is free elsewhere in order to be small (the
    /// restrict operator of Coudert and Madre 1990).
    pub(crate) fn simplify(&mut self, f: Edge, care: Edge) -> Option<Edge> {
        if f.is_constant() || care == Edge::TRUE {
            return Some(f);
        }
        if care == Edge::FALSE || f == care.complement() {
            return Some(Edge::FALSE);
        }
        if f == care {
            return Some(Edge::TRUE);
        }
        // Complements move out, which halves what has to be remembered.
        let flip = f.is_complemented();
        let f = f.complement_if(flip);
        let key = Key { first: f.raw(), second: care.raw(), third: 3 };
        if let Some(known) = self.cache.get(key) {
            return Some(known.complement_if(flip));
        }
        let (own, other) = (self.level(f), self.level(care));
        let result = if other < own {
            let (c0, c1) = self.split(care, other);
            let either = self.or(c0, c1)?;
            self.simplify(f, either)?
        } else {
            let (f0, f1) = self.split(f, own);
            let (c0, c1) = self.split(care, own);
            if c0 == Edge::FALSE {
                self.simplify(f1, c1)?
            } else if c1 == Edge::FALSE {
                self.simplify(f0, c0)?
            } else {
                let low = self.simplify(f0, c0)?;
                let high = self.simplify(f1, c1)?;
                self.make(own, low, high)?
            }
        };
        self.cache.put(key, result);
        Some(result.complement_if(flip))
    }
}
