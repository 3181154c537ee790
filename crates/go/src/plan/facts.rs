//! What the schemas ask of a position: the eye space of the target, its vital points, cuts, strings short of liberties.

use crate::board::{Board, Cell};
use crate::point::{Move, Point};
use crate::search::local::{LocalGame, Side};

/// A position as the knowledge base sees it.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Empty points from which the target's space can be reached without crossing its own stones.
    pub space: Vec<Point>,
    /// Points of the space with the most neighbours in it, the best first.
    pub vital: Vec<Point>,
    /// Points where the target's space opens to the outside.
    pub exits: Vec<Point>,
    /// Strings of the attacker next to the target's space with at most two liberties, the weakest first.
    pub weak_walls: Vec<Point>,
    /// Strings of the defender in the zone with at most two liberties, the target's own first.
    pub weak_own: Vec<Point>,
    /// Empty points next to two or more strings of the defender.
    pub joints: Vec<Point>,
}

impl Facts {
    /// What the schemas ask about the position of a local game.
    pub fn of(local: &LocalGame) -> Facts {
        let board = &local.board;
        let (own, enemy) = (Cell::of(local.defender), Cell::of(local.defender.other()));
        let mut facts = Facts::default();
        let (mut walls, mut strings): (Vec<Point>, Vec<Point>) = (Vec::new(), Vec::new());
        for &p in local.zone.points() {
            match board.cell(p) {
                Cell::Empty => {
                    let mut heads: Vec<Point> = Vec::new();
                    let mut open = false;
                    for n in board.around(p) {
                        if board.cell(n) == own && !heads.contains(&board.head(n)) {
                            heads.push(board.head(n));
                        }
                        if board.cell(n) == enemy && !walls.contains(&board.head(n)) {
                            walls.push(board.head(n));
                        }
                        open |= board.is_empty(n) && !local.zone.contains(n);
                    }
                    facts.space.push(p);
                    if heads.len() >= 2 {
                        facts.joints.push(p);
                    }
                    if open {
                        facts.exits.push(p);
                    }
                }
                cell if cell == own => {
                    if !strings.contains(&board.head(p)) {
                        strings.push(board.head(p));
                    }
                }
                _ => {
                    if !walls.contains(&board.head(p)) {
                        walls.push(board.head(p));
                    }
                }
            }
        }
        facts.vital.clone_from(&facts.space);
        facts.vital.sort_by_key(|&p| std::cmp::Reverse(openness(local, p)));
        facts.vital.truncate(4);
        walls.retain(|&head| board.liberty_count(head) <= 2);
        walls.sort_by_key(|&head| (board.liberty_count(head), std::cmp::Reverse(board.string_size(head))));
        facts.weak_walls = walls;
        strings.retain(|&head| board.liberty_count(head) <= 2);
        let target = board.head(local.target);
        strings.sort_by_key(|&head| (head != target, board.liberty_count(head)));
        facts.weak_own = strings;
        facts
    }
}

/// How central a point is in the space around it: room on its four sides, and strings that meet there.
fn openness(local: &LocalGame, point: Point) -> i32 {
    let board = &local.board;
    let own = Cell::of(local.defender);
    let mut open = 0;
    for n in board.around(point) {
        match board.cell(n) {
            Cell::Empty if local.zone.contains(n) => {
                open += 4;
                open +=
                    board.around(n).into_iter().filter(|&m| m != point && board.is_empty(m)).count() as i32;
            }
            Cell::Border | Cell::Empty => {}
            cell if cell == own => open += 1,
            _ => open += 2,
        }
    }
    let (column, row) = board.grid().place(point);
    let across = |i: usize, n: usize| 1 + i.min(n - 1 - i);
    let (x, y) = (across(column, board.grid().width()), across(row, board.grid().height()));
    if (x.min(y), x.max(y)) == (1, 2) {
        open += 3;
    }
    open
}

/// The liberties of a string that lie in the zone.
pub(crate) fn liberties(local: &LocalGame, stone: Point) -> Vec<Point> {
    let mut out = Vec::new();
    local.board.liberties_of(stone, &mut out);
    out.retain(|&p| local.zone.contains(p));
    out
}

/// Whether a stone of the side to move here leaves its own string with a single liberty.
pub(crate) fn is_self_atari(local: &mut LocalGame, point: Point) -> bool {
    let color = local.color(local.turn);
    local.board.liberties_after(color, point) <= 1
}

/// Whether an empty point is an eye of the side: all around it are its stones.
pub(crate) fn is_eye(board: &Board, side: Cell, point: Point) -> bool {
    board.around(point).into_iter().all(|n| board.cell(n) == side || board.cell(n) == Cell::Border)
}

/// The points of the last move's surroundings that are empty and in the zone, the nearest first.
pub(crate) fn near_last(local: &LocalGame) -> Vec<Point> {
    let Some(Move::Play(last)) = local.last() else { return Vec::new() };
    let board = &local.board;
    let all = board.around(last).into_iter().chain(board.diagonals(last));
    all.filter(|&p| board.is_empty(p) && local.zone.contains(p)).collect()
}

/// Whose stones a side owns.
pub(crate) fn stones_of(local: &LocalGame, side: Side) -> Cell {
    Cell::of(local.color(side))
}
