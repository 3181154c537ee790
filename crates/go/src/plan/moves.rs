//! Moves that goals of the lowest level suggest.

use super::aim::{Aim, Goal};
use super::facts::{Facts, is_eye, is_self_atari, liberties, near_last, stones_of};
use crate::board::Cell;
use crate::point::{Move, Point};
use crate::search::local::LocalGame;

/// At most so many moves for one goal.
const MOST: usize = 6;

/// Appends the legal moves that a goal suggests, the most promising first.
pub(super) fn moves(local: &mut LocalGame, facts: &Facts, goal: Goal, out: &mut Vec<Move>) {
    if goal.aim == Aim::Wait {
        if local.may_pass() {
            out.push(Move::Pass);
        }
        return;
    }
    let mut points = points(local, facts, goal);
    let own = stones_of(local, local.turn);
    points.retain(|&p| local.is_legal(p));
    // One's own eyes are filled last of all, and only if nothing else is left: by the guard.
    points.retain(|&p| !is_eye(&local.board, own, p) || takes(local, p));
    let mut seen: Vec<Point> = Vec::new();
    for p in points {
        if !seen.contains(&p) {
            seen.push(p);
        }
    }
    out.extend(seen.into_iter().take(MOST).map(Move::Play));
}

fn points(local: &mut LocalGame, facts: &Facts, goal: Goal) -> Vec<Point> {
    let at = goal.at;
    match goal.aim {
        Aim::Placement | Aim::EyeMove | Aim::HandMove => vec![at],
        Aim::Capture => {
            if local.board.cell(at).color().is_some() && local.board.liberty_count(at) == 1 {
                liberties(local, at)
            } else {
                Vec::new()
            }
        }
        Aim::FillLiberty => {
            if local.board.cell(at).color().is_none() {
                return Vec::new();
            }
            // Not into atari, and the outside before what is shared.
            let mut found = liberties(local, at);
            found.sort_by_cached_key(|&p| (is_self_atari_if_legal(local, p), inside(local, p)));
            found
        }
        Aim::Extend => {
            let from = if local.board.cell(at) == stones_of(local, local.turn) { at } else { local.target };
            let mut found = liberties(local, from);
            let color = local.color(local.turn);
            found.sort_by_cached_key(|&p| {
                let legal = local.is_legal(p);
                std::cmp::Reverse(if legal { local.board.liberties_after(color, p) } else { 0 })
            });
            found
        }
        Aim::BlockAt => {
            let mut found = vec![at];
            found.extend(local.board.around(at).into_iter().filter(|&n| local.board.is_empty(n)));
            found
        }
        Aim::Hane | Aim::Descend => {
            let grid = local.board.grid();
            let mut found = edge_points(local, facts);
            if goal.aim == Aim::Descend {
                found.retain(|&p| grid.line(p) == 1);
            }
            found
        }
        Aim::ThrowIn => {
            let enemy = stones_of(local, local.turn.other());
            let mut found = facts.space.clone();
            found.retain(|&p| {
                local.board.around(p).into_iter().filter(|&n| local.board.cell(n) == enemy).count() >= 2
            });
            found.retain(|&p| local.is_legal(p) && is_self_atari(local, p));
            found
        }
        Aim::GuardDiagonal => {
            // Diagonals of points that are eyes of the target but for one corner.
            let own = Cell::of(local.defender);
            let mut found = Vec::new();
            for &p in &facts.space {
                if is_eye(&local.board, own, p) {
                    found.extend(local.board.diagonals(p).into_iter().filter(|&d| local.board.is_empty(d)));
                }
            }
            found.extend(near_last(local));
            found
        }
        _ => Vec::new(),
    }
}

fn is_self_atari_if_legal(local: &mut LocalGame, point: Point) -> bool {
    !local.is_legal(point) || is_self_atari(local, point)
}

/// How many stones of the defender are next to a point: shared liberties have several.
fn inside(local: &LocalGame, point: Point) -> usize {
    let own = Cell::of(local.defender);
    local.board.around(point).into_iter().filter(|&n| local.board.cell(n) == own).count()
}

/// Empty points on the first two lines next to stones of both colours, the nearest to the corner first.
fn edge_points(local: &LocalGame, facts: &Facts) -> Vec<Point> {
    let board = &local.board;
    let grid = board.grid();
    let own = stones_of(local, local.turn);
    let mut found: Vec<Point> = facts
        .space
        .iter()
        .copied()
        .filter(|&p| grid.line(p) <= 2)
        .filter(|&p| {
            let near = board.around(p).into_iter().chain(board.diagonals(p));
            near.clone().any(|n| board.cell(n) == own)
                && near.clone().any(|n| board.cell(n).color().is_some() && board.cell(n) != own)
        })
        .collect();
    found.sort_by_key(|&p| {
        let (column, row) = grid.place(p);
        grid.line(p) * 4 + column.min(grid.width() - 1 - column) + row.min(grid.height() - 1 - row)
    });
    found
}

fn takes(local: &LocalGame, point: Point) -> bool {
    let enemy = stones_of(local, local.turn.other());
    local
        .board
        .around(point)
        .into_iter()
        .any(|n| local.board.cell(n) == enemy && local.board.liberty_count(n) == 1)
}
