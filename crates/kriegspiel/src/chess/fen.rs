//! Positions as text: Forsyth-Edwards notation, for boards of 4 × 4 to 8 × 8.
//!
//! [`Board::from_fen`] is the only way from text to a position, and every position that it lets through is one that
//! the rules can deal with: a king each, no king that could be taken, no pawn on the last ranks.

use std::fmt;
use std::str::FromStr;

use super::attacks::squares;
use super::board::{Board, Castling};
use super::types::{Color, Piece, Square};

/// What is wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// A field is missing.
    #[error("the {0} is missing")]
    Missing(&'static str),
    /// There are more than six fields.
    #[error("there is something after the last field: `{0}`")]
    TooMuch(String),
    /// The board is not n × n with n from 4 to 8.
    #[error("the board has {0} ranks; 4 to 8 are possible")]
    Ranks(usize),
    /// A rank has the wrong length.
    #[error("rank {rank} has {found} files, and there are {expected} ranks")]
    Files {
        /// The rank, from one.
        rank: usize,
        found: usize,
        /// As many as ranks.
        expected: usize,
    },
    /// A letter that is no man.
    #[error("`{0}` is no man")]
    Man(char),
    /// A field with something unreadable.
    #[error("`{text}` is no {field}")]
    Field { field: &'static str, text: String },
    /// Not one king each.
    #[error("{color:?} has {found} kings")]
    Kings { color: Color, found: u32 },
    /// A pawn where none can be.
    #[error("there is a pawn on {0}")]
    PawnRank(Square),
    /// More men than a side begins with.
    #[error("{color:?} has {found} {what}; there cannot be more than {most}")]
    TooMany {
        color: Color,
        found: u32,
        what: &'static str,
        /// How many there may be.
        most: u32,
    },
    /// The side that has just moved left its king to be taken.
    #[error("{0:?} is in check, but it is the other side's turn")]
    OpponentInCheck(Color),
    /// Castling without king and rook at home.
    #[error("`{0}` says that castling is possible, but king and rook are not at home")]
    CastlingRights(char),
}

impl Board {
    /// Reads a position. Clocks may be left out, and are forgotten.
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        let mut fields = text.split_ascii_whitespace();
        let placement = fields.next().ok_or(FenError::Missing("placement"))?;
        let turn = match fields.next().ok_or(FenError::Missing("side to move"))? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Field { field: "side to move", text: other.to_owned() }),
        };
        let mut board = place(placement, turn)?;
        board.check_men()?;
        board.read_castling(fields.next().unwrap_or("-"))?;
        let passing = fields.next().unwrap_or("-");
        for field in ["half-move clock", "move number"] {
            if let Some(clock) = fields.next()
                && clock.parse::<u32>().is_err()
            {
                return Err(FenError::Field { field, text: clock.to_owned() });
            }
        }
        if let Some(more) = fields.next() {
            return Err(FenError::TooMuch(more.to_owned()));
        }
        let waiting = turn.other();
        if board.attackers(turn, board.king(waiting), board.blocked()) != 0 {
            return Err(FenError::OpponentInCheck(waiting));
        }
        board.read_en_passant(passing)?;
        Ok(board)
    }

    fn check_men(&self) -> Result<(), FenError> {
        for color in [Color::White, Color::Black] {
            let own = self.of(color);
            let kings = (self.kind(Piece::King) & own).count_ones();
            if kings != 1 {
                return Err(FenError::Kings { color, found: kings });
            }
            let size = u32::from(self.size);
            let pawns = (self.kind(Piece::Pawn) & own).count_ones();
            for (what, found, most) in [("pawns", pawns, size), ("men", own.count_ones(), 2 * size)] {
                if found > most {
                    return Err(FenError::TooMany { color, found, what, most });
                }
            }
        }
        let last = ((1u16 << self.size) - 1) as u8;
        let ends = u64::from(last) | u64::from(last) << (8 * (self.size - 1));
        match squares(self.kind(Piece::Pawn) & ends).next() {
            Some(square) => Err(FenError::PawnRank(square)),
            None => Ok(()),
        }
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let mut rights = 0;
        for letter in text.chars() {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let kingside = match letter.to_ascii_lowercase() {
                'k' => true,
                'q' => false,
                _ => return Err(FenError::Field { field: "list of castling rights", text: text.to_owned() }),
            };
            let rank = if color == Color::White { 0 } else { 7 };
            let home = |file, piece| self.at(Square::new(file, rank)) == Some((color, piece));
            if self.size != 8 || !home(4, Piece::King) || !home(if kingside { 7 } else { 0 }, Piece::Rook) {
                return Err(FenError::CastlingRights(letter));
            }
            rights |= Castling::bit(color, kingside);
        }
        self.set_castling(Castling(rights));
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let wrong = || FenError::Field { field: "en-passant square", text: text.to_owned() };
        let square: Square = text.parse().map_err(|_| wrong())?;
        let (rank, victim, start) = match self.turn {
            Color::White => (5, -8, 8),
            Color::Black => (2, 8, -8),
        };
        let near = |step: i8| Square(square.0.wrapping_add_signed(step));
        let passed = self.size == 8
            && square.rank() == rank
            && self.at(square).is_none()
            && self.at(near(start)).is_none()
            && self.at(near(victim)) == Some((self.turn.other(), Piece::Pawn));
        if !passed {
            return Err(wrong());
        }
        self.offer_en_passant(square);
        Ok(())
    }

    /// The fields that tell positions apart: placement, turn, castling, en passant.
    pub fn epd(&self) -> String {
        let mut text = String::new();
        for rank in (0..self.size).rev() {
            let mut gap = 0;
            for file in 0..self.size {
                match self.at(Square::new(file, rank)) {
                    None => gap += 1,
                    Some((color, piece)) => {
                        if gap > 0 {
                            text.push((b'0' + gap) as char);
                            gap = 0;
                        }
                        let letter = piece.letter();
                        text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
                    }
                }
            }
            if gap > 0 {
                text.push((b'0' + gap) as char);
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(self.turn.letter());
        text.push(' ');
        let letters = [(0, 'K'), (1, 'Q'), (2, 'k'), (3, 'q')];
        text.extend(
            letters.iter().filter(|(bit, _)| self.castling.0 >> bit & 1 == 1).map(|(_, letter)| letter),
        );
        if self.castling.0 == 0 {
            text.push('-');
        }
        text.push(' ');
        match self.en_passant {
            Some(square) => text.push_str(&square.to_string()),
            None => text.push('-'),
        }
        text
    }
}

fn place(placement: &str, turn: Color) -> Result<Board, FenError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    let size = ranks.len();
    if !(4..=8).contains(&size) {
        return Err(FenError::Ranks(size));
    }
    let mut board = Board::empty(size as u8, turn);
    for (i, text) in ranks.iter().enumerate() {
        let rank = size - 1 - i;
        let mut file = 0;
        for letter in text.chars() {
            if let Some(gap @ 1..=8) = letter.to_digit(10) {
                file += gap as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::Man(letter))?;
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            if file < size {
                board.put(color, piece, Square::new(file as u8, rank as u8));
            }
            file += 1;
        }
        if file != size {
            return Err(FenError::Files { rank: rank + 1, found: file, expected: size });
        }
    }
    Ok(board)
}

impl FromStr for Board {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Board, FenError> {
        Board::from_fen(text)
    }
}

impl fmt::Display for Board {
    /// A full FEN with clocks that say nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} 0 1", self.epd())
    }
}
