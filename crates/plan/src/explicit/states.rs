//! All states met so far, each stored once.
//!
//! The words of all states lie back to back in one table; a hash index of ids finds a state again. A caller that
//! wants to know more about a state keeps a side table by [`StateId`].

use counterplay_base::{Budget, Id, Limit, id};

id! {
    /// A state that has been met.
    pub struct StateId;
}

/// A set of packed states, numbered in the order of their arrival.
#[derive(Debug)]
pub(super) struct States {
    width: usize,
    words: Vec<u64>,
    /// Open addressing. An entry is the hash of a state above its id plus one; zero is a free place. Comparing
    /// hashes first spares most looks at the states themselves, which lie far apart.
    index: Vec<u64>,
    /// Whether there was no memory for a larger index.
    is_refused: bool,
    len: usize,
}

/// After so many states more, memory for a larger index is asked for again.
const ASK_AGAIN: usize = 1024;

impl States {
    /// No states yet, of `width` words each.
    pub(super) fn new(width: usize) -> States {
        States { width, words: Vec::new(), index: vec![0; 64], is_refused: false, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The words of a state.
    #[inline]
    pub(super) fn get(&self, id: StateId) -> &[u64] {
        &self.words[id.index() * self.width..(id.index() + 1) * self.width]
    }

    /// The id of a state, and whether it is new.
    pub(super) fn insert(&mut self, state: &[u64], budget: &Budget) -> Result<(StateId, bool), Limit> {
        debug_assert_eq!(state.len(), self.width);
        if (self.len + 1) * 4 > self.index.len() * 3 {
            self.make_room(budget)?;
        }
        let hash = hash(state);
        let mask = self.index.len() - 1;
        let mut at = hash as usize & mask;
        while self.index[at] != 0 {
            let entry = self.index[at];
            if (entry >> 32) as u32 == hash {
                let id = StateId::new(entry as u32 as usize - 1);
                // States are a few words long: comparing them one by one beats a call of memcmp.
                if self.get(id).iter().zip(state).all(|(a, b)| a == b) {
                    return Ok((id, false));
                }
            }
            at = (at + 1) & mask;
        }
        reserve(&mut self.words, self.width, budget)?;
        self.words.extend_from_slice(state);
        self.len += 1;
        self.index[at] = u64::from(hash) << 32 | self.len as u64;
        Ok((StateId::new(self.len - 1), true))
    }

    /// Doubles the index. Where there is no memory for that, it may become fuller than is good for speed: to go on slowly is
    /// better than to give up with a third of the memory unused.
    fn make_room(&mut self, budget: &Budget) -> Result<(), Limit> {
        // Ids and hashes are 32 bits wide; long before they run out, memory is full.
        if self.len >= u32::MAX as usize / 2 {
            return Err(Limit::Nodes(self.len as u64));
        }
        // Between three and fifteen sixteenths the budget is asked now and then only.
        let is_full = (self.len + 1) * 16 > self.index.len() * 15;
        if !is_full && self.is_refused && !self.len.is_multiple_of(ASK_AGAIN) {
            return Ok(());
        }
        let size = self.index.len() * 2;
        match budget.allow_bytes(size * size_of::<u64>()) {
            Ok(()) => self.is_refused = false,
            Err(limit) if is_full => return Err(limit),
            Err(_) => {
                self.is_refused = true;
                return Ok(());
            }
        }
        let mask = size - 1;
        let mut index = vec![0u64; size];
        for &entry in self.index.iter().filter(|&&entry| entry != 0) {
            let mut at = (entry >> 32) as usize & mask;
            while index[at] != 0 {
                at = (at + 1) & mask;
            }
            index[at] = entry;
        }
        self.index = index;
        Ok(())
    }
}

/// Tables larger than this are grown in place by the system allocator; while a smaller one grows, both copies exist.
const COPIED: usize = 32 << 20;

/// Makes room for `more` items, asking the budget before a table grows. A table is doubled while there is memory for that, and
/// grows in small steps where there is not, so that the last third of the memory is used too.
pub(super) fn reserve<T>(table: &mut Vec<T>, more: usize, budget: &Budget) -> Result<(), Limit> {
    if table.capacity() - table.len() < more {
        let size = table.capacity() * size_of::<T>();
        let double = table.capacity().max(more).max(1024);
        if budget.allow_bytes(size + double * size_of::<T>()).is_ok() {
            table.reserve_exact(double);
        } else {
            let step = (table.capacity() / 16).max(more).max(1024);
            let copied = if size < COPIED { size } else { 0 };
            budget.allow_bytes(copied + step * size_of::<T>())?;
            table.reserve_exact(step);
        }
    }
    Ok(())
}

/// A multiplicative hash of 32 bits, each of which depends on every bit of the state.
#[inline]
fn hash(state: &[u64]) -> u32 {
    let mut hash = 0u64;
    for &word in state {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        hash = (product >> 64) as u64 ^ product as u64;
    }
    (hash >> 32) as u32 ^ hash as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn states_are_numbered_once() {
        let budget = Budget::unlimited();
        let mut states = States::new(2);
        let mut known: HashMap<[u64; 2], StateId> = HashMap::new();
        for i in 0..10_000u64 {
            let state = [i * i % 1009, i % 7];
            let (id, new) = states.insert(&state, &budget).expect("no limit");
            assert_eq!(new, !known.contains_key(&state));
            assert_eq!(*known.entry(state).or_insert(id), id);
            assert_eq!(states.get(id), state);
        }
        assert_eq!(states.len(), known.len());
    }

    #[test]
    fn tables_ask_before_they_grow() {
        let budget = Budget::unlimited().with_memory(100_000, || Some(0));
        let mut states = States::new(1);
        let refused = (0..1_000_000).find_map(|i| states.insert(&[i], &budget).err());
        assert_eq!(refused, Some(Limit::Bytes(100_000)));
        assert!(states.words.capacity() * 8 <= 100_000);
    }
}
