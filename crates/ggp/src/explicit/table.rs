//! States by number, and numbers by state.
//!
//! States are rows of words in pages, each once. The numbers lie in open-addressing tables, one for each value of the first
//! bits of the hash: they double one after the other, so that growing never needs much memory at once.

use std::num::NonZeroU32;

use counterplay_base::Limit;

use crate::growth::{Allowance, Pages};

/// Tables, as a power of two.
const PARTS: u32 = 6;

/// A set of states, numbered in the order in which they came.
#[derive(Clone, Debug)]
pub(crate) struct StateTable {
    rows: Pages<u64>,
    parts: Vec<Part>,
}

/// Numbers plus one, where their hash says or behind.
#[derive(Clone, Debug, Default)]
struct Part {
    slots: Vec<Option<NonZeroU32>>,
    used: usize,
}

impl StateTable {
    /// An empty table of states of so many words.
    pub(crate) fn new(words: usize) -> StateTable {
        StateTable { rows: Pages::new(words), parts: vec![Part::default(); 1 << PARTS] }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The state of a number.
    pub(crate) fn row(&self, number: usize) -> &[u64] {
        self.rows.row(number)
    }

    /// The number of a state.
    pub(crate) fn find(&self, row: &[u64]) -> Option<u32> {
        let hash = hash(row);
        let part = &self.parts[(hash >> (64 - PARTS)) as usize];
        part.slots.first()?;
        let mut at = hash as usize & (part.slots.len() - 1);
        while let Some(number) = part.slots[at] {
            if self.rows.row(number.get() as usize - 1) == row {
                return Some(number.get() - 1);
            }
            at = (at + 1) & (part.slots.len() - 1);
        }
        None
    }

    /// The number of a state, which is added if it is new.
    pub(crate) fn insert(&mut self, row: &[u64], allowance: &mut Allowance<'_>) -> Result<u32, Limit> {
        if let Some(known) = self.find(row) {
            return Ok(known);
        }
        let number = u32::try_from(self.rows.len() + 1).map_err(|_| Limit::Nodes(u32::MAX.into()))?;
        let hash = hash(row);
        let part = &mut self.parts[(hash >> (64 - PARTS)) as usize];
        if 4 * (part.used + 1) > 3 * part.slots.len() {
            part.grow(&self.rows, allowance)?;
        }
        self.rows.push(row, allowance)?;
        part.place(hash, NonZeroU32::new(number).expect("one more than a number"));
        part.used += 1;
        Ok(number - 1)
    }
}

impl Part {
    fn grow(&mut self, rows: &Pages<u64>, allowance: &mut Allowance<'_>) -> Result<(), Limit> {
        let size = (2 * self.slots.len()).max(16);
        allowance.take(size * size_of::<Option<NonZeroU32>>())?;
        let old = std::mem::replace(&mut self.slots, vec![None; size]);
        for number in old.into_iter().flatten() {
            self.place(hash(rows.row(number.get() as usize - 1)), number);
        }
        Ok(())
    }

    fn place(&mut self, hash: u64, number: NonZeroU32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].is_some() {
            at = (at + 1) & mask;
        }
        self.slots[at] = Some(number);
    }
}

/// Words are folded in by full multiplications, so that all bits of the result depend on all bits of the row.
#[inline]
fn hash(row: &[u64]) -> u64 {
    let folded = |word: u64, factor: u64| {
        let product = u128::from(word) * u128::from(factor);
        (product >> 64) as u64 ^ product as u64
    };
    let start = 0x9e37_79b9_7f4a_7c15_u64;
    let all =
        row.iter().fold(start, |hash, word| folded(hash ^ word, 0xa076_1d64_78bd_642f).wrapping_add(start));
    folded(all, 0xe703_7ed1_a0b4_28db)
}

#[cfg(test)]
mod tests {
    use counterplay_base::Budget;

    use super::*;

    #[test]
    fn each_state_has_one_number() {
        let budget = Budget::unlimited();
        let mut allowance = Allowance::new(&budget);
        let mut table = StateTable::new(2);
        let row = |number: u64| [number << 50, number % 7];
        for number in 0..10_000 {
            assert_eq!(table.insert(&row(number), &mut allowance), Ok(number as u32));
        }
        for number in 0..10_000 {
            assert_eq!(table.insert(&row(number), &mut allowance), Ok(number as u32));
            assert_eq!(table.row(number as usize), row(number));
        }
        assert_eq!((table.len(), table.find(&[1, 0])), (10_000, None));
    }
}
