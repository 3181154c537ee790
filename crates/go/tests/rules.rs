//! The board against rules written twice: random games on a board that is recomputed from scratch, and taking back.

use std::collections::{BTreeSet, HashSet};

use counterplay_go::{Board, Cell, Color, Grid, Illegal, Move, Point, Suicide};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The slow twin: stones in a table, strings by walking.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Slow {
    grid: Grid,
    cells: Vec<Option<Color>>,
}

impl Slow {
    fn new(grid: Grid) -> Slow {
        Slow { grid, cells: vec![None; grid.width() * grid.height()] }
    }

    fn at(&self, p: Point) -> usize {
        let (column, row) = self.grid.place(p);
        row * self.grid.width() + column
    }

    fn next_to(&self, p: Point) -> Vec<Point> {
        let (column, row) = self.grid.place(p);
        let steps = [(0i32, -1i32), (-1, 0), (1, 0), (0, 1)];
        let to = |(dx, dy): (i32, i32)| {
            self.grid.point((column as i32 + dx).try_into().ok()?, (row as i32 + dy).try_into().ok()?)
        };
        steps.into_iter().filter_map(to).collect()
    }

    fn string(&self, p: Point) -> (BTreeSet<Point>, BTreeSet<Point>) {
        let (mut stones, mut liberties, mut open) = (BTreeSet::from([p]), BTreeSet::new(), vec![p]);
        while let Some(q) = open.pop() {
            for n in self.next_to(q) {
                match self.cells[self.at(n)] {
                    None => {
                        liberties.insert(n);
                    }
                    color if color == self.cells[self.at(p)] && stones.insert(n) => open.push(n),
                    _ => {}
                }
            }
        }
        (stones, liberties)
    }

    /// The position after a stone, and what was taken; suicide takes one's own.
    fn play(&self, color: Color, p: Point) -> (Slow, usize) {
        let mut next = self.clone();
        let at = next.at(p);
        next.cells[at] = Some(color);
        let mut taken = 0;
        for owner in [color.other(), color] {
            let dead: Vec<Point> = self
                .grid
                .points()
                .filter(|&q| next.cells[next.at(q)] == Some(owner) && next.string(q).1.is_empty())
                .collect();
            for &q in &dead {
                let at = next.at(q);
                next.cells[at] = None;
            }
            if owner != color {
                taken = dead.len();
            }
        }
        (next, taken)
    }
}

fn same(board: &Board, slow: &Slow) {
    for p in slow.grid.points() {
        let color = slow.cells[slow.at(p)];
        assert_eq!(board.cell(p).color(), color);
        if color.is_some() {
            let (stones, liberties) = slow.string(p);
            assert_eq!(board.stones(p).collect::<BTreeSet<_>>(), stones);
            assert_eq!(board.string_size(p), stones.len());
            let mut listed = Vec::new();
            board.liberties_of(p, &mut listed);
            assert_eq!(listed.len(), liberties.len());
            assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), liberties);
            assert_eq!(board.liberty_count(p), liberties.len());
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_rules_and_can_be_taken_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for (width, height, games) in [(2, 2, 20), (5, 5, 30), (4, 7, 20), (9, 9, 6), (19, 19, 1)] {
        let grid = Grid::new(width, height).unwrap();
        let points: Vec<Point> = grid.points().collect();
        for _ in 0..games {
            let mut board = Board::new(grid);
            let mut slow = Slow::new(grid);
            let mut color = Color::Black;
            let mut hashes = vec![(board.hash(), board.ko())];
            for _ in 0..3 * points.len() {
                let p = points[rng.random_range(0..points.len())];
                let suicide = slow.cells[slow.at(p)].is_none() && {
                    let (next, _) = slow.play(color, p);
                    next.cells[next.at(p)].is_none()
                };
                let alone = slow.next_to(p).iter().all(|&n| slow.cells[slow.at(n)] != Some(color));
                if suicide {
                    assert_eq!(board.check_under(color, p, Suicide::OfSeveral).is_ok(), !alone);
                }
                match board.check(color, p) {
                    Ok(()) => assert!(!suicide),
                    Err(Illegal::Suicide) => assert!(suicide),
                    Err(Illegal::Ko) => {
                        // Retaking a ko would bring the position before the last move back.
                        let (next, taken) = slow.play(color, p);
                        assert_eq!(taken, 1);
                        let mut before = board.clone();
                        before.undo();
                        same(&before, &next);
                    }
                    Err(Illegal::Occupied) => assert!(slow.cells[slow.at(p)].is_some()),
                    Err(Illegal::Superko) => unreachable!("a board knows no history"),
                }
                if board.check(color, p).is_ok() || (suicide && rng.random_range(0..4) == 0) {
                    let (next, taken) = slow.play(color, p);
                    assert_eq!(board.play(color, Move::Play(p)), taken);
                    slow = next;
                    hashes.push((board.hash(), board.ko()));
                }
                color = color.other();
            }
            same(&board, &slow);
            let stones: Vec<(Point, Color)> =
                grid.points().filter_map(|p| board.cell(p).color().map(|c| (p, c))).collect();
            assert_eq!(Board::with_stones(grid, &stones).unwrap().hash(), board.hash());
            while board.depth() > 0 {
                assert_eq!((board.hash(), board.ko()), hashes.pop().unwrap());
                board.undo();
            }
            same(&board, &Slow::new(grid));
        }
    }
}

#[test]
fn different_positions_have_different_hashes() {
    let grid = Grid::new(3, 2).unwrap();
    let mut hashes = HashSet::new();
    for code in 0..3u32.pow(6) {
        let stones: Vec<(Point, Color)> = grid
            .points()
            .enumerate()
            .filter_map(|(i, p)| match code / 3u32.pow(i as u32) % 3 {
                1 => Some((p, Color::Black)),
                2 => Some((p, Color::White)),
                _ => None,
            })
            .collect();
        if let Ok(board) = Board::with_stones(grid, &stones) {
            assert!(hashes.insert(board.hash()));
            assert!(grid.points().all(|p| board.cell(p) == Cell::Empty || board.liberty_count(p) > 0));
        }
    }
    assert!(hashes.len() > 100);
}
