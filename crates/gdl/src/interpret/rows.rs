//! Rows of terms, each stored once: answers, keys and compound terms are all such rows.
//!
//! Open addressing over the rows themselves, so that looking up allocates nothing. Few rows are simply compared.

use counterplay_base::Id;

use super::terms::TermId;

/// Up to so many rows are searched one by one.
const FEW: usize = 8;

/// Distinct rows, numbered from 0 in the order they came.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    items: Vec<TermId>,
    /// Where each row ends.
    ends: Vec<u32>,
    /// A row's number plus one, or 0 for a free slot; a power of two of them, or none while there are few rows.
    slots: Vec<u32>,
}

impl Rows {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, number: usize) -> &[TermId] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.items[start..self.ends[number] as usize]
    }

    pub(super) fn find(&self, row: &[TermId]) -> Option<usize> {
        if self.slots.is_empty() {
            return (0..self.len()).find(|&number| self.get(number) == row);
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(row) & mask;
        while self.slots[slot] != 0 {
            let number = self.slots[slot] as usize - 1;
            if self.get(number) == row {
                return Some(number);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The row's number, and whether it is new.
    pub(super) fn insert(&mut self, row: &[TermId]) -> (usize, bool) {
        if let Some(known) = self.find(row) {
            return (known, false);
        }
        let number = self.len();
        self.items.extend_from_slice(row);
        self.ends.push(self.items.len() as u32);
        if self.len() > FEW && self.len() * 2 > self.slots.len() {
            self.slots.clear();
            self.slots.resize((self.len() * 4).next_power_of_two(), 0);
            (0..self.len()).for_each(|number| self.place(number));
        } else if !self.slots.is_empty() {
            self.place(number);
        }
        (number, true)
    }

    fn place(&mut self, number: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = hash(self.get(number)) & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = number as u32 + 1;
    }

    /// Forgets all rows, but keeps some room for new ones.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
        self.slots.clear();
    }
}

fn hash(row: &[TermId]) -> usize {
    let mut hash = 0u64;
    for term in row {
        hash = (hash.rotate_left(5) ^ term.index() as u64).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_kept_once_and_found_again() {
        let mut rows = Rows::default();
        let row = |number: usize| vec![TermId::new(number % 7), TermId::new(number / 7)];
        for round in 0..2 {
            for number in 0..200 {
                assert_eq!(rows.insert(&row(number)), (number, round == 0));
            }
        }
        assert_eq!(rows.find(&row(200)), None);
        assert_eq!(rows.get(66), row(66));
        assert_eq!(rows.insert(&[]), (200, true), "the empty row is a row");
        rows.clear();
        assert_eq!((rows.len(), rows.find(&row(3))), (0, None));
    }
}
