//! King and queen, or king and rook, against a king that cannot be seen: guaranteed mates from tables of solved belief states.
//!
//! A table is computed when it is first needed, which takes a second or two, and kept. It mates with the queen within 20 moves wherever king,
//! queen and the hidden king are; with the rook within 40 moves, unless the rook may be lost before it can be saved.

mod chart;
mod retrograde;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, PoisonError};

use counterplay_base::{Budget, Limit};

use self::chart::{Chart, Pair, SYMMETRIES, turned_set};
use self::retrograde::{Entry, Width};
use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move, Piece, Square};

/// Solved belief states of king and one man against a hidden king.
pub struct EndingTable {
    piece: Piece,
    /// By the index of the pair, for pairs that come first among their images.
    entries: Vec<Vec<Entry>>,
}

/// A guaranteed mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuaranteedMate {
    /// What to try.
    pub attempt: Move,
    /// Within so many own moves; rejected tries do not count.
    pub moves: u8,
}

static TABLES: [Mutex<Option<Arc<EndingTable>>>; 2] = [Mutex::new(None), Mutex::new(None)];

impl EndingTable {
    /// The table for queen or rook.
    ///
    /// # Errors
    /// The limit that came before the table was there.
    ///
    /// # Panics
    /// There is no table for other men.
    pub fn of(piece: Piece, budget: &Budget) -> Result<Arc<EndingTable>, Limit> {
        let (slot, width) = match piece {
            Piece::Queen => (0, Width { silent: 1, kept: 6 }),
            Piece::Rook => (1, Width { silent: 2, kept: 10 }),
            _ => panic!("there is no table for {piece:?}"),
        };
        let mut slot = TABLES[slot].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = slot.as_ref() {
            return Ok(Arc::clone(table));
        }
        let entries = retrograde::solve(&Chart::new(piece), width, budget)?;
        let table = Arc::new(EndingTable { piece, entries });
        *slot = Some(Arc::clone(&table));
        Ok(table)
    }

    /// The shortest guaranteed mate that the table knows for a belief state with only king and this man against a king. `rejected` are
    /// the tries that were rejected on this turn.
    pub fn mate(&self, belief: &[Board], rejected: &[Move]) -> Option<GuaranteedMate> {
        let first = belief.first()?;
        let us = first.turn();
        if first.size() != 8 || first.of(us).count_ones() != 2 || first.kind(self.piece) & first.of(us) == 0 {
            return None;
        }
        if belief.iter().any(|board| board.of(us.other()).count_ones() != 1) {
            return None;
        }
        let pair = pair_of(first, self.piece, us)?;
        let lone = belief.iter().fold(0, |all, board| all | board.king(us.other()).bit());
        let is_rejected = |to: Pair| rejected.contains(&step(pair, to));
        let entry = self.covering(pair, lone, is_rejected)?;
        Some(GuaranteedMate { attempt: step(pair, entry.to), moves: entry.moves })
    }

    /// Within how many moves the man on a square mates a hidden king that is on one of `lone`, if the other men were not there.
    pub(crate) fn moves(&self, king: Square, man: Square, lone: u64) -> Option<u8> {
        self.covering(Pair { king, man }, lone, |_| false).map(|entry| entry.moves)
    }

    /// The shortest entry that covers a set and does not begin with a move that is excluded, turned as the pair is.
    fn covering(&self, pair: Pair, lone: u64, excluded: impl Fn(Pair) -> bool) -> Option<Entry> {
        let symmetry = (0..SYMMETRIES).find(|&symmetry| pair.turned(symmetry).is_first())?;
        let back = inverse(symmetry);
        let set = turned_set(lone, symmetry);
        let fits = self.entries[pair.turned(symmetry).index()].iter();
        let fits = fits.filter(|entry| set & !entry.lone == 0 && !excluded(entry.to.turned(back)));
        let Entry { moves, to, .. } = *fits.min_by_key(|entry| entry.moves)?;
        Some(Entry { lone, moves, to: to.turned(back) })
    }
}

/// The symmetry that takes back another one.
fn inverse(symmetry: u8) -> u8 {
    let corner = |other: u8| {
        let square = Square::new(1, 2);
        chart::turned(chart::turned(square, symmetry), other) == square
    };
    (0..SYMMETRIES).find(|&other| corner(other)).expect("symmetries form a group")
}

fn pair_of(board: &Board, piece: Piece, us: Color) -> Option<Pair> {
    let man = squares(board.kind(piece) & board.of(us)).next()?;
    Some(Pair { king: board.king(us), man })
}

/// The move between two pairs.
fn step(before: Pair, after: Pair) -> Move {
    match before.king == after.king {
        true => Move::new(before.man, after.man),
        false => Move::new(before.king, after.king),
    }
}
