//! A look ahead over the whole belief state when the opponent has nothing but the king.
//!
//! With more men than the tables of endings know, the tables still tell how far a queen or a rook is from mating if the others were not
//! there. A try is judged by what may be heard of it: how many squares are left for the king, how soon the tables mate, what is lost.

use std::collections::BTreeMap;

use counterplay_base::Budget;

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Color, Move, Piece};
use crate::endings::EndingTable;
use crate::evaluate::value;
use crate::percept::{Checks, End, Percept};

/// The try with the best mean over the belief state; none if none is legal anywhere.
pub(super) fn best_try(
    belief: &[Board],
    tries: &[Move],
    stood: impl Fn(Move) -> u32,
    budget: &Budget,
) -> Option<Move> {
    let first = belief.first()?;
    let own = first.of(first.turn());
    let kinds = [Piece::Queen, Piece::Rook];
    let heavy = kinds.into_iter().filter(|&piece| first.kind(piece) & own != 0 || has_pawns(first, own));
    let judge = Judge {
        us: first.turn(),
        tables: heavy.filter_map(|piece| Some((piece, EndingTable::of(piece, budget).ok()?))).collect(),
    };
    let mut best: Option<(f64, Move)> = None;
    for &mv in tries {
        if budget.check().is_err() {
            break;
        }
        let Some(score) = judge.try_score(belief, mv) else { continue };
        let score = score - 12.0 * f64::from(stood(mv).min(40));
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

fn has_pawns(board: &Board, own: u64) -> bool {
    board.kind(Piece::Pawn) & own != 0
}

struct Judge {
    us: Color,
    tables: Vec<(Piece, std::sync::Arc<EndingTable>)>,
}

impl Judge {
    /// The mean over the positions; none if the try is rejected in all.
    fn try_score(&self, belief: &[Board], mv: Move) -> Option<f64> {
        let mut rejected = Vec::new();
        let mut heard: BTreeMap<(Percept, Percept), (f64, Vec<Board>)> = BTreeMap::new();
        let mut sum = 0.0;
        let mut legal = 0;
        for board in belief {
            if !board.is_legal(mv) {
                rejected.push(*board);
                continue;
            }
            legal += 1;
            let (after, _) = board.play(mv);
            match End::of(&after) {
                Some(End::Checkmate) => sum += 3_000.0,
                Some(_) => sum -= 3_000.0,
                None => {
                    let said = Percept { capture: None, checks: Checks::of(&after) };
                    let replies = reply_count(&after);
                    after.each_move(|piece, reply| {
                        let (next, capture) = after.after(piece, reply);
                        let answer = Percept { capture, checks: Checks::NONE };
                        let group = heard.entry((said, answer)).or_default();
                        group.0 += 1.0 / replies;
                        group.1.push(next);
                    });
                }
            }
        }
        if legal == 0 {
            return None;
        }
        for ((_, answer), (weight, boards)) in &heard {
            // Losing a man counts for more than its chance: the other king chooses where it goes.
            let fear = if answer.capture.is_some() { 3.0 * weight.max(0.5) } else { *weight };
            let lost = if answer.capture.is_some() { 400.0 } else { 0.0 };
            sum += weight * self.worth(boards) - fear * lost;
        }
        if !rejected.is_empty() {
            sum += rejected.len() as f64 * self.worth(&rejected);
        }
        Some(sum / belief.len() as f64)
    }

    /// How good a belief state with the own side to move is.
    fn worth(&self, boards: &[Board]) -> f64 {
        let Some(first) = boards.first() else { return 0.0 };
        let (us, them) = (self.us, self.us.other());
        let own = first.of(us);
        if End::of(first) == Some(End::Insufficient) {
            return -2_000.0;
        }
        let lone = boards.iter().fold(0, |all, board| all | board.king(them).bit());
        let men: i32 = squares(own)
            .filter_map(|square| first.at(square))
            .map(|(_, piece)| match piece {
                Piece::King => 0,
                piece => value(piece),
            })
            .sum();
        let mut score = 0.25 * f64::from(men);
        let king = first.king(us);
        let soonest = self.tables.iter().flat_map(|(piece, table)| {
            squares(first.kind(*piece) & own).filter_map(move |man| table.moves(king, man, lone))
        });
        match soonest.min() {
            Some(moves) => score += 1_000.0 - 15.0 * f64::from(moves),
            None => score += self.confinement(first, lone),
        }
        for pawn in squares(first.kind(Piece::Pawn) & own) {
            let left = if us == Color::White { first.size() - 1 - pawn.rank() } else { pawn.rank() };
            let escort = pawn.file().abs_diff(king.file()).max(pawn.rank().abs_diff(king.rank()));
            score += 160.0 - 22.0 * f64::from(left) - 6.0 * f64::from(escort);
        }
        score
    }

    /// Few squares near the edge for the other king, and the own one near them.
    fn confinement(&self, board: &Board, lone: u64) -> f64 {
        let king = board.king(self.us);
        let count = f64::from(lone.count_ones().max(1));
        let middle = |line: u8| f64::from((2 * line).abs_diff(board.size() - 1));
        let edge: f64 = squares(lone).map(|square| middle(square.file()) + middle(square.rank())).sum();
        let apart: f64 = squares(lone)
            .map(|s| f64::from(s.file().abs_diff(king.file()).max(s.rank().abs_diff(king.rank()))))
            .sum();
        let near = attacks::KING[king.index()] & board.of(self.us);
        300.0 - 7.0 * count + 3.0 * edge / count - 8.0 * apart / count + 4.0 * f64::from(near.count_ones())
    }
}

fn reply_count(board: &Board) -> f64 {
    let mut count = 0.0f64;
    board.each_move(|_, _| count += 1.0);
    count.max(1.0)
}
