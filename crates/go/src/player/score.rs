//! The end of a game: which stones are dead, and the score by area.

use super::{Outlook, SETTLED};
use crate::board::{Board, Cell};
use crate::point::{Color, Point};

/// What becomes of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalStatus {
    Alive,
    Dead,
    /// Neither side can take the other's stones without losing its own; the playouts leave such strings standing next to each other.
    Seki,
}

/// A board counted by area after dead stones are taken off.
#[derive(Clone, Debug, PartialEq)]
pub struct Count {
    /// Black's points minus white's, komi included.
    pub score: f64,
    /// All dead stones.
    pub dead: Vec<Point>,
    /// Whether every point that counts is settled: nothing is left to be won.
    pub settled: bool,
}

impl Count {
    /// Counts a board with what playouts say of its points.
    pub fn of(board: &Board, outlook: &Outlook, komi: f64) -> Count {
        let dead: Vec<Point> = board
            .grid()
            .points()
            .filter(|&p| board.cell(p).color().is_some() && status(board, outlook, p) == FinalStatus::Dead)
            .collect();
        let owners = owners(board, &dead);
        let mut score = -komi;
        let mut settled = true;
        for p in board.grid().points() {
            let owner = owners[p.index()];
            score += match owner {
                Some(Color::Black) => 1.0,
                Some(Color::White) => -1.0,
                None => 0.0,
            };
            let for_black = outlook.owner(p);
            settled &= match owner {
                Some(Color::Black) => for_black > SETTLED,
                Some(Color::White) => for_black < -SETTLED,
                // A neutral point is left: it is worth a point to either side.
                None => false,
            };
        }
        Count { score, dead, settled }
    }

    /// The score as GTP writes it.
    pub fn name(&self) -> String {
        match self.score {
            score if score > 0.0 => format!("B+{score}"),
            score if score < 0.0 => format!("W+{}", -score),
            _ => "0".to_owned(),
        }
    }
}

impl Outlook {
    /// What becomes of the string of a stone.
    pub fn status(&self, board: &Board, stone: Point) -> FinalStatus {
        status(board, self, stone)
    }
}

fn status(board: &Board, outlook: &Outlook, stone: Point) -> FinalStatus {
    let color = board.cell(stone).color();
    let (mut kept, mut count) = (0.0, 0);
    for p in board.stones(stone) {
        kept += if color == Some(Color::Black) { outlook.owner(p) } else { -outlook.owner(p) };
        count += 1;
    }
    let kept = kept / count.max(1) as f32;
    if kept < 0.0 {
        FinalStatus::Dead
    } else if shares_liberties(board, outlook, stone) {
        FinalStatus::Seki
    } else {
        FinalStatus::Alive
    }
}

/// Whether all liberties of a string with few of them belong to neither side at the end.
fn shares_liberties(board: &Board, outlook: &Outlook, stone: Point) -> bool {
    let mut liberties = Vec::new();
    board.liberties_of(stone, &mut liberties);
    let enemy = board.cell(stone).color().map(|color| Cell::of(color.other()));
    (2..=4).contains(&liberties.len())
        && liberties.iter().all(|&p| {
            outlook.owner(p).abs() < SETTLED
                && board.around(p).into_iter().any(|n| Some(board.cell(n)) == enemy)
        })
}

/// The owner of each point by area, dead stones aside.
fn owners(board: &Board, dead: &[Point]) -> Vec<Option<Color>> {
    let mut owner: Vec<Option<Color>> = vec![None; board.grid().cells()];
    let mut is_dead = vec![false; board.grid().cells()];
    dead.iter().for_each(|p| is_dead[p.index()] = true);
    let stone = |p: Point| board.cell(p).color().filter(|_| !is_dead[p.index()]);
    let mut seen = vec![false; board.grid().cells()];
    for start in board.grid().points() {
        if let Some(color) = stone(start) {
            owner[start.index()] = Some(color);
        } else if !seen[start.index()] {
            seen[start.index()] = true;
            let (mut region, mut next, mut borders) = (vec![start], 0, [false; 2]);
            while next < region.len() {
                for n in board.neighbours(region[next]) {
                    match stone(n) {
                        Some(color) => borders[color as usize] = true,
                        None if !seen[n.index()] => {
                            seen[n.index()] = true;
                            region.push(n);
                        }
                        None => {}
                    }
                }
                next += 1;
            }
            let only = match borders {
                [true, false] => Some(Color::Black),
                [false, true] => Some(Color::White),
                _ => None,
            };
            region.iter().for_each(|p| owner[p.index()] = only);
        }
    }
    owner
}
