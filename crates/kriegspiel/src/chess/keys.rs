//! Random words for the hash key of a position.

use super::board::Castling;
use super::types::{Color, Piece, Square};

const WORDS: [u64; 16 * 64 + 16 + 64 + 1] = words();
/// The key of Black's turn.
pub(crate) const TURN: u64 = WORDS[16 * 64 + 16 + 64];

/// Steele and Vigna's mixer, started at an arbitrary place.
const fn words() -> [u64; 16 * 64 + 16 + 64 + 1] {
    let mut words = [0; 16 * 64 + 16 + 64 + 1];
    let mut seed = 0x5851_f42d_4c95_7f2du64;
    let mut i = 0;
    while i < words.len() {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        words[i] = mixed(seed);
        i += 1;
    }
    // No right to castle is the usual case: it costs nothing.
    words[16 * 64] = 0;
    words
}

/// A word whose bits all depend on all bits of another.
pub(crate) const fn mixed(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The key of a man on a square.
#[inline]
pub(crate) fn man(color: Color, piece: Piece, square: Square) -> u64 {
    WORDS[(color as usize * 8 + piece as usize) * 64 + square.index()]
}

/// The key of castling rights.
#[inline]
pub(crate) fn castling(rights: Castling) -> u64 {
    WORDS[16 * 64 + rights.0 as usize]
}

/// The key of an en-passant square.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    WORDS[16 * 64 + 16 + square.index()]
}
