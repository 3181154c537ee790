//! Squares, men, colours and moves.

use std::fmt;
use std::str::FromStr;

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves up the board.
    White,
    /// Moves down the board.
    Black,
}

impl Color {
    #[inline]
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// Its letter in FEN.
    pub fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

/// The kinds of men. The numbers are the codes on the three planes of a board: sliders have the third bit set,
/// those that slide along files the first, those that slide along diagonals the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Piece {
    Pawn = 1,
    Knight = 2,
    King = 3,
    Rook = 5,
    Bishop = 6,
    Queen = 7,
}

impl Piece {
    pub const ALL: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// What a pawn may become.
    pub const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

    /// The kind with a code; none for the codes without one.
    #[inline]
    pub(crate) fn from_code(code: u8) -> Option<Piece> {
        Some(match code {
            1 => Piece::Pawn,
            2 => Piece::Knight,
            3 => Piece::King,
            5 => Piece::Rook,
            6 => Piece::Bishop,
            7 => Piece::Queen,
            _ => return None,
        })
    }

    /// The small letter for it.
    pub fn letter(self) -> char {
        match self {
            Piece::Pawn => 'p',
            Piece::Knight => 'n',
            Piece::Bishop => 'b',
            Piece::Rook => 'r',
            Piece::Queen => 'q',
            Piece::King => 'k',
        }
    }

    /// The kind that a letter stands for, small or capital.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_lowercase())
    }
}

/// A square: file + 8 × rank, both from zero. Smaller boards use the lower left corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square on a file and a rank, both below eight.
    #[inline]
    pub fn new(file: u8, rank: u8) -> Square {
        debug_assert!(file < 8 && rank < 8, "file and rank are below eight");
        Square(file + 8 * rank)
    }

    /// The file, a = 0.
    #[inline]
    pub fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, first = 0.
    #[inline]
    pub fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Its number, below 64.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds only it.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is neither a square nor a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither a square such as `e4` nor a move such as `e2e4` or `b7b8q`")]
pub struct NotAMove(pub String);

impl FromStr for Square {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Square, NotAMove> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(file - b'a', rank - b'1')),
            _ => Err(NotAMove(text.to_owned())),
        }
    }
}

/// A move or a try: where from, where to, and what a pawn becomes. Castling is the king's step of two files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A move without promotion.
    #[inline]
    pub fn new(from: Square, to: Square) -> Move {
        Move(u16::from(from.0) << 9 | u16::from(to.0) << 3)
    }

    /// A move of a pawn to the last rank, with what it becomes.
    #[inline]
    pub fn promoting(from: Square, to: Square, into: Piece) -> Move {
        Move(u16::from(from.0) << 9 | u16::from(to.0) << 3 | into as u16)
    }

    #[inline]
    pub fn from(self) -> Square {
        Square((self.0 >> 9) as u8)
    }

    #[inline]
    pub fn to(self) -> Square {
        Square((self.0 >> 3) as u8 & 63)
    }

    /// What the pawn becomes, if it does.
    #[inline]
    pub fn promotion(self) -> Option<Piece> {
        Piece::from_code((self.0 & 7) as u8)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let wrong = || NotAMove(text.to_owned());
        let (Some(from), Some(to)) = (text.get(0..2), text.get(2..4)) else { return Err(wrong()) };
        let (from, to) = (from.parse().map_err(|_| wrong())?, to.parse().map_err(|_| wrong())?);
        match &text.as_bytes()[4..] {
            [] => Ok(Move::new(from, to)),
            [letter] => Piece::from_letter(*letter as char)
                .filter(|piece| Piece::PROMOTIONS.contains(piece))
                .map(|piece| Move::promoting(from, to, piece))
                .ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_back() {
        for text in ["a1h8", "b7b8q", "g2h1n", "e1g1"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        for text in ["", "e2", "e2e9", "e7e8k", "e7e8p", "e7e8qq", "é2e4", "e2é4"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
