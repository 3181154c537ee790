//! What is known about sets of states, also for their parts and for what contains them.
//!
//! A plan for a set wins in each part of it, and a set that contains a lost one is lost: proofs cover subsets,
//! disproofs cover supersets. A win within some steps is one within more, a loss is one within fewer.
//!
//! Sets are sorted lists of keys. A won set is listed under each of its members, so that any member of a part finds
//! it; a lost set only under its first member, which everything that contains it has too. Lists are kept short: a look-up
//! that costs more than the search it saves is no gain.

use rustc_hash::FxHashMap;

use crate::effort::Meter;

/// At most so many sets are listed under one key; later ones take the place of earlier ones in turn.
const LONGEST: usize = 24;
/// Won sets larger than this are not listed under their members.
const LARGEST: usize = 64;

/// Sets that were decided, with a value for each won one.
pub(crate) struct Dominance<V> {
    won: Vec<Won<V>>,
    lost: Vec<Lost>,
    won_with: FxHashMap<u64, SetList>,
    lost_with: FxHashMap<u64, SetList>,
}

struct Won<V> {
    keys: Box<[u64]>,
    depth: usize,
    value: V,
}

struct Lost {
    keys: Box<[u64]>,
    depth: usize,
}

/// Positions in one of the lists.
#[derive(Default)]
struct SetList {
    places: Vec<u32>,
    next: usize,
}

impl SetList {
    fn put(&mut self, place: u32) {
        if self.places.len() < LONGEST {
            self.places.push(place);
        } else {
            self.places[self.next % LONGEST] = place;
            self.next += 1;
        }
    }
}

impl<V: Clone> Dominance<V> {
    pub(crate) fn new() -> Dominance<V> {
        Dominance {
            won: Vec::new(),
            lost: Vec::new(),
            won_with: FxHashMap::default(),
            lost_with: FxHashMap::default(),
        }
    }

    /// Whether there is memory for one more set.
    pub(crate) fn may_grow(&self, meter: &mut Meter<'_>) -> bool {
        meter.may_lengthen(&self.won)
            && meter.may_lengthen(&self.lost)
            && meter.may_grow(&self.won_with)
            && meter.may_grow(&self.lost_with)
    }

    /// What follows for a sorted set within `depth` steps: a value if it is won, none if it is lost.
    pub(crate) fn look_up(&self, keys: &[u64], depth: usize) -> Option<Option<V>> {
        let covers = |won: &&Won<V>| won.depth <= depth && is_part(keys, &won.keys);
        let shelf = keys.first().and_then(|key| self.won_with.get(key));
        let won =
            shelf.and_then(|shelf| shelf.places.iter().map(|&place| &self.won[place as usize]).find(covers));
        if let Some(won) = won {
            return Some(Some(won.value.clone()));
        }
        let covered = |&place: &u32| {
            let lost = &self.lost[place as usize];
            lost.depth >= depth && is_part(&lost.keys, keys)
        };
        let lost = keys
            .iter()
            .filter_map(|key| self.lost_with.get(key))
            .any(|shelf| shelf.places.iter().any(covered));
        lost.then_some(None)
    }

    /// Remembers a sorted set that is won.
    pub(crate) fn note_won(&mut self, keys: Box<[u64]>, depth: usize, value: V) {
        let place = self.won.len() as u32;
        let members = if keys.len() <= LARGEST { &keys[..] } else { &keys[..1] };
        for &key in members {
            self.won_with.entry(key).or_default().put(place);
        }
        self.won.push(Won { keys, depth, value });
    }

    /// Remembers a sorted set that is lost.
    pub(crate) fn note_lost(&mut self, keys: Box<[u64]>, depth: usize) {
        let Some(&first) = keys.first() else { return };
        self.lost_with.entry(first).or_default().put(self.lost.len() as u32);
        self.lost.push(Lost { keys, depth });
    }
}

/// Whether all of one sorted list are in another.
fn is_part(part: &[u64], whole: &[u64]) -> bool {
    let mut rest = whole;
    part.len() <= whole.len()
        && part.iter().all(|key| match rest.binary_search(key) {
            Ok(place) => {
                rest = &rest[place + 1..];
                true
            }
            Err(_) => false,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_cover_parts_and_disproofs_what_contains_them() {
        let mut table: Dominance<char> = Dominance::new();
        table.note_won([1, 3, 5, 7].into(), 3, 'a');
        table.note_lost([2, 4].into(), 5);
        assert_eq!(table.look_up(&[3, 7], 3), Some(Some('a')));
        assert_eq!(table.look_up(&[3, 7], 5), Some(Some('a')), "more steps do no harm");
        assert_eq!(table.look_up(&[3, 7], 1), None, "fewer may");
        assert_eq!(table.look_up(&[3, 6], 3), None);
        assert_eq!(table.look_up(&[1, 2, 3, 4], 5), Some(None));
        assert_eq!(table.look_up(&[1, 2, 3, 4], 3), Some(None));
        assert_eq!(table.look_up(&[1, 2, 3, 4], 7), None);
        assert_eq!(table.look_up(&[2], 5), None, "a part of a lost set may be won");
    }

    #[test]
    fn parts_of_sorted_lists() {
        assert!(is_part(&[], &[1]) && is_part(&[1, 9], &[1, 5, 9]) && is_part(&[5], &[1, 5, 9]));
        assert!(!is_part(&[1, 2], &[1, 5]) && !is_part(&[1, 2, 3], &[1, 2]));
    }
}
