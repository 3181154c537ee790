//! Tactical reading: whether a string with few liberties can be taken, ladders and nets read to the end.
//!
//! The attacker plays on the string's liberties and on the points next to them, the defender extends, takes what chases him,
//! or plays where a net closes; neither side takes its own stones off, whatever the rules say of it. A string
//! that gets four liberties counts as safe. The line of a ladder is forced, so depth costs little.

use crate::board::{Board, Cell, Suicide};
use crate::point::{Color, Move, Point};

/// Whether an attack on a string, or its defence, succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TacticalResult {
    /// It succeeds, beginning here.
    Yes(Point),
    No,
    /// It was not found out within the limit.
    Unknown,
}

/// Moves that one reading may make.
const MOST: u32 = 400;

/// Lines of more moves are given up.
const DEEPEST: u32 = 100;

/// Whether the other side, to move, can take the string of a stone.
pub fn attack(board: &mut Board, stone: Point) -> TacticalResult {
    let Some(owner) = board.cell(stone).color() else { return TacticalResult::No };
    let mut search = TacticalSearch { left: MOST, gave_up: false };
    let found = search.attack(board, stone, owner, DEEPEST);
    search.verdict(found)
}

/// Whether the owner, to move, can save the string of a stone from being taken.
pub fn defend(board: &mut Board, stone: Point) -> TacticalResult {
    let Some(owner) = board.cell(stone).color() else { return TacticalResult::No };
    let mut search = TacticalSearch { left: MOST, gave_up: false };
    let found = search.defend(board, stone, owner, DEEPEST);
    search.verdict(found)
}

struct TacticalSearch {
    left: u32,
    gave_up: bool,
}

impl TacticalSearch {
    fn verdict(&self, found: Option<Point>) -> TacticalResult {
        match found {
            _ if self.gave_up => TacticalResult::Unknown,
            Some(point) => TacticalResult::Yes(point),
            None => TacticalResult::No,
        }
    }

    /// Whether reading may go on; if not, the result is not known.
    fn spend(&mut self, depth: u32) -> bool {
        if self.left == 0 || depth == 0 {
            self.gave_up = true;
            return false;
        }
        self.left -= 1;
        true
    }

    /// A move that takes the string, if there is one.
    fn attack(&mut self, board: &mut Board, stone: Point, owner: Color, depth: u32) -> Option<Point> {
        if !self.spend(depth) {
            return None;
        }
        let mut liberties = Vec::new();
        board.liberties_of(stone, &mut liberties);
        let attacker = owner.other();
        if liberties.len() == 1 {
            let last = liberties[0];
            // In a ko the stone comes back: that is no capture to rely on.
            let in_ko = board.ko() == Some(last);
            let legal = board.check_under(attacker, last, Suicide::Forbidden).is_ok();
            return (!in_ko && legal).then_some(last);
        }
        if liberties.len() > 3 {
            return None;
        }
        let mut moves = liberties.clone();
        if liberties.len() == 2 {
            for &liberty in &liberties {
                moves.extend(board.around(liberty).into_iter().filter(|&n| board.is_empty(n)));
            }
        }
        let mut seen: Vec<Point> = Vec::new();
        for point in moves {
            if seen.contains(&point) || board.check_under(attacker, point, Suicide::Forbidden).is_err() {
                continue;
            }
            seen.push(point);
            board.play(attacker, Move::Play(point));
            let safe = board.liberty_count(point) == 1 && board.string_size(point) > 1;
            let escapes = safe || self.defend(board, stone, owner, depth - 1).is_some();
            board.undo();
            if self.gave_up {
                return None;
            }
            if !escapes {
                return Some(point);
            }
        }
        None
    }

    /// A move that saves the string; its own point if it is safe without one.
    fn defend(&mut self, board: &mut Board, stone: Point, owner: Color, depth: u32) -> Option<Point> {
        if !self.spend(depth) {
            return None;
        }
        let mut liberties = Vec::new();
        board.liberties_of(stone, &mut liberties);
        if liberties.len() >= 4 {
            return Some(stone);
        }
        let mut moves: Vec<Point> = Vec::new();
        for at in board.stones(stone) {
            for n in board.around(at) {
                if board.cell(n) == Cell::of(owner.other()) && board.liberty_count(n) == 1 {
                    board.liberties_of(n, &mut moves);
                }
            }
        }
        moves.extend(&liberties);
        if liberties.len() > 1 {
            for &liberty in &liberties {
                moves.extend(board.around(liberty).into_iter().filter(|&n| board.is_empty(n)));
            }
        }
        let mut seen: Vec<Point> = Vec::new();
        for point in moves {
            if seen.contains(&point) || board.check_under(owner, point, Suicide::Forbidden).is_err() {
                continue;
            }
            seen.push(point);
            board.play(owner, Move::Play(point));
            let count = board.liberty_count(stone);
            let taken = match count {
                0 | 1 => true,
                2 | 3 => self.attack(board, stone, owner, depth - 1).is_some(),
                _ => false,
            };
            board.undo();
            if self.gave_up {
                return None;
            }
            if !taken {
                return Some(point);
            }
        }
        // With more than one liberty, doing nothing is a defence too.
        if liberties.len() > 1 {
            board.play(owner, Move::Pass);
            let taken = self.attack(board, stone, owner, depth - 1).is_some();
            board.undo();
            if !taken && !self.gave_up {
                return Some(stone);
            }
        }
        None
    }
}
