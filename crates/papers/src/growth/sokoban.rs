//! Figure 4.11: Sokoban by layers, with boxes that can only be pushed, and with boxes that can be pulled too.

use std::path::Path;

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::merge;
use counterplay_task::Value;

use super::{Figure, Growth, Puzzle, explore, fact, space, step};
use crate::settings::{Settings, unreadable};
use crate::{Product, Size};
use counterplay::{Error, Halt};

/// A maze of our own: the figure's is only a picture. `#` wall, `$` box, `.` target, `@` player.
const MAZE: &str = "
########
#   #  #
# $  $ #
#  ##  #
## $   #
#   @ ##
# . #  #
#.  . ##
########";

/// The same, larger.
const LARGE: &str = "
##########
#    #   #
# $$   $ #
##  ###  #
#  $   $##
#   ##   #
# @ #  . #
##    ...#
# $   ..##
##########";

/// Both rules in a maze; `data` is a file with a maze to use instead.
pub(crate) fn make(settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
    let text = match data {
        Some(file) => {
            let name = file.display().to_string();
            std::fs::read_to_string(file).map_err(|error| unreadable(&name, &error))?
        }
        None => size.pick(MAZE, LARGE).to_owned(),
    };
    let maze = Maze::read(&text).map_err(|message| Error::Request { message, help: None })?;
    let budget = &settings.budget;
    let searches = [search(&maze, false, budget)?, search(&maze, true, budget)?];
    let note = "Paper, another maze (its solution has 230 steps): pushing 180,144,838 states, 9,362 nodes, last layer 263; \
        pulling too 1,282,783,263 states, 7,293 nodes, last layer 238.";
    Ok(Figure { title: "Figure 4.11: Sokoban", searches: &searches, note }.product())
}

/// The cells that can be walked, row by row.
struct Maze {
    /// Neighbours of each cell: left, right, up, down.
    near: Vec<[Option<usize>; 4]>,
    boxes: Vec<usize>,
    player: usize,
}

impl Maze {
    fn read(text: &str) -> Result<Maze, String> {
        let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let at = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).copied().unwrap_or('#');
        let find = |wanted: &dyn Fn(char) -> bool| {
            let cells = rows.iter().enumerate().flat_map(|(y, row)| (0..row.len()).map(move |x| (x, y)));
            cells.filter(|&(x, y)| wanted(at(x, y))).collect::<Vec<_>>()
        };
        if let Some(&(x, y)) = find(&|sign| !"#$.@*+ ".contains(sign)).first() {
            let (sign, line, column) = (at(x, y), y + 1, x + 1);
            return Err(format!(
                "line {line}, column {column}: `{sign}` is not a sign of a maze (`#$.@*+ `)"
            ));
        }
        let [start] = find(&|sign| "@+".contains(sign))[..] else {
            return Err("a maze has one player, `@` or `+`".to_owned());
        };
        // Only what the player could reach without boxes is part of the maze.
        let mut cells = vec![start];
        let mut next = 0;
        while let Some(&(x, y)) = cells.get(next) {
            next += 1;
            for cell in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                if at(cell.0, cell.1) != '#' && !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
        }
        cells.sort_by_key(|&(x, y)| (y, x));
        let place = |cell: (usize, usize)| cells.iter().position(|&own| own == cell);
        let near = cells.iter().map(|&(x, y)| {
            [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)].map(place)
        });
        let boxes: Vec<usize> = find(&|sign| "$*".contains(sign)).into_iter().filter_map(place).collect();
        if boxes.is_empty() {
            return Err("a maze has boxes, `$` or `*`, where the player can come".to_owned());
        }
        Ok(Maze { near: near.collect(), boxes, player: place(start).expect("the first cell") })
    }
}

const EMPTY: Value = 0;
const BOX: Value = 1;
const PLAYER: Value = 2;

fn search(maze: &Maze, pulls: bool, budget: &Budget) -> Result<Growth, Limit> {
    let name = if pulls { "pulling too" } else { "pushing" };
    explore(name, &puzzle(maze, pulls, budget)?, usize::MAX, budget, |layer, _| Ok(layer.clone()))
}

/// One variable for each cell: empty, a box, or the player, as in Lemma 4.3.
fn puzzle(maze: &Maze, pulls: bool, budget: &Budget) -> Result<Puzzle, Limit> {
    let sizes = vec![3; maze.near.len()];
    let space = space(sizes.clone(), budget)?;
    let begin: Vec<_> = (0..sizes.len())
        .map(|cell| {
            let holds = if cell == maze.player { PLAYER } else { EMPTY };
            fact(cell, if maze.boxes.contains(&cell) { BOX } else { holds })
        })
        .collect();
    let initial = space.facts(&begin)?;
    let mut steps = Vec::new();
    for (from, near) in maze.near.iter().enumerate() {
        for (way, to) in near.iter().enumerate() {
            let Some(to) = *to else { continue };
            let mut add = |needs: &[_], makes: &[_]| -> Result<(), Limit> {
                steps.push(step(&space, needs, makes, &sizes)?);
                Ok(())
            };
            add(&[fact(from, PLAYER), fact(to, EMPTY)], &[fact(from, EMPTY), fact(to, PLAYER)])?;
            if let Some(beyond) = maze.near[to][way] {
                let needs = [fact(from, PLAYER), fact(to, BOX), fact(beyond, EMPTY)];
                add(&needs, &[fact(from, EMPTY), fact(to, PLAYER), fact(beyond, BOX)])?;
            }
            // The opposite of left is right, of up is down.
            if let Some(behind) = near[way ^ 1].filter(|_| pulls) {
                let needs = [fact(behind, BOX), fact(from, PLAYER), fact(to, EMPTY)];
                add(&needs, &[fact(behind, EMPTY), fact(from, BOX), fact(to, PLAYER)])?;
            }
        }
    }
    let turns = vec![merge(&space, steps, 5_000, 10_000_000)?];
    Ok(Puzzle { space, initial, turns, returns: true })
}

#[cfg(test)]
mod tests {
    use std::collections::{HashSet, VecDeque};

    use super::*;

    /// Counts by looking at single states.
    fn slowly(maze: &Maze, pulls: bool) -> usize {
        let mut boxes = maze.boxes.clone();
        boxes.sort_unstable();
        let mut seen = HashSet::from([(boxes.clone(), maze.player)]);
        let mut queue = VecDeque::from([(boxes, maze.player)]);
        while let Some((boxes, player)) = queue.pop_front() {
            let moved = |from: usize, to: usize| {
                let mut boxes: Vec<usize> =
                    boxes.iter().map(|&own| if own == from { to } else { own }).collect();
                boxes.sort_unstable();
                boxes
            };
            for way in 0..4 {
                let Some(to) = maze.near[player][way] else { continue };
                let mut next = Vec::new();
                if boxes.contains(&to) {
                    if let Some(beyond) = maze.near[to][way].filter(|cell| !boxes.contains(cell)) {
                        next.push((moved(to, beyond), to));
                    }
                } else {
                    next.push((boxes.clone(), to));
                    if let Some(behind) =
                        maze.near[player][way ^ 1].filter(|cell| pulls && boxes.contains(cell))
                    {
                        next.push((moved(behind, player), to));
                    }
                }
                for state in next {
                    if seen.insert(state.clone()) {
                        queue.push_back(state);
                    }
                }
            }
        }
        seen.len()
    }

    #[test]
    fn sets_count_what_single_states_count() {
        let maze = Maze::read("#####\n#@  #\n# $ ##\n#  $ #\n#.  .#\n######").expect("a sound maze");
        for pulls in [false, true] {
            let growth = search(&maze, pulls, &Budget::unlimited()).expect("no limit");
            assert_eq!(growth.states(), slowly(&maze, pulls) as u128, "{pulls}");
            assert!(growth.complete);
        }
    }

    #[test]
    fn broken_mazes_are_refused() {
        for text in ["", "# @ @ $ #", "#@ #", "#@x$#"] {
            assert!(Maze::read(text).is_err(), "{text}");
        }
    }
}
