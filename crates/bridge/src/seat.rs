//! Seats at the table.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the four players, clockwise from north.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    North,
    East,
    South,
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

/// Text that is no seat.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no seat; write N, E, S or W")]
pub struct SeatError(pub String);

/// Reads the letter of a seat, in either case.
impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Seat, SeatError> {
        let mut letters = text.chars();
        let seat = letters.next().and_then(Seat::from_letter).filter(|_| letters.next().is_none());
        seat.ok_or_else(|| SeatError(text.to_owned()))
    }
}

/// In JSON it is its letter.
impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.letter())
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}
