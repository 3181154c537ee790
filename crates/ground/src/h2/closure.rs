//! A growing set of pairs that knows what has changed since when.

use super::matrix::{Matrix, insert};

/// Pairs found so far.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) pairs: Matrix,
    /// Counts changes.
    pub(super) time: u64,
    /// When the row of each fact last changed.
    changed: Vec<u64>,
    /// When a fact was last found for the first time.
    grown: u64,
}

impl Closure {
    /// Begins with these pairs.
    pub(super) fn new(pairs: Matrix) -> Closure {
        let changed = vec![0; pairs.size()];
        Closure { pairs, time: 0, changed, grown: 0 }
    }

    /// Whether the facts that can hold along with a condition may have changed since a time.
    #[inline]
    pub(super) fn has_news(&self, condition: &[usize], since: Option<u64>) -> bool {
        let Some(since) = since else { return true };
        if condition.is_empty() {
            return self.grown > since;
        }
        condition.iter().any(|&fact| self.changed[fact] > since)
    }

    /// Pairs a fact with all facts of a row that it may be paired with.
    pub(super) fn extend(&mut self, fact: usize, row: &[u64], allowed: &Matrix) {
        for (word, &candidates) in row.iter().enumerate() {
            let known = self.pairs.row(fact)[word];
            let mut new = candidates & allowed.row(fact)[word] & !known;
            if new == 0 {
                continue;
            }
            self.time += 1;
            if !self.pairs.contains(fact, fact) {
                self.grown = self.time;
            }
            self.pairs.row_mut(fact)[word] = known | new;
            self.changed[fact] = self.time;
            while new != 0 {
                let other = word * 64 + new.trailing_zeros() as usize;
                new &= new - 1;
                insert(self.pairs.row_mut(other), fact);
                self.changed[other] = self.time;
            }
        }
    }
}
