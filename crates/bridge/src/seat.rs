//! Seats at the table.

use std::fmt;

/// One of the four players, clockwise from north.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// North.
    North,
    /// East.
    East,
    /// South.
    South,
    /// West.
    West,
}

impl Seat {
    /// Clockwise from north.
    pub const ALL: [Seat; 4] = [Seat::North, Seat::East, Seat::South, Seat::West];

    /// The player `steps` places to the left.
    #[must_use]
    pub fn after(self, steps: usize) -> Seat {
        Seat::ALL[(self as usize + steps) & 3]
    }

    /// The player to the left, who plays next.
    #[must_use]
    pub fn next(self) -> Seat {
        self.after(1)
    }

    /// The player opposite.
    #[must_use]
    pub fn partner(self) -> Seat {
        self.after(2)
    }

    /// Whether the two are the same player or partners.
    pub fn is_with(self, other: Seat) -> bool {
        (self as usize ^ other as usize) & 1 == 0
    }

    /// How many places `other` sits to the left.
    pub fn steps_to(self, other: Seat) -> usize {
        (other as usize + 4 - self as usize) & 3
    }

    /// `N`, `E`, `S` or `W`.
    pub fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// The seat of a letter in either case.
    pub fn from_letter(letter: char) -> Option<Seat> {
        Seat::ALL.into_iter().find(|seat| seat.letter() == letter.to_ascii_uppercase())
    }

    /// `North` and so on.
    pub fn name(self) -> &'static str {
        ["North", "East", "South", "West"][self as usize]
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}
