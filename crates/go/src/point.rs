//! Colours, points, and their names.

use std::fmt;

/// The colour of a stone, and the player of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    Black,
    White,
}

impl Color {
    #[inline]
    pub fn other(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }

    /// The letter that SGF uses.
    pub fn letter(self) -> char {
        match self {
            Color::Black => 'B',
            Color::White => 'W',
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}

/// A point of a board: its place in the board's tables, which have a border around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(crate) u16);

impl Point {
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a player does in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A stone here.
    Play(Point),
    Pass,
}

/// The least and the greatest number of lines that a board may have.
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=25;

/// Columns and rows of a board, and the arithmetic between points, columns and names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    width: u8,
    height: u8,
}

impl Grid {
    /// A grid; `None` if it is too small or too large.
    pub fn new(width: usize, height: usize) -> Option<Grid> {
        (SIZES.contains(&width) && SIZES.contains(&height))
            .then_some(Grid { width: width as u8, height: height as u8 })
    }

    pub fn width(self) -> usize {
        self.width as usize
    }

    pub fn height(self) -> usize {
        self.height as usize
    }

    /// From a point to the one below it.
    #[inline]
    pub(crate) fn stride(self) -> usize {
        self.width as usize + 1
    }

    /// How many cells a table over this grid has, border included.
    pub(crate) fn cells(self) -> usize {
        self.stride() * (self.height as usize + 2) + 1
    }

    /// The point in a column from the left and a row from the top, both from 0.
    pub fn point(self, column: usize, row: usize) -> Option<Point> {
        (column < self.width() && row < self.height())
            .then(|| Point(((row + 1) * self.stride() + column + 1) as u16))
    }

    /// The column from the left and the row from the top of a point.
    #[inline]
    pub fn place(self, point: Point) -> (usize, usize) {
        let cell = point.index() - 1;
        (cell % self.stride(), cell / self.stride() - 1)
    }

    /// All points, row by row from the top.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.height())
            .flat_map(move |row| (0..self.width()).map(move |column| (column, row)))
            .map(move |(column, row)| Point(((row + 1) * self.stride() + column + 1) as u16))
    }

    /// Lines from the nearest edge, 1 for the edge itself.
    pub fn line(self, point: Point) -> usize {
        let (column, row) = self.place(point);
        1 + column.min(self.width() - 1 - column).min(row).min(self.height() - 1 - row)
    }

    /// The name of a point as GTP writes it: a letter without I, and the row from below.
    pub fn name(self, point: Point) -> String {
        let (column, row) = self.place(point);
        let letter = b'A' + column as u8 + u8::from(column >= 8);
        format!("{}{}", char::from(letter), self.height() - row)
    }

    /// The name of a move.
    pub fn move_name(self, action: Move) -> String {
        match action {
            Move::Play(point) => self.name(point),
            Move::Pass => "pass".to_owned(),
        }
    }

    /// Reads the name of a point.
    pub fn parse(self, name: &str) -> Option<Point> {
        let mut letters = name.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        let digits = letters.as_str();
        if !letter.is_ascii_uppercase() || letter == 'I' || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let column = (letter as u8 - b'A') as usize - usize::from(letter > 'I');
        let rank: usize = digits.parse().ok()?;
        self.point(column, self.height().checked_sub(rank)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_places_are_inverse() {
        for (width, height) in [(2, 2), (9, 9), (19, 19), (25, 25), (5, 3)] {
            let grid = Grid::new(width, height).unwrap();
            assert_eq!(grid.points().count(), width * height);
            for point in grid.points() {
                assert_eq!(grid.parse(&grid.name(point)), Some(point));
                let (column, row) = grid.place(point);
                assert_eq!(grid.point(column, row), Some(point));
            }
        }
        let grid = Grid::new(19, 19).unwrap();
        for wrong in ["", "A", "I5", "A0", "A20", "U1", "A+1", "Ä1", "pass"] {
            assert_eq!(grid.parse(wrong), None, "{wrong}");
        }
        assert_eq!(grid.name(grid.point(8, 18).unwrap()), "J1");
        assert!(Grid::new(1, 5).is_none() && Grid::new(26, 5).is_none());
    }
}
