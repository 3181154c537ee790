//! What a random player knows: its eyes, and how many liberties a stone would have.

use crate::board::{Board, Cell};
use crate::point::{Color, Point};

/// The liberty of a string in atari.
pub(crate) fn last_liberty(board: &Board, stone: Point) -> Option<Point> {
    board.stones(stone).find_map(|s| board.around(s).into_iter().find(|&n| board.is_empty(n)))
}

/// About how many liberties a stone here would have.
pub(crate) fn room(board: &Board, color: Color, point: Point) -> usize {
    let mut room = 0;
    for n in board.around(point) {
        match board.cell(n) {
            Cell::Empty => room += 1,
            Cell::Border => {}
            cell if cell == Cell::of(color) => room += board.liberty_count(n) - 1,
            _ => room += usize::from(board.liberty_count(n) == 1),
        }
    }
    room
}

/// Whether a point is an eye of a colour: its stones all around, and not too many of the other colour on the diagonals.
pub(crate) fn is_eye(board: &Board, color: Color, point: Point) -> bool {
    let own = Cell::of(color);
    let around = board.around(point);
    if !around.iter().all(|&n| board.cell(n) == own || board.cell(n) == Cell::Border) {
        return false;
    }
    let (mut enemy, mut edge) = (0, 0);
    for d in board.diagonals(point) {
        match board.cell(d) {
            Cell::Border => edge = 1,
            Cell::Empty => {}
            cell if cell == own => {}
            _ => enemy += 1,
        }
    }
    let in_atari = around.iter().any(|&n| board.cell(n) == own && board.liberty_count(n) == 1);
    enemy + edge < 2 && !in_atari
}

/// Whether a random player may put a stone here: not into an own eye, not several stones into atari.
#[inline]
pub(crate) fn sensible(board: &Board, color: Color, point: Point) -> bool {
    let own = Cell::of(color);
    let around = board.around(point);
    if around.iter().all(|&n| board.cell(n) == own || board.cell(n) == Cell::Border) {
        return !is_eye(board, color, point);
    }
    room(board, color, point) >= 2 || around.iter().all(|&n| board.cell(n) != own || board.string_size(n) < 2)
}

/// Takes stones in atari next to the last move of the other side, or saves own stones that it has put in atari.
pub(crate) fn answer_to_atari(
    board: &Board,
    color: Color,
    last: Point,
    legal: impl Fn(Point) -> bool,
) -> Option<Point> {
    let (own, other) = (Cell::of(color), Cell::of(color.other()));
    if board.cell(last) == other && board.liberty_count(last) == 1 {
        let point = last_liberty(board, last)?;
        if legal(point) {
            return Some(point);
        }
    }
    for n in board.around(last) {
        if board.cell(n) != own || board.liberty_count(n) > 1 {
            continue;
        }
        // Taking a chaser saves as well as running.
        for stone in board.stones(n) {
            for m in board.around(stone) {
                if board.cell(m) == other && board.liberty_count(m) == 1 {
                    let point = last_liberty(board, m)?;
                    if legal(point) {
                        return Some(point);
                    }
                }
            }
        }
        let point = last_liberty(board, n)?;
        if legal(point) && room(board, color, point) >= 2 {
            return Some(point);
        }
    }
    None
}
