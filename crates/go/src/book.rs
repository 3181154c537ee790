//! A small book of problems with known answers: the shapes that every beginner learns.
//!
//! `X` is black, `O` is white, `@` marks an empty right answer (there may be several), lower-case `x` or `o` is a stone of
//! the target. Black moves. The walls have liberties to spare, or two eyes where taking the target needs many moves.

use crate::board::Board;
use crate::diagram::{self, Diagram};
use crate::point::{Color, Move, Point};
use crate::problem::Problem;

/// A problem of the book.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// What the shape is called.
    pub name: &'static str,
    pub problem: Problem,
    /// First moves that are accepted.
    pub answers: Vec<Move>,
}

const TEXTS: &[(&str, &str)] = &[
    (
        "straight three, kill",
        "
        . @ . O X . .
        o O O O X . .
        X X X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "straight three, save",
        "
        . @ . X O . .
        x X X X O . .
        O O O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "bent three in the corner, kill",
        "
        @ . O X . . .
        . O O X . . .
        o O X X . . .
        X X X . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "pyramid four, kill",
        "
        X O . @ . O X
        X O O . O O X
        X X O o O X X
        . X X X X X .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "pyramid four, save",
        "
        O X . @ . X O
        O X X . X X O
        O O X x X O O
        . O O O O O .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "bulky five, kill",
        "
        X O . @ . O X
        X O . . O O X
        X O O o O X X
        X X X X X X .
        . X . . . X X
        X X . . . . .
        . . . . . . .",
    ),
    (
        "crossed five, kill",
        "
        . X X X X X .
        X X O . O X X
        X O . @ . O X
        X O O . O O X
        X X O O o X X
        . X X X X X .
        . . . . . . .",
    ),
    (
        "rabbity six, kill",
        "
        X O . . O O X
        X O . @ . O X
        X O O . O O X
        X X O o O X X
        . X X X X X .
        X X . . . X X
        . . . . . . .",
    ),
    (
        "capture to live",
        "
        . X @ O X O .
        X X X X X O .
        O O O x O O .
        . . O O O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
    (
        "two eyes by blocking the edge, save",
        "
        . @ @ . @ O .
        X X x X X O .
        O O O O O O .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .",
    ),
];

pub fn exercises() -> Vec<Exercise> {
    TEXTS.iter().map(|(name, text)| exercise(name, text)).collect()
}

fn exercise(name: &'static str, text: &str) -> Exercise {
    let Diagram { grid, mut stones, marks } =
        diagram::parse(text).expect("the book's diagrams are rectangular");
    let mut target: Option<Point> = None;
    let mut answers = Vec::new();
    for (point, mark) in marks {
        match mark {
            'x' => {
                stones.push((point, Color::Black));
                target = Some(point);
            }
            'o' => {
                stones.push((point, Color::White));
                target = Some(point);
            }
            _ => answers.push(Move::Play(point)),
        }
    }
    let board = Board::with_stones(grid, &stones).expect("the book's strings have liberties");
    let target = target.expect("each diagram marks its target");
    let problem = Problem::about(board, Color::Black, target).expect("the target is a stone");
    Exercise { name, problem, answers }
}
