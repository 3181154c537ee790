//! The board: stones, strings, liberties, ko; every change can be taken back.
//!
//! Strings are circular lists with a head; the head knows the number of stones and of liberties. Whatever a move changes in
//! these tables is written to a log with its old value, so that taking a move back is reading the log backwards,
//! and making it costs a few writes.

use serde::{Deserialize, Serialize};

use crate::point::{Color, Grid, Move, Point};

/// What is on a point of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cell {
    Empty,
    Black,
    White,
    /// The edge of the world.
    Border,
}

impl Cell {
    /// The colour of the stone here.
    #[inline]
    pub fn color(self) -> Option<Color> {
        match self {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Border => None,
        }
    }

    /// A stone of this colour.
    #[inline]
    pub fn of(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

/// What the rules say of moves that take the mover's own stones off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Suicide {
    /// They are forbidden.
    #[default]
    Forbidden,
    /// They are allowed if they take more than the stone itself.
    ///
    /// A single stone would leave the position as it was.
    #[serde(rename = "several")]
    #[cfg_attr(feature = "clap", value(name = "several"))]
    OfSeveral,
}

/// Why a move is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// There is a stone already.
    #[error("the point is occupied")]
    Occupied,
    /// The ko may not be retaken at once.
    #[error("the ko may not be retaken at once")]
    Ko,
    /// The move would take its own stones.
    #[error("the move would be suicide")]
    Suicide,
    /// The position has been on the board before.
    #[error("the position would repeat an earlier one")]
    Superko,
}

#[derive(Clone, Copy)]
enum Table {
    Cell,
    Head,
    Next,
    Size,
    Liberties,
}

#[derive(Clone, Copy)]
struct Change {
    table: Table,
    at: u16,
    old: u16,
}

#[derive(Clone, Copy)]
struct Frame {
    log: u32,
    hash: u64,
    ko: Option<(Point, Color)>,
}

/// A position that moves can be made on and taken back from.
#[derive(Clone)]
pub struct Board {
    grid: Grid,
    stride: u16,
    cells: Vec<Cell>,
    head: Vec<u16>,
    next: Vec<u16>,
    size: Vec<u16>,
    liberties: Vec<u16>,
    hash: u64,
    /// Where a stone may not be put at once, and whose.
    ko: Option<(Point, Color)>,
    log: Vec<Change>,
    frames: Vec<Frame>,
    mark: Vec<u32>,
    stamp: u32,
    /// What the rules say of suicide.
    suicide: Suicide,
}

/// A fixed pseudo-random number for a stone on a point.
#[inline]
fn zobrist(color: Color, at: u16) -> u64 {
    let mut z = (u64::from(at) * 2 + color as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Board {
    pub fn new(grid: Grid) -> Board {
        let cells = grid.cells();
        let mut board = Board {
            grid,
            stride: grid.stride() as u16,
            cells: vec![Cell::Border; cells],
            head: vec![0; cells],
            next: vec![0; cells],
            size: vec![0; cells],
            liberties: vec![0; cells],
            hash: 0,
            ko: None,
            log: Vec::new(),
            frames: Vec::new(),
            mark: vec![0; cells],
            stamp: 0,
            suicide: Suicide::default(),
        };
        for point in grid.points() {
            board.cells[point.index()] = Cell::Empty;
        }
        board
    }

    /// The same position under another rule about suicide; an empty board forbids it.
    #[must_use]
    pub fn under(mut self, suicide: Suicide) -> Board {
        self.suicide = suicide;
        self
    }

    /// Becomes the position of another board of the same size, without its past: nothing can be taken back.
    pub(crate) fn copy_from(&mut self, other: &Board) {
        self.cells.copy_from_slice(&other.cells);
        self.head.copy_from_slice(&other.head);
        self.next.copy_from_slice(&other.next);
        self.size.copy_from_slice(&other.size);
        self.liberties.copy_from_slice(&other.liberties);
        (self.hash, self.ko, self.suicide) = (other.hash, other.ko, other.suicide);
        self.log.clear();
        self.frames.clear();
    }

    /// What the rules of this board say of suicide.
    pub fn suicide(&self) -> Suicide {
        self.suicide
    }

    /// Its columns and rows.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == Cell::Empty
    }

    /// The four points next to this one; some may be border.
    #[inline]
    pub(crate) fn around(&self, point: Point) -> [Point; 4] {
        let (p, s) = (point.0, self.stride);
        [Point(p - s), Point(p - 1), Point(p + 1), Point(p + s)]
    }

    /// The four points diagonally next to this one; some may be border.
    #[inline]
    pub(crate) fn diagonals(&self, point: Point) -> [Point; 4] {
        let (p, s) = (point.0, self.stride);
        [Point(p - s - 1), Point(p - s + 1), Point(p + s - 1), Point(p + s + 1)]
    }

    /// The points next to this one.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        self.around(point).into_iter().filter(|&n| self.cells[n.index()] != Cell::Border)
    }

    /// A point that names the string of a stone; it stays the same as long as the string does.
    #[inline]
    pub fn head(&self, stone: Point) -> Point {
        Point(self.head[stone.index()])
    }

    /// How many liberties the string of a stone has.
    #[inline]
    pub fn liberty_count(&self, stone: Point) -> usize {
        self.liberties[self.head[stone.index()] as usize] as usize
    }

    /// How many stones the string of a stone has.
    #[inline]
    pub fn string_size(&self, stone: Point) -> usize {
        self.size[self.head[stone.index()] as usize] as usize
    }

    /// The stones of a string.
    pub fn stones(&self, stone: Point) -> Stones<'_> {
        let head = self.head(stone);
        Stones { board: self, head, next: Some(head) }
    }

    /// Appends the liberties of a string, each once.
    pub fn liberties_of(&self, stone: Point, out: &mut Vec<Point>) {
        let start = out.len();
        for at in self.stones(stone) {
            for n in self.around(at) {
                if self.is_empty(n) && !out[start..].contains(&n) {
                    out.push(n);
                }
            }
        }
    }

    /// Where a stone may not be put at once because of ko.
    pub fn ko(&self) -> Option<Point> {
        self.ko.map(|(point, _)| point)
    }

    /// A number for the stones on the board, without ko and turn.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash after a stone of a colour here, if it takes nothing and so makes no ko; else `None`.
    #[inline]
    pub(crate) fn quiet_hash(&self, color: Color, point: Point) -> Option<u64> {
        if self.suicide == Suicide::OfSeveral && !self.breathes(color, point) {
            return None;
        }
        let enemy = Cell::of(color.other());
        let takes = self
            .around(point)
            .into_iter()
            .any(|n| self.cells[n.index()] == enemy && self.liberty_count(n) == 1);
        (!takes).then(|| self.hash ^ zobrist(color, point.0))
    }

    /// The points that the last move has left empty.
    pub fn vacated(&self) -> impl Iterator<Item = Point> + '_ {
        let start = self.frames.last().map_or(self.log.len(), |frame| frame.log as usize);
        let cells = self.log[start..].iter().filter(|change| matches!(change.table, Table::Cell));
        cells.filter(|change| change.old != Cell::Empty as u16).map(|change| Point(change.at))
    }

    /// How many moves can be taken back.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// Whether the stones around allow a stone here, ko aside: it is empty, and no suicide that the rules forbid.
    #[inline]
    pub fn has_room(&self, color: Color, point: Point) -> bool {
        self.is_empty(point)
            && (self.breathes(color, point)
                || (self.suicide == Suicide::OfSeveral && self.has_company(color, point)))
    }

    /// Whether a stone next to this point is of this colour.
    fn has_company(&self, color: Color, point: Point) -> bool {
        self.around(point).into_iter().any(|n| self.cell(n) == Cell::of(color))
    }

    /// Whether a stone here has a liberty, what it takes included.
    #[inline]
    fn breathes(&self, color: Color, point: Point) -> bool {
        let own = Cell::of(color);
        self.around(point).into_iter().any(|n| match self.cells[n.index()] {
            Cell::Empty => true,
            Cell::Border => false,
            cell => (self.liberty_count(n) > 1) == (cell == own),
        })
    }

    /// Whether a move is allowed by the rules of this board, with simple ko.
    pub fn check(&self, color: Color, point: Point) -> Result<(), Illegal> {
        self.check_under(color, point, self.suicide)
    }

    /// Whether a move is allowed by the rules with simple ko and a rule about suicide.
    pub fn check_under(&self, color: Color, point: Point, suicide: Suicide) -> Result<(), Illegal> {
        let single = || !self.has_company(color, point);
        if !self.is_empty(point) {
            Err(Illegal::Occupied)
        } else if self.ko == Some((point, color)) {
            Err(Illegal::Ko)
        } else if !self.breathes(color, point) && (suicide == Suicide::Forbidden || single()) {
            Err(Illegal::Suicide)
        } else {
            Ok(())
        }
    }

    /// How many liberties a stone here would have at most, its string and what it takes included.
    pub fn liberties_after(&mut self, color: Color, point: Point) -> usize {
        self.play(color, Move::Play(point));
        let count = if self.is_empty(point) { 0 } else { self.liberty_count(point) };
        self.undo();
        count
    }

    /// Makes a move, legal or not, as long as the point is empty. A string left without liberties is taken off, be it
    /// the mover's own.
    pub fn play(&mut self, color: Color, action: Move) -> usize {
        self.frames.push(Frame { log: self.log.len() as u32, hash: self.hash, ko: self.ko });
        self.ko = None;
        match action {
            Move::Pass => 0,
            Move::Play(point) => self.put(color, point),
        }
    }

    /// Puts a stone that is not part of the game, such as one of a handicap, or takes one away.
    pub fn set_up(&mut self, point: Point, stone: Option<Color>) {
        let before: Vec<(Point, Color)> = self
            .grid
            .points()
            .filter(|&p| p != point)
            .filter_map(|p| self.cell(p).color().map(|color| (p, color)))
            .collect();
        let mut fresh = Board::new(self.grid).under(self.suicide);
        for (p, color) in before {
            fresh.join(color, p);
        }
        if let Some(color) = stone {
            fresh.join(color, point);
        }
        fresh.log.clear();
        *self = fresh;
    }

    /// A position with these stones; where strings have no liberty, one stone of each.
    pub fn with_stones(grid: Grid, stones: &[(Point, Color)]) -> Result<Board, Vec<Point>> {
        let mut board = Board::new(grid);
        for &(point, color) in stones {
            board.join(color, point);
        }
        board.log.clear();
        let choked: Vec<Point> = grid
            .points()
            .filter(|&p| board.cell(p).color().is_some())
            .filter(|&p| board.head(p) == p && board.liberty_count(p) == 0)
            .collect();
        if choked.is_empty() { Ok(board) } else { Err(choked) }
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        let frame = self.frames.pop().expect("only moves that were made are taken back");
        while self.log.len() > frame.log as usize {
            let Change { table, at, old } = self.log.pop().expect("the log is longer than the frame");
            let at = at as usize;
            match table {
                Table::Cell => {
                    self.cells[at] = match old {
                        1 => Cell::Black,
                        2 => Cell::White,
                        _ => Cell::Empty,
                    }
                }
                Table::Head => self.head[at] = old,
                Table::Next => self.next[at] = old,
                Table::Size => self.size[at] = old,
                Table::Liberties => self.liberties[at] = old,
            }
        }
        self.hash = frame.hash;
        self.ko = frame.ko;
    }

    #[inline]
    fn set_cell(&mut self, at: Point, cell: Cell) {
        self.log.push(Change { table: Table::Cell, at: at.0, old: self.cells[at.index()] as u16 });
        self.cells[at.index()] = cell;
    }

    #[inline]
    fn set(&mut self, table: Table, at: u16, value: u16) {
        let slot = match table {
            Table::Head => &mut self.head[at as usize],
            Table::Next => &mut self.next[at as usize],
            Table::Size => &mut self.size[at as usize],
            Table::Liberties | Table::Cell => &mut self.liberties[at as usize],
        };
        self.log.push(Change { table, at, old: *slot });
        *slot = value;
    }

    /// Puts a stone and takes what has no liberty left; the number of enemy stones taken.
    fn put(&mut self, color: Color, point: Point) -> usize {
        self.join(color, point);
        let enemy = Cell::of(color.other());
        let (mut taken, mut last) = (0, point);
        for n in self.around(point) {
            if self.cells[n.index()] == enemy && self.liberty_count(n) == 0 {
                taken += self.string_size(n);
                last = n;
                self.remove(n, color);
            }
        }
        if self.liberty_count(point) == 0 {
            self.remove(point, color.other());
        } else if taken == 1 && self.string_size(point) == 1 && self.liberty_count(point) == 1 {
            self.ko = Some((last, color.other()));
        }
        taken
    }

    /// Puts a stone, and brings strings and liberties up to date without taking anything.
    fn join(&mut self, color: Color, point: Point) {
        let p = point.0;
        self.set_cell(point, Cell::of(color));
        self.hash ^= zobrist(color, p);
        self.set(Table::Head, p, p);
        self.set(Table::Next, p, p);
        self.set(Table::Size, p, 1);
        let around = self.around(point);
        let free = around.iter().filter(|&&n| self.is_empty(n)).count() as u16;
        self.set(Table::Liberties, p, free);
        let mut seen = [0u16; 4];
        for (i, &n) in around.iter().enumerate() {
            if self.cell(n).color().is_some() {
                let head = self.head[n.index()];
                if !seen[..i].contains(&head) {
                    self.set(Table::Liberties, head, self.liberties[head as usize] - 1);
                    seen[i] = head;
                }
            }
        }
        for n in around {
            if self.cell(n).color() == Some(color) && self.head(n) != self.head(point) {
                self.merge(self.head(n), self.head(point));
            }
        }
    }

    /// Makes one string of two.
    fn merge(&mut self, a: Point, b: Point) {
        let (large, small) = if self.size[a.index()] >= self.size[b.index()] { (a, b) } else { (b, a) };
        self.stamp += 1;
        let stamp = self.stamp;
        let mut fresh = 0;
        let mut at = small;
        loop {
            for n in self.around(at) {
                if self.is_empty(n) && self.mark[n.index()] != stamp {
                    self.mark[n.index()] = stamp;
                    let known = self
                        .around(n)
                        .into_iter()
                        .any(|m| self.cell(m).color().is_some() && self.head(m) == large);
                    fresh += u16::from(!known);
                }
            }
            self.set(Table::Head, at.0, large.0);
            at = Point(self.next[at.index()]);
            if at == small {
                break;
            }
        }
        let (after_large, after_small) = (self.next[large.index()], self.next[small.index()]);
        self.set(Table::Next, large.0, after_small);
        self.set(Table::Next, small.0, after_large);
        self.set(Table::Size, large.0, self.size[large.index()] + self.size[small.index()]);
        self.set(Table::Liberties, large.0, self.liberties[large.index()] + fresh);
    }

    /// Takes a string off; `gains` is the colour whose strings around it get liberties.
    fn remove(&mut self, stone: Point, gains: Color) {
        let head = self.head(stone);
        let mut at = head;
        loop {
            self.set_cell(at, Cell::Empty);
            self.hash ^= zobrist(gains.other(), at.0);
            let mut seen = [0u16; 4];
            for (i, n) in self.around(at).into_iter().enumerate() {
                if self.cell(n).color() == Some(gains) {
                    let neighbour = self.head[n.index()];
                    if !seen[..i].contains(&neighbour) {
                        seen[i] = neighbour;
                        self.set(Table::Liberties, neighbour, self.liberties[neighbour as usize] + 1);
                    }
                }
            }
            at = Point(self.next[at.index()]);
            if at == head {
                break;
            }
        }
    }
}

/// The stones of one string.
pub struct Stones<'a> {
    board: &'a Board,
    head: Point,
    next: Option<Point>,
}

impl Iterator for Stones<'_> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let at = self.next?;
        let after = Point(self.board.next[at.index()]);
        self.next = (after != self.head).then_some(after);
        Some(at)
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::diagram::diagram(self, &[]))
    }
}
