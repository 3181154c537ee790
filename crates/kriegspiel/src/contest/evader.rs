//! An opponent who sees the board and delays the mate as long as he can.
//!
//! Against king and queen or king and rook the lone king's moves come from a table of all positions with the distance to mate, which is the
//! best defence there is against a player who sees the board as well. In all other positions he takes what he can, and keeps away
//! from the edge and from the other king.

use std::sync::OnceLock;

use super::Seer;
use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move, Piece, Square};
use crate::evaluate;

/// The defender.
#[derive(Debug, Default)]
pub struct Evader;

impl Seer for Evader {
    fn choose(&mut self, board: &Board) -> Move {
        let us = board.turn();
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let table = Distances::of(board);
        let score = |mv: &Move| {
            let (after, capture) = board.play(*mv);
            let distance = match (capture, table) {
                (None, Some(table)) => table.of_position(&after).map_or(i32::MAX, i32::from),
                _ => 0,
            };
            let taken = board.taken_by(*mv).map_or(0, evaluate::value);
            (taken, distance, -to_edge(&after, us))
        };
        moves.into_iter().max_by_key(score).expect("the game is not over")
    }
}

/// How near the king is to the edge, and the other king to it.
fn to_edge(board: &Board, us: Color) -> i32 {
    let (own, other) = (board.king(us), board.king(us.other()));
    let middle = |line: u8| i32::from((2 * line).abs_diff(board.size() - 1));
    let apart = own.file().abs_diff(other.file()).max(own.rank().abs_diff(other.rank()));
    2 * (middle(own.file()) + middle(own.rank())) - i32::from(apart)
}

/// For each position of king and one man against a king: plies until mate with best play of both.
pub(crate) struct Distances {
    piece: Piece,
    /// By [`index`]; none if there is no mate.
    plies: Vec<Option<u8>>,
}

fn index(king: Square, man: Square, lone: Square, turn: Color) -> usize {
    ((king.index() * 64 + man.index()) * 64 + lone.index()) * 2 + turn as usize
}

impl Distances {
    /// The table for a position in which the side to move has only its king, if there is one.
    fn of(board: &Board) -> Option<&'static Distances> {
        static TABLES: [OnceLock<Distances>; 2] = [OnceLock::new(), OnceLock::new()];
        let strong = board.turn().other();
        if board.size() != 8
            || board.of(strong.other()).count_ones() != 1
            || board.of(strong).count_ones() != 2
        {
            return None;
        }
        let kinds = [Piece::Queen, Piece::Rook];
        let which = kinds.iter().position(|&piece| board.kind(piece) != 0)?;
        Some(TABLES[which].get_or_init(|| Distances::compute(kinds[which])))
    }

    /// Distances with White as the stronger side, found by sweeps over all positions.
    pub(crate) fn compute(piece: Piece) -> Distances {
        let all = || (0..64).map(Square);
        let mut plies = vec![None; 2 * 64 * 64 * 64];
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for (king, man) in all().flat_map(|king| all().map(move |man| (king, man))) {
            for (lone, turn) in all().flat_map(|lone| [(lone, Color::White), (lone, Color::Black)]) {
                let Some(board) = placed(piece, king, man, lone, turn) else { continue };
                let here = index(king, man, lone, turn);
                let mut next = Vec::new();
                let mut escapes = false;
                board.each_move(|kind, mv| {
                    let (after, capture) = board.after(kind, mv);
                    escapes |= capture.is_some();
                    next.push(index_of(&after).unwrap_or_default());
                });
                if next.is_empty() {
                    plies[here] = board.in_check().then_some(0);
                } else if !escapes {
                    open.push((here, next));
                }
            }
        }
        for depth in 1.. {
            let mut found = Vec::new();
            open.retain(|(here, next)| {
                let is_white = here % 2 == Color::White as usize;
                let mated = |&&to: &&usize| plies[to].is_some();
                let known = if is_white {
                    next.iter().any(|to| mated(&to))
                } else {
                    next.iter().all(|to| mated(&to))
                };
                if known {
                    found.push(*here);
                }
                !known
            });
            if found.is_empty() && depth > 2 {
                return Distances { piece, plies };
            }
            found.into_iter().for_each(|here| plies[here] = Some(depth));
        }
        unreachable!("the sweeps end when nothing is found")
    }

    /// Plies until mate; `None` if there is none, or if the position is of another kind.
    pub(crate) fn of_position(&self, board: &Board) -> Option<u8> {
        (board.kind(self.piece) != 0).then(|| index_of(board)).flatten().and_then(|index| self.plies[index])
    }
}

/// The index of a position with the stronger side as White.
fn index_of(board: &Board) -> Option<usize> {
    let strong = [Color::White, Color::Black].into_iter().find(|&color| board.of(color).count_ones() == 2)?;
    let man = squares(board.of(strong) & !board.king(strong).bit()).next()?;
    let turn = if board.turn() == strong { Color::White } else { Color::Black };
    Some(index(board.king(strong), man, board.king(strong.other()), turn))
}

/// The position, if it is legal.
fn placed(piece: Piece, king: Square, man: Square, lone: Square, turn: Color) -> Option<Board> {
    if king == man || king == lone || man == lone {
        return None;
    }
    let mut board = Board::empty(8, turn);
    board.put(Color::White, Piece::King, king);
    board.put(Color::White, piece, man);
    board.put(Color::Black, Piece::King, lone);
    let them = turn.other();
    (board.attackers(turn, board.king(them), board.blocked()) == 0).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_mates_are_the_known_ones() {
        // King and queen mate within 10 moves, king and rook within 16, with the stronger side to move.
        for (piece, moves) in [(Piece::Queen, 10), (Piece::Rook, 16)] {
            let table = Distances::compute(piece);
            let white = table.plies.iter().skip(Color::White as usize).step_by(2);
            assert_eq!(white.flatten().max(), Some(&(2 * moves - 1)), "{piece:?}");
        }
    }

    #[test]
    fn he_takes_what_hangs_and_else_lives_long() {
        let take: Board = "8/8/8/8/8/8/1Q6/k6K b - - 0 1".parse().unwrap();
        assert_eq!(Evader.choose(&take).to_string(), "a1b2");
        let board: Board = "8/8/8/3k4/8/8/7Q/7K b - - 0 1".parse().unwrap();
        let (after, _) = board.play(Evader.choose(&board));
        let table = Distances::of(&board).unwrap();
        let mut moves = Vec::new();
        board.legal_moves(&mut moves);
        let longest = moves.iter().filter_map(|mv| table.of_position(&board.play(*mv).0)).max();
        assert_eq!(table.of_position(&after), longest);
    }
}
