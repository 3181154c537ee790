//! Moves, and what has been played.

use std::fmt;
use std::ops::Not;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Cooperation.
    C,
    /// Defection.
    D,
}

impl Move {
    /// `C` if the condition holds.
    #[inline]
    pub fn c_if(condition: bool) -> Move {
        if condition { Move::C } else { Move::D }
    }

    /// `D` if the condition holds.
    #[inline]
    pub fn d_if(condition: bool) -> Move {
        Move::c_if(!condition)
    }

    /// 0 for `C`, 1 for `D`.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Not for Move {
    type Output = Move;
    #[inline]
    fn not(self) -> Move {
        Move::d_if(self == Move::C)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Move::C => "C",
            Move::D => "D",
        })
    }
}

/// The number of an outcome, own move first: CC, CD, DC, DD.
#[inline]
pub fn outcome(own: Move, other: Move) -> usize {
    2 * own.index() + other.index()
}

/// The moves that one player executed, as bits: a one is a defection.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The last 64, the latest in the lowest bit.
    recent: u64,
    defections: u32,
    len: u32,
    /// All of them; move `t` is bit `t % 64` of word `t / 64`.
    words: Vec<u64>,
}

impl Moves {
    pub fn new() -> Moves {
        Moves::default()
    }

    /// Forgets everything, but keeps the room.
    pub fn clear(&mut self) {
        self.recent = 0;
        self.defections = 0;
        self.len = 0;
        self.words.clear();
    }

    #[inline]
    pub fn push(&mut self, played: Move) {
        let bit = played.index() as u64;
        let at = self.len % 64;
        if at == 0 {
            self.words.push(0);
        }
        if let Some(word) = self.words.last_mut() {
            *word |= bit << at;
        }
        self.recent = self.recent << 1 | bit;
        self.defections += bit as u32;
        self.len += 1;
    }

    /// How many moves were played.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether no move was played.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many of them were defections.
    #[inline]
    pub fn defections(&self) -> usize {
        self.defections as usize
    }

    /// How many of them were cooperations.
    #[inline]
    pub fn cooperations(&self) -> usize {
        (self.len - self.defections) as usize
    }

    /// The move of a turn, counted from 0.
    #[inline]
    pub fn at(&self, turn: usize) -> Option<Move> {
        (turn < self.len()).then(|| Move::d_if(self.words[turn / 64] >> (turn % 64) & 1 == 1))
    }

    /// The move `back` turns ago: 1 is the last one.
    #[inline]
    pub fn ago(&self, back: usize) -> Option<Move> {
        match back {
            0 => None,
            1..=64 if back <= self.len() => Some(Move::d_if(self.recent >> (back - 1) & 1 == 1)),
            _ => self.len().checked_sub(back).and_then(|turn| self.at(turn)),
        }
    }

    /// The last move; `None` before the first turn.
    #[inline]
    pub fn last(&self) -> Option<Move> {
        self.ago(1)
    }

    /// Whether the last move was a defection; not if there was none.
    #[inline]
    pub fn just_defected(&self) -> bool {
        self.recent & 1 == 1
    }

    /// The last `count` moves (at most 64) as bits, the latest lowest; turns before the first count as cooperation.
    #[inline]
    pub fn bits(&self, count: u32) -> u64 {
        debug_assert!(count <= 64);
        if count >= 64 { self.recent } else { self.recent & ((1 << count) - 1) }
    }

    /// How many of the last `count` moves (at most 64) were defections.
    #[inline]
    pub fn defections_in_last(&self, count: u32) -> u32 {
        self.bits(count).count_ones()
    }

    /// All moves, first to last.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        (0..self.len()).filter_map(|turn| self.at(turn))
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|played| write!(f, "{played}"))
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(iter: I) -> Moves {
        let mut moves = Moves::new();
        iter.into_iter().for_each(|played| moves.push(played));
        moves
    }
}

/// What a player has seen: the executed moves of both sides, which both remember.
#[derive(Clone, Copy, Debug)]
pub struct History<'a> {
    /// Its own moves, as they were executed.
    pub own: &'a Moves,
    /// The executed moves of the other player.
    pub other: &'a Moves,
}

impl History<'_> {
    /// How many turns have been played.
    #[inline]
    pub fn turns(&self) -> usize {
        self.own.len()
    }

    /// The outcome (own move, other's move) `back` turns ago: 1 is the last one.
    #[inline]
    pub fn outcome_ago(&self, back: usize) -> Option<(Move, Move)> {
        Some((self.own.ago(back)?, self.other.ago(back)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_agree_with_a_plain_list() {
        let mut list: Vec<Move> = Vec::new();
        let mut moves = Moves::new();
        let mut state = 7u64;
        for _ in 0..300 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let played = Move::d_if(state >> 61 < 3);
            list.push(played);
            moves.push(played);
            let defections = |slice: &[Move]| slice.iter().filter(|m| **m == Move::D).count();
            assert_eq!(moves.defections(), defections(&list));
            assert_eq!(moves.last(), list.last().copied());
            for back in [1, 2, 63, 64, 65, 200] {
                let expected = list.len().checked_sub(back).map(|i| list[i]);
                assert_eq!(moves.ago(back), expected, "{back}");
            }
            for count in [1u32, 5, 63, 64] {
                let from = list.len().saturating_sub(count as usize);
                assert_eq!(moves.defections_in_last(count) as usize, defections(&list[from..]));
            }
        }
        assert_eq!(moves.iter().collect::<Vec<_>>(), list);
        assert_eq!(moves.ago(0), None);
    }
}
