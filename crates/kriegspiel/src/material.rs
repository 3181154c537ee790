//! Known material wins.
//!
//! The database of Russell and Wolfe counts a leaf as won when the opponent has only the king and the player has, under
//! the protection of the own king, enough to mate: a queen, a rook, a pawn that is not on an edge file, two
//! bishops, or bishop and knight. The rule comes from their website; it is off unless asked for.

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Color, Piece};

const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

/// Whether a colour has a known material win.
pub fn is_won(board: &Board, us: Color) -> bool {
    if board.of(us.other()).count_ones() != 1 {
        return false;
    }
    let guarded = board.of(us) & attacks::KING[board.king(us).index()];
    let heavy = guarded & board.orthogonal();
    let edge = 1 | 1 << (board.size() - 1);
    let edges = (0..8).fold(0u64, |all, rank| all | edge << (8 * rank));
    let pawns = guarded & board.kind(Piece::Pawn) & !edges;
    let bishops = guarded & board.kind(Piece::Bishop);
    let knights = guarded & board.kind(Piece::Knight);
    let pair = bishops & LIGHT != 0 && bishops & !LIGHT != 0;
    heavy != 0 || pawns != 0 || pair || (bishops != 0 && knights != 0)
}

/// What the men of a colour are worth in pawns, for players that must choose without a proof.
pub fn value(board: &Board, color: Color) -> i32 {
    let own = board.of(color);
    squares(own)
        .filter_map(|square| board.at(square))
        .map(|(_, piece)| match piece {
            Piece::Pawn => 100,
            Piece::Knight => 300,
            Piece::Bishop => 320,
            Piece::Rook => 500,
            Piece::Queen => 950,
            Piece::King => 0,
        })
        .sum()
}
