//! Double-dummy values that are remembered through a deal.

use rustc_hash::FxHashMap;

use crate::card::{Card, Cards};
use crate::double_dummy::DoubleDummy;
use crate::play::Position;

/// What the value of a position depends on, for one contract.
type Key = ([u64; 4], [u8; 3], u8);

/// The most positions that are remembered at a time.
const MOST: usize = 200_000;

/// A solver that solves no position twice in a deal.
#[derive(Default)]
pub struct Oracle {
    solver: DoubleDummy,
    known: FxHashMap<Key, Box<[(Card, u8)]>>,
}

impl Oracle {
    /// Forgets all positions, for a new deal.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    /// Positions that the solver has searched so far: a measure of effort that does not depend on the machine.
    pub fn nodes(&self) -> u64 {
        self.solver.nodes()
    }

    /// The cards after which the side on turn takes at least `wanted` of the remaining tricks.
    pub fn reaching(&mut self, position: &Position, wanted: u8) -> Cards {
        self.solver.reaching(position, wanted)
    }

    /// For every card that may be played, how many of the remaining tricks declarer's side takes after it.
    pub fn values(&mut self, position: &Position) -> &[(Card, u8)] {
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let solver = &mut self.solver;
        self.known.entry(key(position)).or_insert_with(|| solver.values(position).into())
    }
}

fn key(position: &Position) -> Key {
    let trick = position.public().trick();
    let mut lying = [u8::MAX; 3];
    for (slot, card) in lying.iter_mut().zip(trick.cards()) {
        *slot = card.index() as u8;
    }
    (position.hands().map(|hand| hand.bits()), lying, trick.leader() as u8)
}
