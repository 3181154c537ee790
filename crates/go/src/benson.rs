//! Life that needs no further move: Benson's theorem, and its cheap relatives.
//!
//! D. B. Benson, Life in the game of Go (1976). A set of strings is alive whatever the other side does, even if its owner
//! always passes, when each of them has two regions whose empty points are all its liberties, and each of these regions is
//! bounded by strings of the set only. The theorem holds where suicide is forbidden; where it is not, the points of these regions on which the
//! other side has stones must be next to the string as well, because they may become empty again. We look at small regions next to the target only: leaving regions out can
//! lose a proof of life, never make one up.

use crate::board::{Board, Cell, Suicide};
use crate::point::{Color, Point};

/// Regions with more points than this are not looked at.
const LARGEST: usize = 24;

/// Reused tables, so that a test allocates nothing in the long run.
#[derive(Clone, Debug, Default)]
pub struct Benson {
    /// The region of a point, from 1.
    region: Vec<u16>,
    touched: Vec<Point>,
    strings: Vec<Point>,
    /// For each region: its strings, those it is vital to, and whether it still counts.
    regions: Vec<Region>,
    queue: Vec<Point>,
}

#[derive(Clone, Debug, Default)]
struct Region {
    strings: Vec<u16>,
    vital: Vec<bool>,
    counts: bool,
}

impl Benson {
    /// Whether the string of this stone is alive whatever happens.
    pub fn is_alive(&mut self, board: &Board, stone: Point) -> bool {
        self.is_alive_without(board, stone, |_| false)
    }

    /// The same, without counting regions that hold an excluded point: its owner may play there.
    pub fn is_alive_without(
        &mut self,
        board: &Board,
        stone: Point,
        excluded: impl Fn(Point) -> bool,
    ) -> bool {
        let Some(owner) = board.cell(stone).color() else { return false };
        if board.liberty_count(stone) < 2 {
            return false;
        }
        self.collect(board, stone, owner, &excluded);
        let mut alive = vec![true; self.strings.len()];
        loop {
            let mut changed = false;
            for (string, lives) in alive.iter_mut().enumerate().filter(|(_, lives)| **lives) {
                let vital = self.regions.iter().filter(|region| {
                    region.counts
                        && region.strings.iter().zip(&region.vital).any(|(&s, &v)| s as usize == string && v)
                });
                if vital.take(2).count() < 2 {
                    *lives = false;
                    changed = true;
                }
            }
            if !alive[0] || !changed {
                return alive[0];
            }
            for region in &mut self.regions {
                region.counts &= region.strings.iter().all(|&s| alive[s as usize]);
            }
        }
    }

    /// The small regions around the target's string, and around the strings that bound them.
    fn collect(&mut self, board: &Board, stone: Point, owner: Color, excluded: &impl Fn(Point) -> bool) {
        self.region.resize(board.grid().cells(), 0);
        for at in self.touched.drain(..) {
            self.region[at.index()] = 0;
        }
        self.regions.clear();
        self.strings.clear();
        self.strings.push(board.head(stone));
        let mut next = 0;
        while next < self.strings.len() {
            let string = self.strings[next];
            next += 1;
            for at in board.stones(string) {
                for n in board.around(at) {
                    let cell = board.cell(n);
                    if cell != Cell::Border && cell != Cell::of(owner) && self.region[n.index()] == 0 {
                        self.flood(board, n, owner, excluded);
                    }
                }
            }
        }
    }

    fn flood(&mut self, board: &Board, start: Point, owner: Color, excluded: &impl Fn(Point) -> bool) {
        let number = self.regions.len() as u16 + 1;
        self.queue.clear();
        self.queue.push(start);
        self.region[start.index()] = number;
        self.touched.push(start);
        let mut heads: Vec<Point> = Vec::new();
        let mut next = 0;
        let mut small = true;
        while next < self.queue.len() {
            let at = self.queue[next];
            next += 1;
            for n in board.around(at) {
                match board.cell(n) {
                    Cell::Border => {}
                    cell if cell == Cell::of(owner) => {
                        let head = board.head(n);
                        if !heads.contains(&head) {
                            heads.push(head);
                        }
                    }
                    _ if self.region[n.index()] == 0 => {
                        self.region[n.index()] = number;
                        self.touched.push(n);
                        self.queue.push(n);
                    }
                    // The rest of a region that was too large.
                    _ if self.region[n.index()] != number => small = false,
                    _ => {}
                }
            }
            if self.queue.len() > LARGEST {
                small = false;
                break;
            }
        }
        small &= !self.queue.iter().any(|&at| excluded(at));
        // Who may take several of his own stones off can empty a region again: then every point of it has to be a liberty.
        let stones_stay = board.suicide() == Suicide::Forbidden;
        let mut region = Region { counts: small, ..Region::default() };
        if small {
            for head in heads {
                let string = self.strings.iter().position(|&s| s == head).unwrap_or_else(|| {
                    self.strings.push(head);
                    self.strings.len() - 1
                });
                let vital = self.queue.iter().all(|&at| {
                    (!board.is_empty(at) && stones_stay)
                        || board
                            .around(at)
                            .into_iter()
                            .any(|n| board.cell(n) == Cell::of(owner) && board.head(n) == head)
                });
                region.strings.push(string as u16);
                region.vital.push(vital);
            }
        }
        self.regions.push(region);
    }
}
