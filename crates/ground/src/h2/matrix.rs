//! Symmetric relations between facts as rows of bits.

use std::ops::Range;

/// A set of pairs of facts; a fact paired with itself says that the fact alone is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    size: usize,
    /// Words in a row.
    width: usize,
    words: Vec<u64>,
}

impl Matrix {
    /// The bytes that a matrix over so many facts takes.
    pub(super) fn bytes(size: usize) -> usize {
        size.saturating_mul(size.div_ceil(64)).saturating_mul(8)
    }

    pub(super) fn empty(size: usize) -> Matrix {
        let width = size.div_ceil(64);
        Matrix { size, width, words: vec![0; size * width] }
    }

    pub(super) fn full(size: usize) -> Matrix {
        let mut matrix = Matrix::empty(size);
        for a in 0..size {
            let row = matrix.row_mut(a);
            row.fill(u64::MAX);
            if !size.is_multiple_of(64) {
                row[size / 64] = (1 << (size % 64)) - 1;
            }
        }
        matrix
    }

    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Words in a row.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The facts that a fact is paired with.
    #[inline]
    pub(super) fn row(&self, a: usize) -> &[u64] {
        &self.words[a * self.width..(a + 1) * self.width]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, a: usize) -> &mut [u64] {
        &mut self.words[a * self.width..(a + 1) * self.width]
    }

    #[inline]
    pub(super) fn contains(&self, a: usize, b: usize) -> bool {
        contains(self.row(a), b)
    }

    #[inline]
    pub(super) fn insert(&mut self, a: usize, b: usize) {
        insert(self.row_mut(a), b);
        insert(self.row_mut(b), a);
    }

    pub(super) fn remove(&mut self, a: usize, b: usize) {
        self.row_mut(a)[b / 64] &= !(1 << (b % 64));
        self.row_mut(b)[a / 64] &= !(1 << (a % 64));
    }

    /// Keeps the pairs that the other has too; whether any went.
    pub(super) fn intersect(&mut self, other: &Matrix) -> bool {
        let mut changed = false;
        for (word, &mask) in self.words.iter_mut().zip(&other.words) {
            changed |= *word & !mask != 0;
            *word &= mask;
        }
        changed
    }
}

#[inline]
pub(super) fn contains(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

#[inline]
pub(super) fn insert(row: &mut [u64], bit: usize) {
    row[bit / 64] |= 1 << (bit % 64);
}

/// Keeps the bits that the other row has too; whether any went.
#[inline]
pub(super) fn intersect(row: &mut [u64], other: &[u64]) -> bool {
    let mut gone = 0;
    for (word, &mask) in row.iter_mut().zip(other) {
        gone |= *word & !mask;
        *word &= mask;
    }
    gone != 0
}

/// The words that a stretch of bits touches, each with a mask of its bits.
#[inline]
fn masks(range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let (first, last) = (range.start / 64, range.end.div_ceil(64));
    (first..last).map(move |at| {
        let mut mask = u64::MAX;
        if at == first {
            mask &= u64::MAX << (range.start % 64);
        }
        if (at + 1) * 64 > range.end {
            mask &= (1 << (range.end % 64)) - 1;
        }
        (at, mask)
    })
}

/// Removes a stretch of bits.
#[inline]
pub(super) fn clear(row: &mut [u64], range: Range<usize>) {
    masks(range).for_each(|(at, mask)| row[at] &= !mask);
}

/// Adds a stretch of bits.
#[inline]
pub(super) fn fill(row: &mut [u64], range: Range<usize>) {
    masks(range).for_each(|(at, mask)| row[at] |= mask);
}

/// How many bits of a stretch are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    None,
    One(usize),
    Several,
}

/// How many bits of a stretch are set.
#[inline]
pub(super) fn count(row: &[u64], range: Range<usize>) -> Count {
    let mut found = Count::None;
    for (at, mask) in masks(range) {
        let word = row[at] & mask;
        if word != 0 {
            if found != Count::None || word & (word - 1) != 0 {
                return Count::Several;
            }
            found = Count::One(at * 64 + word.trailing_zeros() as usize);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_cleared_exactly() {
        for size in [5, 64, 130] {
            for start in 0..size {
                for end in start..=size {
                    let mut row = Matrix::full(size).row(0).to_vec();
                    clear(&mut row, start..end);
                    let expected = |bit: usize| !(start..end).contains(&bit);
                    assert!((0..size).all(|bit| contains(&row, bit) == expected(bit)));
                    assert_eq!(count(&row, start..end), Count::None);
                    let mut filled = Matrix::empty(size).row(0).to_vec();
                    fill(&mut filled, start..end);
                    assert!((0..size).all(|bit| contains(&filled, bit) != expected(bit)));
                    let only = match end - start {
                        0 => Count::None,
                        1 => Count::One(start),
                        _ => Count::Several,
                    };
                    assert_eq!(count(&filled, 0..size), only);
                }
            }
        }
    }

    #[test]
    fn pairs_are_symmetric() {
        let mut matrix = Matrix::empty(70);
        matrix.insert(3, 69);
        assert!(matrix.contains(69, 3) && matrix.contains(3, 69) && !matrix.contains(3, 3));
        matrix.remove(69, 3);
        assert_eq!(matrix, Matrix::empty(70));
    }
}
