//! Garbage collection: mark what handles outside can reach, free the rest.
//!
//! It runs only between operations, so the recursions need to protect nothing.

use crate::store::Store;

/// A collection is due when the table has grown to this many times what the last one left.
const GROWTH: usize = 2;
const LEAST: usize = 1 << 17;

impl Store {
    /// Collects if enough nodes were made since the last time.
    pub(crate) fn collect_if_due(&mut self) {
        if self.used >= self.collect_at {
            self.collect();
        }
    }

    /// Frees all nodes that no handle reaches.
    pub(crate) fn collect(&mut self) {
        let mut marked = vec![0u64; self.nodes.len().div_ceil(64)];
        marked[0] |= 0b11;
        let mut open: Vec<u32> = self.roots.keys().copied().collect();
        while let Some(index) = open.pop() {
            let (word, bit) = (index as usize / 64, 1u64 << (index % 64));
            if marked[word] & bit == 0 {
                marked[word] |= bit;
                let node = &self.nodes[index as usize];
                open.push(node.low.node() as u32);
                open.push(node.high.node() as u32);
            }
        }
        let is_marked = |index: usize| marked[index / 64] >> (index % 64) & 1 == 1;
        self.sweep(is_marked);
        self.cache.retain(is_marked);
        self.collect_at = (self.used * GROWTH).max(LEAST);
    }
}
