//! Which try looks best, over a sample of positions.
//!
//! For each position: material won at once, check, the own man that the other side could win in return, how much room the
//! other king has left. Not a search, only a static guess at the next two plies; a rejected try costs nothing and
//! teaches something.

use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move, Piece, Walk};
use crate::percept::End;

pub(crate) fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 300,
        Piece::Bishop => 320,
        Piece::Rook => 500,
        Piece::Queen => 950,
        Piece::King => 10_000,
    }
}

/// The try with the best average; none if no position of the sample accepts any of them.
pub(crate) fn best_try(sample: &[Board], tries: &[Move]) -> Option<Move> {
    let mut best: Option<(i64, Move)> = None;
    for &mv in tries {
        let (mut sum, mut legal) = (0i64, 0i64);
        for board in sample.iter().filter(|board| board.is_legal(mv)) {
            sum += i64::from(after_move(board, mv));
            legal += 1;
        }
        if legal == 0 {
            continue;
        }
        let rejected = sample.len() as i64 - legal;
        let score = 100 * sum / legal + 1500 * rejected / sample.len() as i64;
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// Material that a legal move wins at once, less what it may lose to the next move.
pub(crate) fn exchange(board: &Board, mv: Move) -> i32 {
    let next = board.play(mv).0;
    match End::of(&next) {
        Some(End::Checkmate) => return 100_000,
        Some(_) => return 0,
        None => {}
    }
    let taken = board.taken_by(mv).map_or(0, value);
    let gained = mv.promotion().map_or(0, |into| value(into) - value(Piece::Pawn));
    taken + gained - threatened(&next, board.turn())
}

/// How good a legal move looks on a known board.
fn after_move(board: &Board, mv: Move) -> i32 {
    let us = board.turn();
    let (next, capture) = board.play(mv);
    let checks = next.in_check();
    match End::of(&next) {
        Some(End::Checkmate) => return 100_000,
        Some(_) => return -5_000,
        None => {}
    }
    let mut score = 0;
    if let Some((_, taken)) = capture.and_then(|square| board.at(square)) {
        score += value(taken);
    }
    if let Some(into) = mv.promotion() {
        score += value(into) - value(Piece::Pawn);
    }
    score += if checks { 25 } else { 0 };
    score -= threatened(&next, us);
    score -= 6 * king_room(&next);
    if let Some((_, Piece::Pawn)) = board.at(mv.from()) {
        score +=
            6 * i32::from(mv.to().rank().abs_diff(if us == Color::White { 0 } else { board.size() - 1 }));
    }
    score
}

/// The most that the side to move could win by taking one man of `us`.
fn threatened(board: &Board, us: Color) -> i32 {
    let them = us.other();
    let blocked = board.blocked();
    let mut worst = 0;
    for square in squares(board.of(us)) {
        let Some((_, piece)) = board.at(square) else { continue };
        if piece == Piece::King {
            continue;
        }
        let attackers = board.attackers(them, square, blocked);
        let Some(cheapest) =
            squares(attackers).filter_map(|from| board.at(from)).map(|(_, piece)| value(piece)).min()
        else {
            continue;
        };
        let guarded = board.attackers(us, square, blocked) != 0;
        let loss = if guarded { value(piece) - cheapest } else { value(piece) };
        worst = worst.max(loss.max(0));
    }
    worst
}

/// How many squares the king to move can go to.
fn king_room(board: &Board) -> i32 {
    let king = board.king(board.turn());
    let mut room = 0;
    board.walk_moves(king.bit(), |_, _, targets| {
        room = targets.count_ones() as i32;
        Walk::Stop
    });
    room
}
