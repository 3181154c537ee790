//! Image and pre-image in one recursion.
//!
//! Levels come in pairs: `2i` is bit `i` now, `2i + 1` the same bit next. A set lives on even levels only. A
//! relation reads even levels and, for the bits in its cube of changed bits, writes odd ones; bits outside the
//! cube keep their value, so the relation need not say so. Because a changed bit is decided, quantified and
//! renamed at one place of the recursion, no diagram over both copies of the result is ever built.

use crate::cache::Key;
use crate::edge::Edge;
use crate::store::Store;

impl Store {
    /// The states that `relation` leads to from `set`. `changed` is a cube of even levels.
    pub(crate) fn image(&mut self, set: Edge, relation: Edge, changed: Edge, same: Edge) -> Option<Edge> {
        self.follow::<true>(set, relation, changed, same)
    }

    /// The states from which `relation` may lead into `set`. `changed` is a cube of even levels.
    pub(crate) fn pre_image(&mut self, set: Edge, relation: Edge, changed: Edge, same: Edge) -> Option<Edge> {
        self.follow::<false>(set, relation, changed, same)
    }

    fn follow<const FORTH: bool>(
        &mut self,
        set: Edge,
        relation: Edge,
        mut changed: Edge,
        mut same: Edge,
    ) -> Option<Edge> {
        if set == Edge::FALSE || relation == Edge::FALSE {
            return Some(Edge::FALSE);
        }
        // The move is made: what is left of the relation keeps everything below.
        if relation == same {
            return Some(set);
        }
        let pair = (self.level(set) & !1).min(self.level(relation) & !1);
        while self.level(changed) < pair {
            changed = self.nodes[changed.node()].high;
            same = self.both_on(same);
        }
        if changed == Edge::TRUE {
            return self.and(set, relation);
        }
        if relation == Edge::TRUE {
            return self.exists(set, changed);
        }
        // A cube is never complemented, which leaves a bit to tell the two ways apart.
        let key = Key { first: set.raw(), second: relation.raw(), third: changed.raw() | !FORTH as u32 };
        if let Some(known) = self.cache.get(key) {
            return Some(known);
        }
        let (s0, s1) = self.split(set, pair);
        let (r0, r1) = self.split(relation, pair);
        let (low, high) = if self.level(changed) == pair {
            let rest = self.nodes[changed.node()].high;
            let same = self.both_on(same);
            let (r00, r01) = self.split(r0, pair + 1);
            let (r10, r11) = self.split(r1, pair + 1);
            // The set restricts the current bit on the way forth, and the next bit on the way back.
            let [to_low, to_high] = if FORTH { [(r00, r10), (r01, r11)] } else { [(r00, r01), (r10, r11)] };
            (
                self.follow_either::<FORTH>(s0, to_low.0, s1, to_low.1, rest, same)?,
                self.follow_either::<FORTH>(s0, to_high.0, s1, to_high.1, rest, same)?,
            )
        } else {
            (self.follow::<FORTH>(s0, r0, changed, same)?, self.follow::<FORTH>(s1, r1, changed, same)?)
        };
        let result = self.make(pair, low, high)?;
        self.cache.put(key, result);
        Some(result)
    }

    #[inline]
    fn follow_either<const FORTH: bool>(
        &mut self,
        s0: Edge,
        r0: Edge,
        s1: Edge,
        r1: Edge,
        changed: Edge,
        same: Edge,
    ) -> Option<Edge> {
        let first = self.follow::<FORTH>(s0, r0, changed, same)?;
        if first == Edge::TRUE {
            return Some(first);
        }
        let second = self.follow::<FORTH>(s1, r1, changed, same)?;
        self.or(first, second)
    }

    /// What equalities of bits say below their first bit, when that is on now and next.
    #[inline]
    fn both_on(&self, same: Edge) -> Edge {
        let pair = self.level(same);
        let on = self.split(same, pair).1;
        self.split(on, pair + 1).1
    }
}
