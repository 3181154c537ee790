//! Figures 4.17 to 4.19: four in a row, with and without gravity, with and without the end test.

use std::time::Duration;

use counterplay_base::{Budget, Limit};
use counterplay_draw::chart::{Line, lines};
use counterplay_symbolic::{Partition, Relation, Space, StateSet, union};
use counterplay_task::Value;
use serde_json::json;

use super::{Figure, Growth, Puzzle, explore, fact, space, step};
use crate::ggp::table;
use crate::settings::Settings;
use crate::{Product, Size};
use counterplay::Halt;
use counterplay::grouped;

/// A board; cells are numbered column by column from below, which is also the order of the variables.
#[derive(Clone, Copy, Debug)]
struct Board {
    width: usize,
    height: usize,
}

impl Board {
    fn cell(self, x: usize, y: usize) -> usize {
        x * self.height + y
    }

    fn cells(self) -> usize {
        self.width * self.height
    }

    /// All lines of four in the directions given.
    fn lines(self, directions: &[(isize, isize)]) -> Vec<[usize; 4]> {
        let mut lines = Vec::new();
        for (x, y) in (0..self.width).flat_map(|x| (0..self.height).map(move |y| (x, y))) {
            for &(dx, dy) in directions {
                let cell = |at: isize| {
                    let (x, y) = (x.checked_add_signed(at * dx)?, y.checked_add_signed(at * dy)?);
                    (x < self.width && y < self.height).then(|| self.cell(x, y))
                };
                if let [Some(a), Some(b), Some(c), Some(d)] = [0, 1, 2, 3].map(cell) {
                    lines.push([a, b, c, d]);
                }
            }
        }
        lines
    }
}

const STRAIGHT: [(isize, isize); 2] = [(1, 0), (0, 1)];
const ALL: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Figure 4.17: nodes of "one player has four in a horizontal or vertical row" on growing boards.
pub(crate) fn end_test(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let mut rows = vec![["growing", "width", "height", "nodes", "factor"].map(str::to_owned).to_vec()];
    let mut figures = Vec::new();
    let mut curves = Vec::new();
    for (what, fixed) in
        [("width", 4), ("width", 5), ("width", 6), ("height", 4), ("height", 5), ("height", 6)]
    {
        let mut curve = Line { label: format!("{what}, other {fixed}"), values: Vec::new() };
        let mut before: Option<usize> = None;
        // Widths are cheap: their growth is even from eight on, as far as a line reaches.
        let longest = if what == "width" { size.pick(9, 12) } else { size.pick(7, 9) };
        for length in 4..=longest {
            let board = match what {
                "width" => Board { width: length, height: fixed },
                _ => Board { width: fixed, height: length },
            };
            let nodes = criterion(board, &settings.budget)?;
            let factor =
                before.map_or(String::new(), |before| format!("{:.2}", nodes as f64 / before as f64));
            let (width, height) = (board.width.to_string(), board.height.to_string());
            rows.push(vec![what.to_owned(), width, height, grouped(nodes), factor]);
            figures
                .push(json!({"growing": what, "width": board.width, "height": board.height, "nodes": nodes}));
            curve.values.push((nodes as f64).log10());
            before = Some(nodes);
        }
        curves.push(curve);
    }
    let title = "Figure 4.17: nodes of the end test of one player, columns in order";
    let note = "Paper: linear in the number of columns, exponential in the number of rows.";
    let (text, csv) = table(title, &rows, note);
    let svg = lines(title, "powers of ten over lengths from 4 on", &curves);
    Ok(Product { text, csv, svg: Some(svg), figures: json!(figures) })
}

/// The diagram of the end test, over one bit for each cell.
fn criterion(board: Board, budget: &Budget) -> Result<usize, Limit> {
    let space = space(vec![2; board.cells()], budget)?;
    let line = |line: [usize; 4]| space.facts(&line.map(|cell| fact(cell, 1)));
    let sets = board.lines(&STRAIGHT).into_iter().map(line).collect::<Result<Vec<_>, _>>()?;
    Ok(union(sets)?.map_or(0, |set| set.nodes()))
}

/// Figure 4.18: connect four.
pub(crate) fn connect_four(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let board = size.pick(Board { width: 5, height: 4 }, Board { width: 7, height: 6 });
    let note = "Paper: with the end test fewer states and more nodes; 7 x 6 has 4,531,985,219,092 states, found in nearly \
        five hours, without the test in 23 seconds.";
    both("Figure 4.18: connect four", board, true, note, settings, size)
}

/// Figure 4.19: four in a row without gravity.
pub(crate) fn free(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let board = size.pick(Board { width: 4, height: 4 }, Board { width: 7, height: 6 });
    let note = "Paper: without the end test nodes are polynomial; with it, the memory was full after 16 layers and 2:18 \
        hours on 7 x 6.";
    both("Figure 4.19: four in a row without gravity", board, false, note, settings, size)
}

fn both(
    title: &str,
    board: Board,
    falls: bool,
    note: &str,
    settings: &Settings,
    size: Size,
) -> Result<Product, Halt> {
    let title = format!("{title}, {} x {}", board.width, board.height);
    // The search with the end test gets a share of time and goes as far as that lasts.
    let share = settings.budget.slice(Duration::from_secs(size.pick(60, 1800)));
    let searches = [
        search(board, falls, true, &share, &settings.budget)?,
        search(board, falls, false, &settings.budget, &settings.budget)?,
    ];
    Ok(Figure { title: &title, searches: &searches, note }.product())
}

fn search(board: Board, falls: bool, ends: bool, share: &Budget, budget: &Budget) -> Result<Growth, Limit> {
    let puzzle = puzzle(board, falls, share)?;
    let lines = board.lines(&ALL);
    let name = if ends { "with end test" } else { "without" };
    explore(name, &puzzle, usize::MAX, budget, |layer, depth| match depth {
        0 => Ok(layer.clone()),
        _ if ends => open(&puzzle.space, layer, &lines, 2 - depth as Value % 2),
        _ => Ok(layer.clone()),
    })
}

/// The positions in which the one who moved last, with stones of a colour, has no line.
fn open(space: &Space, layer: &StateSet, lines: &[[usize; 4]], colour: Value) -> Result<StateSet, Limit> {
    let mut rest = layer.clone();
    for line in lines {
        rest = rest.minus(&space.facts(&line.map(|cell| fact(cell, colour)))?)?;
    }
    Ok(rest)
}

/// One variable for each cell: empty, or a stone of the first or of the second player, who take turns.
fn puzzle(board: Board, falls: bool, budget: &Budget) -> Result<Puzzle, Limit> {
    let sizes = vec![3; board.cells()];
    let space = space(sizes.clone(), budget)?;
    let begin: Vec<_> = (0..board.cells()).map(|cell| fact(cell, 0)).collect();
    let initial = space.facts(&begin)?;
    let mut turns = Vec::new();
    for colour in [1, 2] {
        let mut drops: Vec<Relation> = Vec::new();
        for (x, y) in (0..board.width).flat_map(|x| (0..board.height).map(move |y| (x, y))) {
            let cell = board.cell(x, y);
            let drop = step(&space, &[fact(cell, 0)], &[fact(cell, colour)], &sizes)?;
            drops.push(match (falls, y) {
                (true, 1..) => {
                    let held = space.all().minus(&space.facts(&[fact(cell - 1, 0)])?)?;
                    drop.restricted_to(&held)?
                }
                _ => drop,
            });
        }
        turns.push(Partition { parts: drops });
    }
    Ok(Puzzle { space, initial, turns, returns: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(width: usize, height: usize, falls: bool, ends: bool) -> Growth {
        let budget = Budget::unlimited();
        search(Board { width, height }, falls, ends, &budget, &budget).expect("no limit")
    }

    #[test]
    fn connect_four_has_as_many_positions_as_tromp_found() {
        assert_eq!(count(4, 4, true, true).states(), 161_029);
        assert_eq!(count(4, 5, true, true).states(), 1_706_255);
        assert_eq!(count(5, 4, true, true).states(), 3_945_711);
    }

    #[test]
    fn without_gravity_and_end_all_placements_are_reached() {
        let growth = count(4, 3, false, false);
        let factorial = |n: usize| (1..=n as u128).product::<u128>();
        for (stones, layer) in growth.layers.iter().enumerate() {
            let ways = factorial(12)
                / (factorial(12 - stones) * factorial(stones.div_ceil(2)) * factorial(stones / 2));
            assert_eq!(layer.states, ways, "{stones}");
        }
        assert_eq!(growth.layers.len(), 13);
    }

    #[test]
    fn the_end_test_takes_states_away() {
        let [with, without] = [true, false].map(|ends| count(4, 4, true, ends));
        assert!(with.states() < without.states());
        assert!(with.layers.iter().zip(&without.layers).all(|(with, without)| with.states <= without.states));
    }
}
