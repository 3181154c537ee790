//! Blocks of equal items in one vector, and positions by their hash.

/// Lists of items back to back. A list that is given back is used again for one of about the same length, so that the tree
/// allocates nothing once it has its size.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    items: Vec<T>,
    /// Free blocks by length, in units of [`UNIT`] items.
    free: Vec<Vec<u32>>,
    /// Items in free blocks.
    idle: usize,
}

/// Lengths are rounded up to this, so that blocks fit more often.
const UNIT: usize = 4;
/// A block is split for a list that is shorter by at most so many units.
const SLACK: usize = 64;

impl<T: Copy + Default> Blocks<T> {
    pub(super) fn new() -> Blocks<T> {
        Blocks { items: Vec::new(), free: Vec::new(), idle: 0 }
    }

    /// Space for so many items; their values are whatever was there.
    pub(super) fn take(&mut self, count: usize) -> u32 {
        let units = count.div_ceil(UNIT);
        let fitting = self.free.iter_mut().enumerate().skip(units).take(SLACK + 1);
        if let Some((size, start)) = fitting.filter_map(|(size, list)| Some((size, list.pop()?))).next() {
            self.idle -= size * UNIT;
            // What is left over is a block of its own.
            if size > units {
                self.give_units(start + (units * UNIT) as u32, size - units);
            }
            return start;
        }
        let start = self.items.len() as u32;
        self.items.resize(self.items.len() + units * UNIT, T::default());
        start
    }

    /// Gives back the space of a list of so many items.
    pub(super) fn give(&mut self, start: u32, count: usize) {
        self.give_units(start, count.div_ceil(UNIT));
    }

    fn give_units(&mut self, start: u32, units: usize) {
        if units == 0 {
            return;
        }
        if self.free.len() <= units {
            self.free.resize(units + 1, Vec::new());
        }
        self.free[units].push(start);
        self.idle += units * UNIT;
    }

    /// Bytes of the lists that are in use.
    pub(super) fn bytes(&self) -> usize {
        (self.items.len() - self.idle) * size_of::<T>()
    }

    /// Whether a list of so many items fits without growing.
    pub(super) fn has_room(&self, count: usize) -> bool {
        let units = count.div_ceil(UNIT);
        self.free.iter().skip(units).take(SLACK + 1).any(|list| !list.is_empty())
    }

    /// Bytes that have been taken from the system.
    pub(super) fn held(&self) -> usize {
        self.items.len() * size_of::<T>()
    }
}

impl<T> std::ops::Deref for Blocks<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> std::ops::DerefMut for Blocks<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

/// Numbers of nodes by the hash of their position: open addressing, half of the hash beside each number.
#[derive(Clone, Debug)]
pub(super) struct HashIndex {
    /// The upper half of the hash, and the number plus one; 0 is free.
    slots: Vec<u64>,
    used: usize,
}

const FIRST_SLOTS: usize = 1024;

impl HashIndex {
    pub(super) fn new() -> HashIndex {
        HashIndex { slots: vec![0; FIRST_SLOTS], used: 0 }
    }

    /// The number with this hash for which `is_it` holds.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            let number = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && is_it(number) {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a number that is not there; `hash_of` tells the hashes of all numbers.
    pub(super) fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        if 8 * (self.used + 1) > 5 * self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![0; 2 * old.len()];
            for slot in old.into_iter().filter(|&slot| slot != 0) {
                let number = slot as u32 - 1;
                self.place(hash_of(number), number);
            }
        }
        self.place(hash, number);
        self.used += 1;
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = hash >> 32 << 32 | u64::from(number + 1);
    }

    /// Holds these numbers only.
    pub(super) fn refill(&mut self, numbers: impl Iterator<Item = (u64, u32)>) {
        self.slots.fill(0);
        self.used = 0;
        for (hash, number) in numbers {
            self.place(hash, number);
            self.used += 1;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }
}

/// The hash of a position: words are folded in by full multiplications.
#[inline]
pub(super) fn hash(position: &[u64]) -> u64 {
    let folded = |word: u64| {
        let product = u128::from(word) * 0xa076_1d64_78bd_642f_u128;
        (product >> 64) as u64 ^ product as u64
    };
    let start = 0x9e37_79b9_7f4a_7c15_u64;
    folded(position.iter().fold(start, |hash, &word| folded(hash ^ word).wrapping_add(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_given_back_are_used_again() {
        let mut blocks: Blocks<u32> = Blocks::new();
        let lists: Vec<u32> = (0..100).map(|_| blocks.take(9)).collect();
        let held = blocks.held();
        lists.iter().for_each(|&start| blocks.give(start, 9));
        assert_eq!(blocks.bytes(), 0);
        let mut again: Vec<u32> = (0..100).map(|_| blocks.take(5)).collect();
        assert_eq!(blocks.held(), held, "nothing more is taken from the system");
        again.sort_unstable();
        assert!(again.windows(2).all(|pair| pair[0] + 5 <= pair[1]), "no two lists overlap");
    }

    #[test]
    fn numbers_are_found_by_hash_and_forgotten_when_refilled() {
        let position = |number: u32| [u64::from(number), u64::from(number % 3)];
        let hash_of = |number: u32| hash(&position(number));
        let mut index = HashIndex::new();
        (0..5000).for_each(|number| index.insert(hash_of(number), number, hash_of));
        let find = |index: &HashIndex, number: u32| index.find(hash_of(number), |other| other == number);
        assert!((0..5000).all(|number| find(&index, number) == Some(number)));
        index.refill((0..5000).step_by(2).map(|number| (hash_of(number), number)));
        assert!((0..5000).all(|number| find(&index, number).is_some() == number.is_multiple_of(2)));
    }
}
