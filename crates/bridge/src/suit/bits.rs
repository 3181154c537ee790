//! Sets of layouts, and collections of them in which none contains another.

/// A set of at most 192 layouts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Bits([u64; 3]);

impl Bits {
    /// The most layouts a set can hold.
    pub(super) const CAPACITY: usize = 192;

    pub(super) fn with(mut self, at: usize) -> Bits {
        self.0[at / 64] |= 1 << (at % 64);
        self
    }

    pub(super) fn has(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    pub(super) fn and(self, other: Bits) -> Bits {
        Bits([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    pub(super) fn or(self, other: Bits) -> Bits {
        Bits([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    pub(super) fn minus(self, other: Bits) -> Bits {
        Bits([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == [0; 3]
    }

    pub(super) fn contains(self, other: Bits) -> bool {
        other.minus(self).is_empty()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..Bits::CAPACITY).filter(move |&at| self.has(at))
    }
}

/// Sets none of which contains another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParetoFront(Vec<Bits>);

impl ParetoFront {
    pub(super) fn of(bits: Bits) -> ParetoFront {
        ParetoFront(vec![bits])
    }

    pub(super) fn empty() -> ParetoFront {
        ParetoFront(Vec::new())
    }

    pub(super) fn sets(&self) -> &[Bits] {
        &self.0
    }

    /// Adds a set unless one that is there contains it; drops those that it contains.
    pub(super) fn add(&mut self, bits: Bits) {
        if self.0.iter().any(|known| known.contains(bits)) {
            return;
        }
        self.0.retain(|known| !bits.contains(*known));
        self.0.push(bits);
    }

    /// Whether some set contains `bits`.
    pub(super) fn covers(&self, bits: Bits) -> bool {
        self.0.iter().any(|known| known.contains(bits))
    }

    /// Every union of a set of `self` with one of `other`, restricted to what both allow: the layouts of `domain` may
    /// be lost where the other's set does not have them.
    pub(super) fn meet(&self, other: &ParetoFront, domain: Bits) -> ParetoFront {
        let mut met = ParetoFront::empty();
        for &one in &self.0 {
            for &two in &other.0 {
                met.add(one.minus(domain).or(one.and(two)));
            }
        }
        met
    }
}
