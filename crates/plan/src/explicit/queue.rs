//! A queue of facts by cost, for explorations in order of cost.
//!
//! A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990): costs that are taken out never fall, so an entry need
//! only be sorted as finely as it differs from the last one taken. With small costs it behaves like an array of
//! buckets, with huge ones it still takes a few steps per entry.

use super::relaxed::FactId;

/// A monotone queue: nothing may be put in below the cost taken out last.
#[derive(Debug)]
pub(super) struct CostQueue {
    /// Bucket 0 holds entries of cost `last`; bucket `b` those whose highest bit unlike `last` is bit `b - 1`.
    buckets: [Vec<(u32, FactId)>; 33],
    /// Which buckets hold something.
    filled: u64,
    last: u32,
}

impl CostQueue {
    pub(super) fn new() -> CostQueue {
        CostQueue { buckets: std::array::from_fn(|_| Vec::new()), filled: 0, last: 0 }
    }

    /// Empties the queue; any cost may be put in again.
    pub(super) fn clear(&mut self) {
        while self.filled != 0 {
            self.buckets[self.filled.trailing_zeros() as usize].clear();
            self.filled &= self.filled - 1;
        }
        self.last = 0;
    }

    /// Puts in a fact.
    #[inline]
    pub(super) fn push(&mut self, cost: u32, fact: FactId) {
        debug_assert!(cost >= self.last);
        let bucket = u32::BITS - (cost ^ self.last).leading_zeros();
        self.filled |= 1 << bucket;
        self.buckets[bucket as usize].push((cost, fact));
    }

    /// Takes out a fact of least cost.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(u32, FactId)> {
        if self.filled & 1 == 0 {
            if self.filled == 0 {
                return None;
            }
            self.spread();
        }
        let entry = self.buckets[0].pop();
        if self.buckets[0].is_empty() {
            self.filled &= !1;
        }
        entry
    }

    /// Makes the least cost the last one and sorts its bucket again; some of it arrives in bucket 0.
    #[cold]
    fn spread(&mut self) {
        let bucket = self.filled.trailing_zeros() as usize;
        self.filled &= !(1 << bucket);
        let mut entries = std::mem::take(&mut self.buckets[bucket]);
        self.last = entries.iter().map(|&(cost, _)| cost).min().unwrap_or(self.last);
        for (cost, fact) in entries.drain(..) {
            self.push(cost, fact);
        }
        self.buckets[bucket] = entries;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    #[test]
    fn costs_come_out_in_order() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut queue = CostQueue::new();
        for most in [1u32, 3, 100, 1 << 20, u32::MAX / 64] {
            queue.clear();
            let mut twin: BTreeMap<u32, usize> = BTreeMap::new();
            let mut last = 0u32;
            for _ in 0..10_000 {
                if rng.random_ratio(3, 5) {
                    let cost = last.saturating_add(rng.random_range(0..=most)).min(u32::MAX / 2);
                    queue.push(cost, FactId::GOAL);
                    *twin.entry(cost).or_default() += 1;
                } else {
                    let least = twin.keys().next().copied();
                    assert_eq!(queue.pop(), least.map(|cost| (cost, FactId::GOAL)));
                    if let Some(cost) = least {
                        last = cost;
                        *twin.entry(cost).or_default() -= 1;
                        twin.retain(|_, count| *count > 0);
                    }
                }
            }
        }
    }
}
