//! Conjunction and equivalence; everything else follows by complement.

use crate::cache::Key;
use crate::edge::Edge;
use crate::store::Store;

impl Store {
    /// Conjunction.
    pub(crate) fn and(&mut self, f: Edge, g: Edge) -> Option<Edge> {
        if f == g || g == Edge::TRUE {
            return Some(f);
        }
        if f == Edge::TRUE {
            return Some(g);
        }
        if f == Edge::FALSE || g == Edge::FALSE || f == g.complement() {
            return Some(Edge::FALSE);
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let key = Key { first: f.raw(), second: g.raw(), third: 0 };
        if let Some(known) = self.cache.get(key) {
            return Some(known);
        }
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let low = self.and(f0, g0)?;
        let high = self.and(f1, g1)?;
        let result = self.make(level, low, high)?;
        self.cache.put(key, result);
        Some(result)
    }

    /// Disjunction.
    #[inline]
    pub(crate) fn or(&mut self, f: Edge, g: Edge) -> Option<Edge> {
        self.and(f.complement(), g.complement()).map(Edge::complement)
    }

    /// Exactly one of them.
    pub(crate) fn xor(&mut self, f: Edge, g: Edge) -> Option<Edge> {
        // Complements move out: xor(¬f, g) = ¬xor(f, g).
        let flip = f.is_complemented() != g.is_complemented();
        let (f, g) = (f.complement_if(f.is_complemented()), g.complement_if(g.is_complemented()));
        if f == g {
            return Some(Edge::FALSE.complement_if(flip));
        }
        if f == Edge::TRUE {
            return Some(g.complement_if(!flip));
        }
        if g == Edge::TRUE {
            return Some(f.complement_if(!flip));
        }
        let (f, g) = if f < g { (f, g) } else { (g, f) };
        let key = Key { first: f.raw(), second: g.raw(), third: 1 };
        if let Some(known) = self.cache.get(key) {
            return Some(known.complement_if(flip));
        }
        let level = self.level(f).min(self.level(g));
        let (f0, f1) = self.split(f, level);
        let (g0, g1) = self.split(g, level);
        let low = self.xor(f0, g0)?;
        let high = self.xor(f1, g1)?;
        let result = self.make(level, low, high)?;
        self.cache.put(key, result);
        Some(result.complement_if(flip))
    }
}
