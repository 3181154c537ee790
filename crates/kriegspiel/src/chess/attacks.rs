//! Which squares a man attacks, as sets of squares in one word.
//!
//! Sliding attacks along files and diagonals subtract twice the slider from the occupied squares of its line, once
//! upwards and once with the ranks turned over: the bits that change are the attacks (hyperbola quintessence).
//! Ranks come from a table of 512 bytes. All tables are made by the compiler and stay in the first cache.
//! On boards smaller than 8 × 8 the squares outside count as occupied.

use super::types::{Color, Square};

/// The squares of an n × n board, by n.
pub(crate) const BOARD: [u64; 9] = board_table();
/// A knight's squares.
pub(crate) const KNIGHT: [u64; 64] =
    leaper_table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
/// A king's squares.
pub(crate) const KING: [u64; 64] =
    leaper_table(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
const PAWN: [[u64; 64]; 2] = [leaper_table(&[(-1, 1), (1, 1)]), leaper_table(&[(-1, -1), (1, -1)])];
const FILE: [u64; 64] = line_table(0, 1);
const DIAGONAL: [u64; 64] = line_table(1, 1);
const ANTIDIAGONAL: [u64; 64] = line_table(1, -1);
static RANK: [[u8; 64]; 8] = rank_table();
static BETWEEN: [[u64; 64]; 64] = between_table();
static LINE: [[u64; 64]; 64] = through_table();

const fn board_table() -> [u64; 9] {
    let mut table = [0; 9];
    let mut size = 0;
    while size <= 8 {
        let mut rank = 0;
        while rank < size {
            table[size] |= ((1u64 << size) - 1) << (8 * rank);
            rank += 1;
        }
        size += 1;
    }
    table
}

const fn leaper_table(steps: &[(i32, i32)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = (square as i32 % 8 + steps[i].0, square as i32 / 8 + steps[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] |= 1 << (file + 8 * rank);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares in one direction from a square, without it.
const fn ray(square: usize, dx: i32, dy: i32) -> u64 {
    let mut set = 0;
    let (mut file, mut rank) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
    while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        set |= 1 << (file + 8 * rank);
        file += dx;
        rank += dy;
    }
    set
}

const fn line_table(dx: i32, dy: i32) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, dx, dy) | ray(square, -dx, -dy);
        square += 1;
    }
    table
}

/// Attacks along a rank, by file of the slider and the six inner squares that may be occupied.
const fn rank_table() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u32) << 1;
            let mut to = file as i32 + 1;
            while to < 8 {
                table[file][inner] |= 1 << to;
                if occupied & (1 << to) != 0 {
                    break;
                }
                to += 1;
            }
            to = file as i32 - 1;
            while to >= 0 {
                table[file][inner] |= 1 << to;
                if occupied & (1 << to) != 0 {
                    break;
                }
                to -= 1;
            }
            inner += 1;
        }
        file += 1;
    }
    table
}

const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (dx, dy) = DIRECTIONS[i];
            let mut passed = 0;
            let (mut file, mut rank) = (from as i32 % 8 + dx, from as i32 / 8 + dy);
            while file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                let to = (file + 8 * rank) as usize;
                table[from][to] = passed;
                passed |= 1 << to;
                file += dx;
                rank += dy;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const fn through_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (dx, dy) = DIRECTIONS[i];
            let whole = ray(from, dx, dy) | ray(from, -dx, -dy) | 1 << from;
            let mut rest = ray(from, dx, dy);
            while rest != 0 {
                table[from][rest.trailing_zeros() as usize] = whole;
                rest &= rest - 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

#[inline]
fn along(line: u64, square: Square, occupied: u64) -> u64 {
    let bit = square.bit();
    let up = (occupied & line).wrapping_sub(bit << 1);
    let down = (occupied & line).swap_bytes().wrapping_sub(bit.swap_bytes() << 1);
    (up ^ down.swap_bytes()) & line
}

/// What a bishop attacks.
#[inline]
pub(crate) fn bishop(square: Square, occupied: u64) -> u64 {
    let i = square.index();
    along(DIAGONAL[i], square, occupied) | along(ANTIDIAGONAL[i], square, occupied)
}

/// What a rook attacks.
#[inline]
pub(crate) fn rook(square: Square, occupied: u64) -> u64 {
    let shift = square.0 & 56;
    let inner = (occupied >> (shift + 1)) & 63;
    let rank = u64::from(RANK[square.file() as usize][inner as usize]) << shift;
    along(FILE[square.index()], square, occupied) | rank
}

/// What a pawn attacks.
#[inline]
pub(crate) fn pawn(color: Color, square: Square) -> u64 {
    PAWN[color as usize][square.index()]
}

/// The squares strictly between two on a line; none if they are on no line.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> u64 {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares; none if they are on no line.
#[inline]
pub(crate) fn line(a: Square, b: Square) -> u64 {
    LINE[a.index()][b.index()]
}

/// The diagonals that rise to the right, without the square itself.
#[inline]
pub(crate) fn rising(square: Square) -> u64 {
    DIAGONAL[square.index()]
}

/// The members of a set of squares.
#[inline]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = Square(set.trailing_zeros() as u8);
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: walks square by square.
    fn walk(square: Square, occupied: u64, steps: &[(i32, i32)]) -> u64 {
        let mut set = 0;
        for (dx, dy) in steps {
            let (mut file, mut rank) = (i32::from(square.file()) + dx, i32::from(square.rank()) + dy);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let bit = 1u64 << (file + 8 * rank);
                set |= bit;
                if occupied & bit != 0 {
                    break;
                }
                file += dx;
                rank += dy;
            }
        }
        set
    }

    #[test]
    fn sliders_agree_with_walking() {
        let mut occupied = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..2000 {
            occupied = occupied.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(23) ^ 0x55;
            let sparse = occupied & occupied.rotate_left(17);
            for square in squares(u64::MAX) {
                let orthogonal = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                let diagonal = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                assert_eq!(rook(square, sparse), walk(square, sparse, &orthogonal), "{square}");
                assert_eq!(bishop(square, sparse), walk(square, sparse, &diagonal), "{square}");
            }
        }
    }
}
