//! The legal moves of a role, lane by lane.
//!
//! The network tells for each move in which lanes it is legal; who draws moves wants to know for each lane which moves are. A
//! block of 64 moves in 64 lanes is transposed for that, so that each lane has its legal moves as bits of one word.

use std::ops::Range;

use counterplay_base::Id;
use counterplay_ground::game::{Game, MoveId, RoleId};

use crate::lanes::transpose;
use crate::propnet::Propnet;

/// The legal moves of one role in the 64 lanes of a word.
#[derive(Clone, Debug)]
pub(crate) struct LegalMoves {
    /// All moves of the role.
    moves: Range<usize>,
    /// For each 64 of them, the legal ones of each lane.
    blocks: Vec<[u64; 64]>,
}

impl LegalMoves {
    pub(crate) fn new(game: &Game, role: RoleId) -> LegalMoves {
        let own: Vec<usize> = game.moves_of(role).map(Id::index).collect();
        let moves = own.first().copied().unwrap_or(0)..own.last().map_or(0, |last| last + 1);
        LegalMoves { moves, blocks: Vec::new() }
    }

    /// Reads them from the network for the lanes of a word.
    pub(crate) fn read<const W: usize>(&mut self, network: &Propnet<W>, word: usize) {
        self.blocks.clear();
        for from in self.moves.clone().step_by(64) {
            let mut block = [0u64; 64];
            let mut any = 0;
            for (row, number) in (from..self.moves.end.min(from + 64)).enumerate() {
                block[row] = network.legal(MoveId::new(number))[word];
                any |= block[row];
            }
            if any != 0 {
                transpose(&mut block);
            }
            self.blocks.push(block);
        }
    }

    /// How many there are in a lane.
    #[inline]
    pub(crate) fn count(&self, lane: usize) -> u32 {
        self.blocks.iter().map(|block| block[lane].count_ones()).sum()
    }

    /// The one of a lane with this rank, which is below their number.
    #[inline]
    pub(crate) fn nth(&self, lane: usize, mut rank: u32) -> MoveId {
        for (number, block) in self.blocks.iter().enumerate() {
            let mut own = block[lane];
            let here = own.count_ones();
            if rank < here {
                for _ in 0..rank {
                    own &= own - 1;
                }
                return MoveId::new(self.moves.start + 64 * number + own.trailing_zeros() as usize);
            }
            rank -= here;
        }
        unreachable!("a rank below the number of legal moves")
    }

    /// All of a lane.
    pub(crate) fn list(&self, lane: usize) -> Vec<u32> {
        let mut legal = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let mut left = block[lane];
            while left != 0 {
                legal.push((self.moves.start + 64 * number) as u32 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        legal
    }
}
