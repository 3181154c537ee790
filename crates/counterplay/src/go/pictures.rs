//! Boards and trees of answers as pictures.

use counterplay_draw::goban::{Stone, goban};
use counterplay_draw::tree::{Look, TreeNode, tree};
use counterplay_go::solve::Solution;
use counterplay_go::tree::Step;
use counterplay_go::{Color, Grid, Move, Problem};

/// The position with the zone shaded, the target marked and the main line numbered.
pub(super) fn board(problem: &Problem, solution: &Solution, title: &str) -> String {
    let grid = problem.board.grid();
    let mut rows: Vec<Vec<Stone>> = (0..grid.height())
        .map(|row| {
            (0..grid.width())
                .map(|column| {
                    let point = grid.point(column, row).expect("within the board");
                    Stone {
                        black: problem.board.cell(point).color().map(|color| color == Color::Black),
                        marked: point == problem.target,
                        shaded: solution.region.points.contains(&point),
                        words: String::new(),
                    }
                })
                .collect()
        })
        .collect();
    let mut color = problem.to_move;
    for (i, action) in solution.line.iter().enumerate() {
        if let Move::Play(point) = *action {
            let (column, row) = grid.place(point);
            let stone = &mut rows[row][column];
            // A point played twice shows its first move.
            if stone.black.is_none() {
                stone.black = Some(color == Color::Black);
                stone.words = (i + 1).to_string();
            }
        }
        color = color.other();
    }
    goban(title, &rows)
}

/// At most so many moves are drawn.
const MOST: usize = 400;

/// The contingency tree.
pub(super) fn contingency(problem: &Problem, solution: &Solution, title: &str) -> String {
    let grid = problem.board.grid();
    let mut left = MOST;
    let root = TreeNode {
        words: format!("{} {}", problem.goal, grid.name(problem.target)),
        look: Look::Other,
        children: solution.tree.iter().map(|step| edge(grid, step, problem.to_move, &mut left)).collect(),
    };
    tree(title, &root)
}

fn edge(grid: Grid, step: &Step, own: Color, left: &mut usize) -> (String, TreeNode) {
    *left = left.saturating_sub(1);
    let children = if *left == 0 {
        Vec::new()
    } else {
        step.replies.iter().map(|reply| edge(grid, reply, own, left)).collect::<Vec<_>>()
    };
    let look = if children.is_empty() && step.wins == Some(step.color == own) {
        Look::Won
    } else if step.color == own {
        Look::Own
    } else {
        Look::Other
    };
    let words = format!("{} {}", step.color.letter(), grid.move_name(step.action));
    (step.why.last().cloned().unwrap_or_default(), TreeNode { words, look, children })
}
