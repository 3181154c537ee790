//! What tables take when they grow, to be asked of a budget before they do.

use std::collections::{HashMap, HashSet};

use crate::ids::IdVec;

/// A table that grows by doubling.
pub trait Growth {
    /// Bytes of the larger table that `ahead` more entries would make necessary; 0 if they fit as it is.
    ///
    /// ```
    /// use counterplay_base::Growth;
    ///
    /// let mut table: Vec<u64> = Vec::with_capacity(100);
    /// assert_eq!(table.growth(100), 0);
    /// table.push(1);
    /// assert_eq!(table.growth(100), 2 * 100 * 8);
    /// ```
    fn growth(&self, ahead: usize) -> usize;
}

fn doubled(len: usize, capacity: usize, ahead: usize, entry: usize) -> usize {
    if len + ahead <= capacity { 0 } else { capacity.max(len + ahead).max(capacity * 2) * entry }
}

/// A hash table keeps an eighth of its places free, has a byte of its own for each place, and the old table stays until the
/// entries have moved.
fn rehashed(len: usize, capacity: usize, ahead: usize, entry: usize) -> usize {
    doubled(len, capacity, ahead, entry + 1) / 7 * 8
}

impl<T> Growth for Vec<T> {
    fn growth(&self, ahead: usize) -> usize {
        doubled(self.len(), self.capacity(), ahead, size_of::<T>())
    }
}

impl<I, T> Growth for IdVec<I, T> {
    fn growth(&self, ahead: usize) -> usize {
        self.items().growth(ahead)
    }
}

impl<K, V, S> Growth for HashMap<K, V, S> {
    fn growth(&self, ahead: usize) -> usize {
        rehashed(self.len(), self.capacity(), ahead, size_of::<(K, V)>())
    }
}

impl<K, S> Growth for HashSet<K, S> {
    fn growth(&self, ahead: usize) -> usize {
        rehashed(self.len(), self.capacity(), ahead, size_of::<K>())
    }
}
