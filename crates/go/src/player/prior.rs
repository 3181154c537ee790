//! What is known of moves before they are tried: it counts as playouts that were won or lost.

use super::pattern;
use super::playout::nakade;
use super::tree::is_worth_trying;
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};
use crate::search::sense::{last_liberty, room};
use crate::tactics::{self, TacticalResult};

/// Every move begins with so many playouts, half of them won.
pub(super) const EVEN: f32 = 8.0;

/// Playouts that knowledge adds to a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Prior {
    pub(super) visits: f32,
    pub(super) value: f32,
}

impl Prior {
    pub(super) fn win(&mut self, playouts: f32) {
        self.visits += playouts;
        self.value += playouts;
    }

    fn loss(&mut self, playouts: f32) {
        self.visits += playouts;
    }
}

/// The moves of a side with what is known of them, a pass last. Reading takes time: it is for positions near the root.
pub(super) fn moves(
    board: &mut Board,
    color: Color,
    last: [Option<Point>; 2],
    read: bool,
) -> Vec<(Move, Prior)> {
    let points: Vec<Point> =
        board.grid().points().filter(|&p| board.is_empty(p) && is_worth_trying(board, color, p)).collect();
    let mut found: Vec<(Move, Prior)> =
        points.iter().map(|&p| (Move::Play(p), shape(board, color, p, last))).collect();
    let mut add = |point: Point, change: &dyn Fn(&mut Prior)| {
        if let Ok(i) = points.binary_search(&point) {
            change(&mut found[i].1);
        }
    };
    if let Some(vital) = last[0].and_then(|last| nakade(board, color, last)) {
        add(vital, &|prior| prior.win(15.0));
    }
    for (point, stones, doomed) in strings(board, color, read) {
        let worth = 10.0 + 3.0 * stones.min(8) as f32;
        add(point, &|prior| if doomed { prior.loss(worth) } else { prior.win(worth) });
    }
    let mut pass = Prior::default();
    pass.loss(10.0);
    found.push((Move::Pass, pass));
    found
}

/// What distance, lines and shape say of a move.
fn shape(board: &Board, color: Color, point: Point, last: [Option<Point>; 2]) -> Prior {
    let mut prior = Prior::default();
    let grid = board.grid();
    if pattern::suggests(board, color, point) {
        prior.win(8.0);
    }
    if let Some(last) = last[0] {
        let ((c, r), (lc, lr)) = (grid.place(point), grid.place(last));
        let (dx, dy) = (c.abs_diff(lc), r.abs_diff(lr));
        match dx + dy + dx.max(dy) {
            0..=2 => prior.win(9.0),
            3 | 4 => prior.win(6.0),
            5 | 6 => prior.win(3.0),
            _ => {}
        }
    }
    if room(board, color, point) < 2 {
        prior.loss(12.0);
    }
    let alone = board
        .around(point)
        .into_iter()
        .chain(board.diagonals(point))
        .all(|n| board.cell(n).color().is_none());
    match grid.line(point) {
        1 if alone => prior.loss(20.0),
        2 if alone => prior.loss(8.0),
        3 | 4 if alone => prior.win(5.0),
        _ => {}
    }
    prior
}

/// Moves that take or save strings: where, how many stones are at stake, and whether the move is in vain.
fn strings(board: &mut Board, color: Color, read: bool) -> Vec<(Point, usize, bool)> {
    let mut found = Vec::new();
    let most = if read { 2 } else { 1 };
    let heads: Vec<Point> = board
        .grid()
        .points()
        .filter(|&p| board.cell(p).color().is_some() && board.head(p) == p && board.liberty_count(p) <= most)
        .collect();
    for head in heads {
        let own = board.cell(head) == Cell::of(color);
        let stones = board.string_size(head);
        if !read {
            quick(board, color, head, own, &mut found);
            continue;
        }
        match (own, tactics::attack(board, head)) {
            // Stones that cannot be taken need no move.
            (_, TacticalResult::No | TacticalResult::Unknown) => {}
            (false, TacticalResult::Yes(point)) => {
                // What cannot get away can wait.
                let urgent = !matches!(tactics::defend(board, head), TacticalResult::No);
                found.push((point, if urgent { stones + 1 } else { 0 }, false));
            }
            (true, TacticalResult::Yes(_)) => match tactics::defend(board, head) {
                TacticalResult::Yes(point) if point != head => found.push((point, stones + 1, false)),
                TacticalResult::No if board.liberty_count(head) == 1 => {
                    found.extend(last_liberty(board, head).map(|point| (point, stones, true)));
                }
                _ => {}
            },
        }
    }
    found
}

/// The same for a string in atari without reading.
fn quick(board: &Board, color: Color, head: Point, own: bool, found: &mut Vec<(Point, usize, bool)>) {
    let stones = board.string_size(head);
    let Some(point) = last_liberty(board, head) else { return };
    if !own {
        found.push((point, stones, false));
        return;
    }
    if room(board, color, point) >= 2 {
        found.push((point, stones, false));
    }
    for stone in board.stones(head) {
        for n in board.around(stone) {
            if board.cell(n) == Cell::of(color.other()) && board.liberty_count(n) == 1 {
                found.extend(last_liberty(board, n).map(|point| (point, stones, false)));
            }
        }
    }
}
