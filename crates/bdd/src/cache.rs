//! The computed cache: results of operations, forgotten when their place is needed.
//!
//! Direct-mapped. It grows with the node table, since a cache much smaller than the diagrams at hand does not
//! slow an operation down gradually but makes it exponential.

use crate::edge::Edge;

#[derive(Clone, Copy)]
struct Entry {
    first: u32,
    second: u32,
    third: u32,
    result: u32,
}

/// What is computed: up to three operands. Operations tell themselves apart by the operands they use.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) first: u32,
    pub(crate) second: u32,
    pub(crate) third: u32,
}

pub(crate) struct Cache {
    entries: Vec<Entry>,
    shift: u32,
}

/// An entry whose key no operation uses: operands are never all zero.
const EMPTY: Entry = Entry { first: 0, second: 0, third: 0, result: 0 };

impl Cache {
    pub(crate) fn new(log_size: u32) -> Cache {
        Cache { entries: vec![EMPTY; 1 << log_size], shift: 64 - log_size }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) const fn bytes(log_size: u32) -> usize {
        std::mem::size_of::<Entry>() << log_size
    }

    #[inline]
    fn slot(&self, key: Key) -> usize {
        let low = (key.first as u64) | ((key.second as u64) << 32);
        let mixed =
            low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (key.third as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> self.shift) as usize
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Edge> {
        let entry = &self.entries[self.slot(key)];
        (entry.first == key.first && entry.second == key.second && entry.third == key.third)
            .then(|| Edge::from_raw(entry.result))
    }

    #[inline]
    pub(crate) fn put(&mut self, key: Key, result: Edge) {
        let slot = self.slot(key);
        self.entries[slot] =
            Entry { first: key.first, second: key.second, third: key.third, result: result.raw() };
    }

    /// Doubles the cache and keeps what it knows.
    pub(crate) fn grow(&mut self) {
        let log_size = 64 - self.shift + 1;
        let old = std::mem::replace(self, Cache::new(log_size));
        for entry in old.entries {
            if entry.result != 0 {
                let key = Key { first: entry.first, second: entry.second, third: entry.third };
                self.put(key, Edge::from_raw(entry.result));
            }
        }
    }

    /// Halves the cache. It forgets everything: the memory is wanted now, and keeping half would need both caches at once.
    pub(crate) fn shrink(&mut self) {
        let log_size = 64 - self.shift - 1;
        self.entries = Vec::new();
        *self = Cache::new(log_size);
    }

    /// Forgets every result that mentions a node which `is_live` denies.
    pub(crate) fn retain(&mut self, is_live: impl Fn(usize) -> bool) {
        let live = |operand: u32| operand < 4 || is_live((operand >> 1) as usize);
        for entry in &mut self.entries {
            if entry.result != 0
                && !(live(entry.first) && live(entry.second) && live(entry.third) && live(entry.result))
            {
                *entry = EMPTY;
            }
        }
    }
}
