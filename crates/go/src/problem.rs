//! What is asked: whose turn it is, which stones it is about, and what is wanted.

use std::fmt;

use crate::board::{Board, Cell};
use crate::point::{Color, Point};

/// What the player to move wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Take the target; if it lives in seki, that is a failure.
    Kill,
    /// Keep the target from being taken; seki will do.
    Save,
    /// Join the target with another string of its colour.
    Connect(Point),
    /// Keep the target apart from another string of its colour.
    Separate(Point),
}

impl Goal {
    /// Whether the player to move is the target's owner.
    pub fn is_defence(self) -> bool {
        matches!(self, Goal::Save | Goal::Connect(_))
    }

    /// What the other side wants if it is to move.
    #[must_use]
    pub fn turned(self) -> Goal {
        match self {
            Goal::Kill => Goal::Save,
            Goal::Save => Goal::Kill,
            Goal::Connect(friend) => Goal::Separate(friend),
            Goal::Separate(friend) => Goal::Connect(friend),
        }
    }

    /// The string the target is to be joined with, if that is the matter.
    pub fn friend(self) -> Option<Point> {
        match self {
            Goal::Connect(friend) | Goal::Separate(friend) => Some(friend),
            Goal::Kill | Goal::Save => None,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Goal::Kill => "kill",
            Goal::Save => "save",
            Goal::Connect(_) => "connect",
            Goal::Separate(_) => "separate",
        })
    }
}

/// A position and a question about it.
#[derive(Clone, Debug)]
pub struct Problem {
    pub board: Board,
    pub to_move: Color,
    /// A stone of the group it is about.
    pub target: Point,
    /// What the player to move wants.
    pub goal: Goal,
}

impl Problem {
    /// A question about the group of a stone: one's own is to be saved, the other's to be killed.
    /// `None` if there is no stone.
    pub fn about(board: Board, to_move: Color, target: Point) -> Option<Problem> {
        let owner = board.cell(target).color()?;
        let goal = if owner == to_move { Goal::Save } else { Goal::Kill };
        Some(Problem { board, to_move, target, goal })
    }

    /// Who wants the target to live.
    pub fn defender(&self) -> Color {
        if self.goal.is_defence() { self.to_move } else { self.to_move.other() }
    }
}

/// The groups that a problem without a mark may be about, the likeliest first: groups shut in by the other side
/// with little room, of either colour. One stone is named for each.
pub fn candidates(board: &Board) -> Vec<Point> {
    let grid = board.grid();
    let cells = grid.cells();
    let area = grid.width() * grid.height();
    let mut known = vec![false; cells];
    let mut found: Vec<(usize, Point)> = Vec::new();
    for start in grid.points() {
        let Some(owner) = board.cell(start).color() else { continue };
        if known[start.index()] {
            continue;
        }
        // All that can be reached from here without crossing the other side.
        let mut reached = vec![false; cells];
        let mut queue = vec![start];
        reached[start.index()] = true;
        let (mut empty, mut stones) = (0, 0);
        while let Some(at) = queue.pop() {
            match board.cell(at) {
                Cell::Empty => empty += 1,
                _ => {
                    stones += 1;
                    known[at.index()] = true;
                }
            }
            for n in board.neighbours(at) {
                if !reached[n.index()] && board.cell(n) != Cell::of(owner.other()) {
                    reached[n.index()] = true;
                    queue.push(n);
                }
            }
        }
        if stones >= 2 && empty <= 20 && empty * 4 <= area {
            found.push((empty, start));
        }
    }
    found.sort_by_key(|&(empty, stone)| (empty, stone));
    found.into_iter().map(|(_, stone)| stone).collect()
}
