//! Arguments of an atom or task as one word.
//!
//! Each argument takes as many bits as the number of the last object needs. Almost all tuples fit: fifteen arguments with up to
//! 256 objects, seven with up to 262,144. The few that do not are listed, and the word is their number in that list with
//! the highest bit set. So every number of arguments works, and those in use everywhere cost an instruction or two.

use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// Arguments packed into one word, the first lowest; or the number of a tuple that does not fit.
pub(crate) type Tuple = u128;

/// The highest bit: the tuple is listed.
const LISTED: Tuple = 1 << (Tuple::BITS - 1);

/// How arguments are packed into words.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    bits: usize,
    listed: Arc<RwLock<List>>,
}

/// The tuples that do not fit into a word.
#[derive(Debug, Default)]
struct List {
    tuples: Vec<Arc<[u32]>>,
    numbers: FxHashMap<Arc<[u32]>, Tuple>,
}

impl Packing {
    /// For so many objects.
    pub(crate) fn new(objects: usize) -> Packing {
        let bits = (usize::BITS - objects.saturating_sub(1).leading_zeros()).max(1) as usize;
        Packing { bits, listed: Arc::default() }
    }

    fn fits(&self, arguments: usize) -> bool {
        arguments * self.bits < Tuple::BITS as usize
    }

    /// The bits of the argument at a place, in a tuple that fits.
    fn argument(&self, at: usize) -> Tuple {
        ((1 << self.bits) - 1) << (at * self.bits)
    }

    /// Packs objects. What is not bound leaves something behind at its own place, which has to be masked out.
    #[inline]
    pub(crate) fn pack(&self, objects: impl ExactSizeIterator<Item = u32>) -> Tuple {
        if !self.fits(objects.len()) {
            return self.list(objects.collect());
        }
        objects
            .enumerate()
            .fold(0, |word, (at, object)| word | Tuple::from(object) << (at * self.bits) & self.argument(at))
    }

    /// One of the objects of a tuple.
    #[inline]
    pub(crate) fn unpack(&self, tuple: Tuple, at: usize) -> u32 {
        match tuple & LISTED {
            0 => ((tuple >> (at * self.bits)) & ((1 << self.bits) - 1)) as u32,
            _ => self.listed(tuple)[at],
        }
    }

    /// A mask for the arguments at some places of a tuple with so many of them; zero for none.
    pub(crate) fn mask(&self, arguments: usize, places: impl Iterator<Item = usize>) -> Tuple {
        if self.fits(arguments) {
            return places.fold(0, |mask, at| mask | self.argument(at));
        }
        let mut kept = vec![0; arguments];
        places.for_each(|at| kept[at] = u32::MAX);
        if kept.iter().all(|&part| part == 0) { 0 } else { self.list(kept) }
    }

    /// The part of a tuple that a mask selects.
    #[inline]
    pub(crate) fn masked(&self, tuple: Tuple, mask: Tuple) -> Tuple {
        if mask & LISTED == 0 {
            return tuple & mask;
        }
        let (own, mask) = (self.listed(tuple), self.listed(mask));
        self.list(own.iter().zip(mask.iter()).map(|(object, kept)| object & kept).collect())
    }

    #[cold]
    fn list(&self, objects: Vec<u32>) -> Tuple {
        let objects: Arc<[u32]> = objects.into();
        let mut list = self.listed.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = list.numbers.get(&objects) {
            return known;
        }
        let number = LISTED | list.tuples.len() as Tuple;
        list.tuples.push(Arc::clone(&objects));
        list.numbers.insert(objects, number);
        number
    }

    #[cold]
    fn listed(&self, tuple: Tuple) -> Arc<[u32]> {
        let list = self.listed.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&list.tuples[(tuple ^ LISTED) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_of_any_length_come_back_and_are_selected_from() {
        for objects in [1usize, 2, 3, 300, 70_000, 5_000_000] {
            let packing = Packing::new(objects);
            for length in [0usize, 1, 2, 7, 8, 9, 40, 200] {
                let object = |at: usize, shift: usize| ((at * 7919 + shift) % objects) as u32;
                let tuple = packing.pack((0..length).map(|at| object(at, 0)));
                for at in 0..length {
                    assert_eq!(
                        packing.unpack(tuple, at),
                        object(at, 0),
                        "{objects} objects, place {at} of {length}"
                    );
                }
                let other = packing.pack((0..length).map(|at| object(at, at % 2)));
                let even = packing.mask(length, (0..length).step_by(2));
                assert_eq!(packing.masked(tuple, even), packing.masked(other, even));
                let all = packing.mask(length, 0..length);
                let differ = objects > 1 && length > 1;
                assert_eq!(packing.masked(tuple, all) != packing.masked(other, all), differ);
                assert_eq!(packing.mask(length, std::iter::empty()), 0);
            }
        }
    }

    #[test]
    fn what_is_not_bound_is_masked_out() {
        for length in [3usize, 50] {
            let packing = Packing::new(1000);
            let whole = packing.pack((0..length).map(|at| at as u32));
            let part = packing.pack((0..length).map(|at| if at == 1 { u32::MAX } else { at as u32 }));
            let mask = packing.mask(length, (0..length).filter(|&at| at != 1));
            assert_eq!(packing.masked(whole, mask), packing.masked(part, mask));
        }
    }
}
