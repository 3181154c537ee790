//! The answer as an SGF tree with comments, for any SGF viewer.

use sgf_parse::go::{self, Prop};
use sgf_parse::{Double, SgfNode};

use crate::point::{Color, Grid, Move, Point};
use crate::problem::Problem;
use crate::solve::Solution;
use crate::tree::Step;

/// At most so many moves are written.
const MOST: usize = 5000;

/// The position, the question, and the contingency tree below it.
pub fn to_sgf(problem: &Problem, solution: &Solution, words: &str) -> String {
    let grid = problem.board.grid();
    let mut properties = set_up(problem);
    properties.push(Prop::AP(("counterplay".into(), env!("CARGO_PKG_VERSION").into())));
    properties.push(Prop::C(words.into()));
    let mut left = MOST;
    let children = solution.tree.iter().map(|step| node(grid, step, &mut left)).collect();
    SgfNode::new(properties, children, true).serialize()
}

/// How a game begins: the format, the board with its stones, who is to move, and a stone of the target.
pub(crate) fn set_up(problem: &Problem) -> Vec<Prop> {
    let grid = problem.board.grid();
    let mut properties = vec![
        Prop::FF(4),
        Prop::GM(1),
        Prop::CA("UTF-8".into()),
        Prop::SZ((grid.width() as u8, grid.height() as u8)),
        Prop::PL(match problem.to_move {
            Color::Black => sgf_parse::Color::Black,
            Color::White => sgf_parse::Color::White,
        }),
    ];
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones: Vec<Point> =
            grid.points().filter(|&p| problem.board.cell(p).color() == Some(color)).collect();
        properties.extend((!stones.is_empty()).then(|| point_list(name, grid, &stones)));
    }
    properties.push(point_list("MA", grid, &[problem.target]));
    properties
}

/// A property with a list of points, in the order of the board. The sets of `sgf-parse` have no order: files of one answer would differ.
pub(crate) fn point_list(name: &str, grid: Grid, points: &[Point]) -> Prop {
    let mut points = points.to_vec();
    points.sort_unstable();
    let letter = |line: usize| char::from(b'a' + line as u8);
    let letters = |&p: &Point| {
        let (column, row) = grid.place(p);
        String::from_iter([letter(column), letter(row)])
    };
    Prop::Unknown(name.to_owned(), points.iter().map(letters).collect())
}

fn point(grid: Grid, point: Point) -> go::Point {
    let (column, row) = grid.place(point);
    go::Point { x: column as u8, y: row as u8 }
}

pub(crate) fn node(grid: Grid, step: &Step, left: &mut usize) -> SgfNode<Prop> {
    *left = left.saturating_sub(1);
    let action = match step.action {
        Move::Pass => go::Move::Pass,
        Move::Play(at) => go::Move::Move(point(grid, at)),
    };
    let mut properties = vec![match step.color {
        Color::Black => Prop::B(action),
        Color::White => Prop::W(action),
    }];
    match step.wins {
        Some(true) => properties.push(Prop::TE(Double::One)),
        Some(false) => properties.push(Prop::BM(Double::One)),
        None => {}
    }
    let mut words = step.why.join("\n");
    if step.replies.is_empty() && step.wins.is_some() {
        let end = "decided, or dealt with elsewhere in the tree";
        words = if words.is_empty() { end.to_owned() } else { format!("{words}\n{end}") };
    }
    if !words.is_empty() {
        properties.push(Prop::C(words.as_str().into()));
    }
    let children = if *left == 0 {
        Vec::new()
    } else {
        step.replies.iter().map(|reply| node(grid, reply, left)).collect()
    };
    SgfNode::new(properties, children, false)
}
