//! Which group a problem without a mark is about.
//!
//! A problem is about the group whose fate depends on who moves first. Groups of either colour are collected from the position and
//! asked about twice, once with each side to move, by short samples of the fight around them. How much the first move changes the outcome, and how
//! many stones it decides about, ranks them. Nothing here is a proof: the answer names the candidates.

use counterplay_base::Budget;

use crate::board::Board;
use crate::point::{Color, Point};
use crate::problem::Problem;
use crate::search::sample::{Settings, sample};
use crate::search::{LocalGame, Side};
use crate::solve::Options;
use crate::zone::Zone;

/// A group that a problem may be about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// A stone of its largest string.
    pub stone: Point,
    /// The stones of the group.
    pub stones: usize,
    /// How much more often the player to move succeeds if he moves first: from 0 to 1.
    pub swing: f32,
    /// What the swing is worth: more stones count more, and so do corners and edges.
    pub worth: f32,
}

/// Playouts for one question about one group.
const PLAYOUTS: u32 = 700;

/// At most so many groups are asked about.
const MOST: usize = 14;

/// A group of which the first move decides in less than this share of the playouts is no candidate.
const LEAST: f32 = 0.12;

/// The groups that a problem may be about, the likeliest first. Empty if none depends on the first move.
pub fn infer(board: &Board, to_move: Color, options: &Options, budget: &Budget) -> Vec<Candidate> {
    if !has_both_colors(board) {
        return Vec::new();
    }
    let mut groups = groups(board);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.weakness()), group.stone));
    let mut found: Vec<Candidate> = Vec::new();
    for group in groups.into_iter().take(MOST) {
        if budget.check().is_err() {
            break;
        }
        let Some(swing) = swing(board, to_move, group.stone, options, budget) else { continue };
        let worth = swing * group.weight(board);
        found.push(Candidate { stone: group.stone, stones: group.stones, swing, worth });
    }
    found.retain(|candidate| candidate.swing >= LEAST);
    found.sort_by(|a, b| b.worth.total_cmp(&a.worth).then(a.stone.cmp(&b.stone)));
    found
}

/// A fight has two sides.
fn has_both_colors(board: &Board) -> bool {
    let has = |color| board.grid().points().any(|point| board.cell(point).color() == Some(color));
    has(Color::Black) && has(Color::White)
}

/// How much more often the player to move gets what he wants if he moves first.
fn swing(board: &Board, to_move: Color, stone: Point, options: &Options, budget: &Budget) -> Option<f32> {
    let first = success(board, to_move, stone, options, budget)?;
    let second = success(board, to_move.other(), stone, options, budget)?;
    // What the other side succeeds in is what this one fails in.
    Some((first - (1.0 - second)).max(0.0))
}

/// The share of playouts in which the player to move gets what he wants of a group, after his best move.
fn success(board: &Board, mover: Color, stone: Point, options: &Options, budget: &Budget) -> Option<f32> {
    let problem = Problem::about(board.clone(), mover, stone)?;
    let zone = Zone::around(board, stone, options.reach);
    let side = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
    let mut local = LocalGame::new(&problem, zone, side.other());
    let settings = Settings { playouts: PLAYOUTS, seed: options.seed, shapes: 0 };
    let samples = sample(&mut local, settings, budget).ok()?;
    let best = samples.moves.first()?;
    Some(best.share)
}

/// Strings of one colour that belong together.
struct Group {
    /// A stone of the largest string.
    stone: Point,
    stones: usize,
    liberties: usize,
    /// Lines from the nearest edge and from the nearest edge across, of the stone nearest to a corner.
    corner: usize,
}

impl Group {
    /// How likely it is to be in danger: few liberties for its stones, near a corner.
    fn weakness(&self) -> i64 {
        let size = self.stones.min(12) as i64;
        size * 2 - 3 * self.liberties.min(12) as i64 - self.corner.min(12) as i64
    }

    /// How much a swing counts.
    fn weight(&self, board: &Board) -> f32 {
        let reach = (board.grid().width() + board.grid().height()) as f32;
        let near = 1.0 - 0.5 * self.corner as f32 / reach;
        (1.0 + (self.stones as f32).min(12.0)).sqrt() * near
    }
}

/// The groups on the board: strings of a colour that share a liberty or touch on a diagonal between empty points.
fn groups(board: &Board) -> Vec<Group> {
    let grid = board.grid();
    let mut seen = vec![false; grid.cells()];
    let mut found = Vec::new();
    for start in grid.points() {
        if board.cell(start).color().is_none() || seen[board.head(start).index()] {
            continue;
        }
        let mut strings = vec![board.head(start)];
        seen[board.head(start).index()] = true;
        let mut next = 0;
        while next < strings.len() {
            for head in linked(board, strings[next]) {
                if !seen[head.index()] {
                    seen[head.index()] = true;
                    strings.push(head);
                }
            }
            next += 1;
        }
        found.push(group(board, &strings));
    }
    found
}

fn group(board: &Board, strings: &[Point]) -> Group {
    let grid = board.grid();
    let mut liberties = Vec::new();
    let (mut stones, mut corner) = (0, usize::MAX);
    for &head in strings {
        board.liberties_of(head, &mut liberties);
        for stone in board.stones(head) {
            stones += 1;
            let (column, row) = grid.place(stone);
            let across = |i: usize, n: usize| i.min(n - 1 - i);
            corner = corner.min(across(column, grid.width()) + across(row, grid.height()));
        }
    }
    liberties.sort_unstable();
    liberties.dedup();
    let largest = strings.iter().copied().max_by_key(|&head| board.string_size(head)).unwrap_or(strings[0]);
    // The first stone of the board's order names the string.
    let stone = board.stones(largest).min().unwrap_or(largest);
    Group { stone, stones, liberties: liberties.len(), corner }
}

/// The strings that a string is linked with: two ways to join them, so that one cut does not part them.
fn linked(board: &Board, head: Point) -> Vec<Point> {
    let own = board.cell(head);
    let mut shared: Vec<(Point, usize)> = Vec::new();
    let mut liberties = Vec::new();
    board.liberties_of(head, &mut liberties);
    for &liberty in &liberties {
        let mut seen: Vec<Point> = Vec::new();
        for n in board.around(liberty) {
            if board.cell(n) == own && board.head(n) != head && !seen.contains(&board.head(n)) {
                seen.push(board.head(n));
            }
        }
        for other in seen {
            match shared.iter_mut().find(|(known, _)| *known == other) {
                Some((_, count)) => *count += 1,
                None => shared.push((other, 1)),
            }
        }
    }
    shared.into_iter().filter(|&(_, count)| count >= 2).map(|(other, _)| other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram;

    fn inferred(rows: &str, mover: Color) -> Vec<String> {
        let picture = diagram::parse(rows).unwrap();
        let board = Board::with_stones(picture.grid, &picture.stones).unwrap();
        let found = infer(&board, mover, &Options::default(), &Budget::unlimited());
        found.iter().map(|candidate| picture.grid.name(candidate.stone)).collect()
    }

    const CORNER: &str = "
        . . . X O . . . .
        X X X X O . . . .
        O O O O O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . X . .
        . . . . . . . . .
        . . . . . . . . .";

    #[test]
    fn the_group_that_hangs_on_the_first_move_is_meant() {
        for mover in [Color::Black, Color::White] {
            let found = inferred(CORNER, mover);
            assert_eq!(found.first().map(String::as_str), Some("D9"), "{mover}: {found:?}");
        }
    }

    #[test]
    fn where_nothing_hangs_on_the_first_move_there_is_no_candidate() {
        let settled = "
            . X . X O . .
            X X X X O . .
            O O O O O . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let found = inferred(settled, Color::Black);
        assert!(!found.contains(&"B7".to_owned()), "{found:?}");
    }
}
