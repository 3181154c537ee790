//! Capture of one string by threats: ladders, nets, snapbacks, races of a few liberties, on the whole board.
//!
//! The moves are those that act on the string: its liberties, the points next to them, and the liberties of strings that it touches and
//! that are short of them. A string that gets [enough](Reading::safe) liberties has got away. With so few moves a position, df-pn follows a ladder across the
//! board as easily as a net. What it finds rests on these restrictions: it is no proof for the whole board. After T. Thomsen, Lambda-search
//! in game trees with application to Go (2000): what counts is the threat, and the distance to the capture.

use counterplay_base::{Budget, Limit};

use super::dfpn::{Dfpn, DfpnResult, MoveOrder, Numbers};
use super::local::{LocalGame, Side};
use super::order::score;
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};
use crate::problem::Problem;
use crate::zone::Zone;

/// Strings of the other side with at most so many liberties take part.
const SHORT: usize = 2;

/// What reading says about one string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// The side to move succeeds by this move.
    Works(Move),
    Fails,
}

/// How a string is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// With so many liberties the string has got away.
    pub safe: usize,
    /// Positions that may be looked at.
    pub nodes: u64,
    /// The first move, if only one is asked about.
    pub only: Option<Move>,
}

/// Whether the player to move takes the target's string, or keeps it from being taken; also how many positions were looked at.
pub fn read(problem: &Problem, reading: Reading, budget: &Budget) -> (Result<Capture, Limit>, u64) {
    let points: Vec<Point> = problem.board.grid().points().collect();
    let zone = Zone::of(&problem.board, &points);
    let side = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
    let mut local = LocalGame::new(problem, zone, side.other());
    local.safe = Some(reading.safe);
    let mut search = Dfpn::new(&mut local, CaptureOrder::default(), reading.nodes);
    search.only = reading.only;
    let answer = search.run(budget);
    let (tried, wins) = (search.tried, std::mem::take(&mut search.wins));
    let found = answer.map(|result| match result {
        DfpnResult::Won => wins.get(&local.key()).map_or(Capture::Fails, |&action| Capture::Works(action)),
        DfpnResult::Lost => Capture::Fails,
    });
    (found, tried)
}

/// Lists the moves that act on the target's string.
#[derive(Clone, Debug, Default)]
struct CaptureOrder {
    points: Vec<Point>,
    scored: Vec<(i32, Move)>,
}

impl MoveOrder for CaptureOrder {
    fn moves(&mut self, local: &mut LocalGame, out: &mut Vec<(Move, Numbers)>) {
        self.points.clear();
        let mut liberties = Vec::new();
        local.board.liberties_of(local.target, &mut liberties);
        collect(&local.board, local, &liberties, &mut self.points);
        self.scored.clear();
        for i in 0..self.points.len() {
            let point = self.points[i];
            if self.points[..i].contains(&point) || !local.is_legal(point) {
                continue;
            }
            let direct = if liberties.contains(&point) { 3 } else { 0 };
            self.scored.push((-score(local, point) - direct, Move::Play(point)));
        }
        if local.turn == Side::Defender && liberties.len() > 1 {
            self.scored.push((3, Move::Pass));
        }
        self.scored.sort_unstable();
        // A string with more liberties is farther from being taken.
        let far = liberties.len() as u32;
        out.extend(self.scored.iter().enumerate().map(|(rank, &(_, action))| {
            let rank = 1 + (rank as u32 / 2).min(6);
            let numbers = match local.turn {
                Side::Attacker => Numbers { phi: 1, delta: rank + far - 1 },
                Side::Defender => Numbers { phi: far, delta: rank },
            };
            (action, numbers)
        }));
    }
}

/// Points that act on the target's string.
fn collect(board: &Board, local: &LocalGame, liberties: &[Point], out: &mut Vec<Point>) {
    let attacker = local.color(Side::Attacker);
    if local.turn == Side::Attacker && liberties.len() == 1 {
        out.extend(liberties);
        return;
    }
    out.extend(liberties);
    let most = if local.turn == Side::Attacker { SHORT } else { SHORT.max(liberties.len()) };
    for head in touching(board, local.target, attacker) {
        let count = board.liberty_count(head);
        if count <= most.min(3) {
            board.liberties_of(head, out);
            if count == 1 && local.turn == Side::Attacker {
                rescues(board, head, attacker, out);
            }
        }
    }
    if liberties.len() <= 3 {
        for &liberty in liberties {
            out.extend(board.around(liberty).into_iter().filter(|&n| board.is_empty(n)));
            for n in board.around(liberty) {
                // Strings that the target could join, and chasers around the liberty.
                if board.cell(n).color().is_some()
                    && board.head(n) != board.head(local.target)
                    && board.liberty_count(n) <= SHORT
                {
                    board.liberties_of(n, out);
                }
            }
        }
    }
}

/// The strings of a colour that touch the string of a stone.
fn touching(board: &Board, stone: Point, color: Color) -> Vec<Point> {
    let mut heads = Vec::new();
    for at in board.stones(stone) {
        for n in board.around(at) {
            if board.cell(n) == Cell::of(color) && !heads.contains(&board.head(n)) {
                heads.push(board.head(n));
            }
        }
    }
    heads
}

/// Captures that save a string in atari.
fn rescues(board: &Board, head: Point, color: Color, out: &mut Vec<Point>) {
    for enemy in touching(board, head, color.other()) {
        if board.liberty_count(enemy) == 1 {
            board.liberties_of(enemy, out);
        }
    }
}
