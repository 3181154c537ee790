//! States of random walks, for judging heuristics.

use counterplay_base::IdVec;
use counterplay_task::{OpId, Task, Value, VarId, apply};

use super::super::successors::SuccessorTree;

/// A source of chance that is the same on every machine (SplitMix64; Steele, Lea and Flood 2014).
#[derive(Debug)]
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % end.max(1) as u64) as usize
    }
}

/// Ends of random walks of up to `length` steps from the initial state.
pub(super) fn states(task: &Task, count: usize, length: usize) -> Vec<IdVec<VarId, Value>> {
    let (tree, mut chance) = (SuccessorTree::new(task), Chance::new(1));
    let (mut stack, mut applicable): (Vec<u32>, Vec<OpId>) = Default::default();
    let mut walk = || {
        let mut state = task.initial.clone();
        for _ in 0..chance.below(length + 1) {
            applicable.clear();
            tree.applicable(&state, &mut stack, &mut applicable);
            match applicable.get(chance.below(applicable.len())) {
                Some(&op) => state = apply(task, &state, op),
                None => break,
            }
        }
        state
    };
    (0..count).map(|_| walk()).collect()
}
