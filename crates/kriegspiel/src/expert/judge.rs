//! How good tries look over a sample of positions, and how likely moves of the opponent are.
//!
//! A position is judged by material, by where men stand, and by what may be lost to the next move. What hangs counts in
//! full: to trust that the opponent does not see it was weaker, since one who tries captures first finds it. A try that is rejected in some positions is judged by the best other try for those positions: it costs nothing and teaches which they are.

use counterplay_belief::HiddenWorld;

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Color, Move, Piece};
use crate::evaluate::value;
use crate::percept::End;
use crate::world::Kriegspiel;

/// Worth of a mate.
const MATE: f64 = 20_000.0;
/// What it costs if the opponent could mate at once: he has to find it without seeing it.
const MATED: f64 = 1_200.0;
/// What a rejected try costs: the opponent hears of it.
const REJECTED: f64 = 2.0;
/// What it costs to have stood like this before.
const AGAIN: f64 = 6.0;

/// The try with the best mean; none if no position of the sample accepts any of them.
pub(super) fn best_try(sample: &[Board], tries: &[Move], stood: impl Fn(Move) -> u32) -> Option<Move> {
    let now: Vec<f64> = sample.iter().map(|board| standing(board, board.turn())).collect();
    let row = |mv: Move| -> Vec<Option<f64>> {
        let again = AGAIN * f64::from(stood(mv).min(20));
        sample.iter().map(|board| board.is_legal(mv).then(|| after_move(board, mv) - again)).collect()
    };
    let rows: Vec<Vec<Option<f64>>> = tries.iter().map(|&mv| row(mv)).collect();
    let mut best: Option<(f64, Move)> = None;
    for (index, own) in rows.iter().enumerate() {
        let rejected: Vec<usize> = (0..sample.len()).filter(|&s| own[s].is_none()).collect();
        if rejected.len() == sample.len() {
            continue;
        }
        let accepted: f64 = own.iter().flatten().sum();
        let mean = |other: &Vec<Option<f64>>| -> f64 {
            rejected.iter().map(|&s| other[s].unwrap_or(now[s] - 40.0)).sum()
        };
        let others = rows.iter().enumerate().filter(|(other, _)| *other != index);
        let rest = others.map(|(_, other)| mean(other)).fold(f64::NEG_INFINITY, f64::max);
        let rest = if rejected.is_empty() { 0.0 } else { rest - REJECTED * rejected.len() as f64 };
        let score = (accepted + rest) / sample.len() as f64;
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, tries[index]));
        }
    }
    best.map(|(_, mv)| mv)
}

/// How good a legal move looks on a known board.
fn after_move(board: &Board, mv: Move) -> f64 {
    let us = board.turn();
    let (next, _) = board.play(mv);
    match End::of(&next) {
        Some(End::Checkmate) => return MATE,
        Some(_) => return 0.0,
        None => {}
    }
    let checkers = next.checkers();
    let check = if checkers != 0 { 8.0 } else { 0.0 };
    let mated = if Kriegspiel::default().can_win(&next, &mut 0) { MATED } else { 0.0 };
    standing(&next, us) - danger(&next, us) - mated + chances(&next, us) + check
}

/// What may be lost to the next move: the worst in full, and a part of the rest.
fn danger(board: &Board, us: Color) -> f64 {
    let them = us.other();
    let blocked = board.blocked();
    let mut sum = 0.0;
    let mut worst: f64 = 0.0;
    for square in squares(board.of(us) & !board.king(us).bit()) {
        let attackers = board.attackers(them, square, blocked);
        if attackers == 0 {
            continue;
        }
        let Some((_, piece)) = board.at(square) else { continue };
        let cheapest = squares(attackers)
            .filter_map(|from| board.at(from))
            .map(|(_, piece)| if piece == Piece::King { 0 } else { value(piece) })
            .min()
            .unwrap_or(0);
        let guards = board.attackers(us, square, blocked);
        let only_king = attackers == board.king(them).bit();
        let loss = match (guards != 0, only_king) {
            (true, true) => 0,
            (true, false) => (value(piece) - cheapest).max(0),
            (false, _) => value(piece),
        };
        let expected = f64::from(loss);
        sum += 0.2 * expected;
        worst = worst.max(expected);
    }
    sum + worst
}

/// What could be taken next.
fn chances(board: &Board, us: Color) -> f64 {
    let them = us.other();
    let blocked = board.blocked();
    let hanging = squares(board.of(them) & !board.king(them).bit()).filter_map(|square| {
        let attackers = board.attackers(us, square, blocked);
        let (_, piece) = board.at(square)?;
        let free = attackers != 0 && board.attackers(them, square, blocked) == 0;
        free.then(|| f64::from(value(piece)))
    });
    0.25 * hanging.fold(0.0, f64::max)
}

/// Material and where the men stand, from one side.
pub(super) fn standing(board: &Board, us: Color) -> f64 {
    let them = us.other();
    let (own, other) = (worth(board, us), worth(board, them));
    let mut score = own - other;
    let blocked = board.blocked();
    // A guarded man costs the one who takes it.
    for square in squares(board.of(us) & !board.king(us).bit()) {
        if board.attackers(us, square, blocked) != 0 {
            score += 4.0;
        }
    }
    let heavy = board.of(them) & !board.kind(Piece::Pawn) & !board.king(them).bit();
    let king = board.king(us);
    if heavy.count_ones() > 2 {
        let home = if us == Color::White { king.rank() } else { board.size() - 1 - king.rank() };
        let shield = attacks::KING[king.index()] & board.of(us);
        score += 3.0 * f64::from(shield.count_ones().min(4)) - 14.0 * f64::from(home);
    } else {
        // Little is left: the kings come nearer, and the other one is driven to the edge.
        let lone = board.king(them);
        let apart = king.file().abs_diff(lone.file()).max(king.rank().abs_diff(lone.rank()));
        let middle = |line: u8| f64::from((2 * line).abs_diff(board.size() - 1));
        score += 2.0 * (middle(lone.file()) + middle(lone.rank())) - 5.0 * f64::from(apart);
        score -= 3.0 * f64::from((attacks::KING[lone.index()] & !board.of(them)).count_ones());
    }
    score
}

fn worth(board: &Board, color: Color) -> f64 {
    let size = board.size();
    let mut sum = 0.0;
    for square in squares(board.of(color)) {
        let Some((_, piece)) = board.at(square) else { continue };
        let advance = if color == Color::White { square.rank() } else { size - 1 - square.rank() };
        let off = f64::from((2 * square.file()).abs_diff(size - 1) + (2 * square.rank()).abs_diff(size - 1));
        sum += match piece {
            Piece::King => 0.0,
            Piece::Pawn => {
                let on = f64::from(advance);
                let central = f64::from((2 * square.file()).abs_diff(size - 1));
                100.0 + 1.5 * on * on - 0.6 * central * f64::from(u8::from(advance < 4))
            }
            Piece::Knight => f64::from(value(piece)) + 24.0 - 2.5 * off,
            Piece::Bishop => {
                f64::from(value(piece)) + 12.0 - 1.2 * off - 8.0 * f64::from(u8::from(advance == 0))
            }
            Piece::Rook => f64::from(value(piece)),
            Piece::Queen => f64::from(value(piece)) - 0.5 * off,
        };
    }
    sum
}

/// How likely a move of the opponent is, compared with others that sound the same.
pub(super) fn likelihood(board: &Board, mv: Move, next: &Board) -> u32 {
    let them = board.turn();
    let Some((_, piece)) = board.at(mv.from()) else { return 1 };
    let mut weight: u32 = match piece {
        Piece::King => 4,
        Piece::Pawn => 12,
        Piece::Rook => 7,
        _ => 10,
    };
    match mv.promotion() {
        Some(Piece::Queen) => weight *= 8,
        Some(_) => weight = 1,
        None => {}
    }
    // Men are seldom put where a pawn can take them.
    let takers = attacks::pawn(them, mv.to()) & next.kind(Piece::Pawn) & next.of(them.other());
    if takers != 0 && piece != Piece::Pawn {
        weight = weight.div_ceil(2);
    }
    weight
}
