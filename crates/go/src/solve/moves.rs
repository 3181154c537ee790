//! All first moves: which of them succeed, and what refutes the others.
//!
//! A first move is judged by solving the position after it for the other side. Nothing is won by guesswork: if the other side is
//! proved to fail, the move succeeds; if it is proved to succeed, its move and its line are the refutation.

use counterplay_base::{Budget, Verdict};

use super::{Class, Options, Solution, solve};
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};
use crate::problem::Problem;
use crate::tree::Step;

/// What a first move leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedMove {
    pub action: Move,
    /// What it achieves; `None` if the other side refutes it.
    pub class: Option<Class>,
    /// Whether that is proved for the whole board.
    pub proved: bool,
    /// What follows: the refutation, or the longest resistance against the move.
    pub line: Vec<Move>,
}

impl RatedMove {
    /// The better comes first: proved before unproved, clean before ko before failure, fewer moves before more.
    fn rank(&self) -> (u8, bool, usize, Move) {
        let class = match self.class {
            Some(Class::Clean) => 0,
            Some(Class::Ko) => 1,
            Some(Class::Seki) => 2,
            None => 3,
        };
        let length = if self.class.is_some() { self.line.len() } else { usize::MAX - self.line.len() };
        (class, !self.proved, length, self.action)
    }
}

/// Moves whose opponent is not soon proved to fail or succeed are judged by so many continuations.
const SAMPLES: u32 = 1500;

/// Rates one first move; `None` if it is not legal.
pub fn rate_move(problem: &Problem, action: Move, options: &Options, budget: &Budget) -> Option<RatedMove> {
    let mover = problem.to_move;
    let mut board = problem.board.clone();
    if let Move::Play(point) = action {
        board.check(mover, point).ok()?;
    }
    board.play(mover, action);
    let Some(after) = after(problem, board) else {
        // The target is taken, for good unless it comes back in a ko.
        return Some(RatedMove { action, class: Some(Class::Clean), proved: true, line: Vec::new() });
    };
    if after.board.cell(after.target).color().is_none() {
        return Some(RatedMove { action, class: Some(Class::Ko), proved: false, line: Vec::new() });
    }
    let quick = Options { samples: options.samples.min(SAMPLES), ..*options };
    Some(rated(action, &solve(&after, &quick, budget)))
}

/// The same question for the other side after a move; `None` if the target has been taken for good.
fn after(problem: &Problem, board: Board) -> Option<Problem> {
    let taken = board.cell(problem.target) != Cell::of(problem.defender());
    if taken && board.ko() != Some(problem.target) {
        return None;
    }
    let goal = problem.goal.turned();
    Some(Problem { board, to_move: problem.to_move.other(), target: problem.target, goal })
}

/// What the other side's solution says of a move.
fn rated(action: Move, reply: &Solution) -> RatedMove {
    let class = match reply.class() {
        None => Some(Class::Clean),
        Some(Class::Ko) => Some(Class::Ko),
        Some(Class::Clean | Class::Seki) => None,
    };
    let resistance = || {
        let steps = reply.claims.first().map_or(&[][..], |claim| &claim.tree);
        steps.iter().map(Step::main_line).max_by_key(Vec::len).unwrap_or_default()
    };
    let line = if reply.line.is_empty() { resistance() } else { reply.line.clone() };
    // That nothing was found is no success.
    let proved = reply.is_proof();
    RatedMove { action, class: class.filter(|_| proved || reply.has_ended()), proved, line }
}

/// Rates every first move in a region, the best first. When the budget ends, the moves that were rated by then are told.
pub fn rate_moves(problem: &Problem, region: &[Point], options: &Options, budget: &Budget) -> Vec<RatedMove> {
    let mut found: Vec<RatedMove> = Vec::new();
    let mut points: Vec<Point> = region.iter().copied().filter(|&p| problem.board.is_empty(p)).collect();
    points.sort_unstable();
    for point in points {
        if budget.check().is_err() {
            break;
        }
        found.extend(rate_move(problem, Move::Play(point), options, budget));
    }
    found.sort_by_key(RatedMove::rank);
    found
}

/// Whether the target's fate is proved not to depend on who moves first; `None` if that is not known.
pub fn is_settled(
    problem: &Problem,
    solution: &Solution,
    options: &Options,
    budget: &Budget,
) -> Option<bool> {
    if solution.verdict == Verdict::Unsolvable {
        return Some(true);
    }
    if !solution.is_proof() || problem.goal.friend().is_some() {
        return None;
    }
    let other: Color = problem.to_move.other();
    let turned = Problem { to_move: other, goal: problem.goal.turned(), ..problem.clone() };
    let quick = Options { samples: 0, search_nodes: options.search_nodes / 8, ..*options };
    let reply = solve(&turned, &quick, budget);
    match reply.verdict {
        Verdict::Unsolvable => Some(true),
        Verdict::Solved(_) => Some(false),
        Verdict::Stopped(_) => None,
    }
}
