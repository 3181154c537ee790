//! Tables that ask for memory before they take it.
//!
//! A vector that doubles holds its old and its new place for a moment, and the budget notices too late. [`Pages`] grow by a
//! page at a time and never move; an [`Allowance`] asks the budget for a little more than is needed at once, so that asking
//! costs next to nothing.

use counterplay_base::{Budget, Limit};

/// What is asked for at once.
const STEP: usize = 1 << 20;
/// Size of a page, in bytes.
const PAGE: usize = 1 << 18;

/// Memory that the budget has allowed and that has not been taken yet.
pub(crate) struct Allowance<'b> {
    budget: &'b Budget,
    left: usize,
}

impl<'b> Allowance<'b> {
    pub(crate) fn new(budget: &'b Budget) -> Allowance<'b> {
        Allowance { budget, left: 0 }
    }

    /// Takes so many bytes, or says that they would be too many.
    #[inline]
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.left {
            let step = bytes.max(STEP);
            match self.budget.allow_bytes(step) {
                Ok(()) => self.left = step,
                Err(_) => {
                    self.budget.allow_bytes(bytes)?;
                    self.left = bytes;
                }
            }
        }
        self.left -= bytes;
        Ok(())
    }
}

/// A long list in pages of a power of two of rows; a row is one item or several.
#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    /// Items of a row.
    width: usize,
    /// Rows of a page, as a power of two.
    shift: u32,
    pages: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Pages<T> {
    /// An empty list of rows of so many items.
    pub(crate) fn new(width: usize) -> Pages<T> {
        let rows = (PAGE / (width * size_of::<T>()).max(1)).max(1);
        Pages { width, shift: rows.ilog2(), pages: Vec::new(), len: 0 }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The row of a number.
    #[inline]
    pub(crate) fn row(&self, number: usize) -> &[T] {
        let at = (number & ((1 << self.shift) - 1)) * self.width;
        &self.pages[number >> self.shift][at..at + self.width]
    }

    /// The first item of a row.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> T {
        self.row(number)[0]
    }

    /// Appends a row.
    #[inline]
    pub(crate) fn push(&mut self, row: &[T], allowance: &mut Allowance<'_>) -> Result<(), Limit> {
        debug_assert_eq!(row.len(), self.width);
        allowance.take(size_of_val(row))?;
        if self.len >> self.shift == self.pages.len() {
            self.pages.push(Vec::with_capacity(self.width << self.shift));
        }
        self.pages[self.len >> self.shift].extend_from_slice(row);
        self.len += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_across_pages() {
        let budget = Budget::unlimited();
        let mut allowance = Allowance::new(&budget);
        let mut pages: Pages<u64> = Pages::new(3);
        for number in 0..50_000u64 {
            pages.push(&[number, number + 1, number + 2], &mut allowance).expect("no limit");
        }
        assert_eq!(pages.len(), 50_000);
        assert!((0..50_000).all(|number| pages.row(number) == [0, 1, 2].map(|more| number as u64 + more)));
    }

    #[test]
    fn an_allowance_ends_at_the_limit_and_not_before() {
        let budget = Budget::unlimited().with_memory(1000, || Some(900));
        let mut allowance = Allowance::new(&budget);
        assert_eq!(allowance.take(60), Ok(()));
        assert_eq!(allowance.take(100), Ok(()), "the gauge has not seen the first part yet");
        assert_eq!(allowance.take(101), Err(Limit::Bytes(1000)));
    }
}
