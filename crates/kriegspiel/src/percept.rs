//! What the referee says after an accepted move.
//!
//! The rules are those of Russell and Wolfe (2005), known as Berkeley rules: the square of a captured man, the
//! directions of check as the checked king sees them, and how the game ended. Kinds of men, promotion, castling and
//! en passant are not announced.

use std::fmt;

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Piece, Square};

/// Directions of check, as a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Checks(u8);

/// A direction of check, from the checked king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along the file.
    File = 1,
    /// Along the longer of the two diagonals through the king's square.
    Long = 2,
    /// By a knight.
    Knight = 4,
    /// Along the rank.
    Rank = 8,
    /// Along the shorter diagonal.
    Short = 16,
}

impl Direction {
    /// All of them, by name.
    pub const ALL: [Direction; 5] =
        [Direction::File, Direction::Knight, Direction::Long, Direction::Rank, Direction::Short];

    pub fn name(self) -> &'static str {
        match self {
            Direction::File => "file",
            Direction::Long => "long",
            Direction::Knight => "knight",
            Direction::Rank => "rank",
            Direction::Short => "short",
        }
    }
}

impl Checks {
    pub const NONE: Checks = Checks(0);

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with one more direction.
    #[must_use]
    pub fn with(self, direction: Direction) -> Checks {
        Checks(self.0 | direction as u8)
    }

    /// Whether a direction is in it.
    pub fn has(self, direction: Direction) -> bool {
        self.0 & direction as u8 != 0
    }

    /// The directions, by name.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.has(direction))
    }

    /// The directions from which the side to move is in check.
    pub fn of(board: &Board) -> Checks {
        Checks::from_checkers(board, board.checkers())
    }

    /// The directions of given checkers.
    #[inline]
    pub(crate) fn from_checkers(board: &Board, checkers: u64) -> Checks {
        let king = board.king(board.turn());
        let knights = board.kind(Piece::Knight);
        squares(checkers).fold(Checks::NONE, |checks, from| {
            checks.with(if knights & from.bit() != 0 {
                Direction::Knight
            } else if from.rank() == king.rank() {
                Direction::Rank
            } else if from.file() == king.file() {
                Direction::File
            } else if is_rising(king, from) == is_rising_long(board.size(), king) {
                Direction::Long
            } else {
                Direction::Short
            })
        })
    }
}

fn is_rising(king: Square, from: Square) -> bool {
    attacks::rising(king) & from.bit() != 0
}

/// Whether the diagonal that rises to the right is the longer one. On boards of odd size the two can be equal; then
/// the rising one counts as long.
fn is_rising_long(size: u8, king: Square) -> bool {
    let (file, rank) = (king.file(), king.rank());
    file.abs_diff(rank) <= (file + rank).abs_diff(size - 1)
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Direction::name)).finish()
    }
}

/// What both sides hear of an accepted move after which the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Percept {
    /// Where a man was taken.
    pub capture: Option<Square>,
    /// From where the side that moves next is in check.
    pub checks: Checks,
}

impl fmt::Display for Percept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.capture, self.checks.is_empty()) {
            (None, true) => return write!(f, "nothing"),
            (None, false) => {}
            (Some(square), _) => write!(f, "capture on {square}")?,
        }
        if !self.checks.is_empty() {
            let names: Vec<&str> = self.checks.iter().map(Direction::name).collect();
            let gap = if self.capture.is_some() { ", " } else { "" };
            write!(f, "{gap}check by {}", names.join(" and "))?;
        }
        Ok(())
    }
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is not in check and has no move.
    Stalemate,
    /// Neither side can mate any more: a single knight or bishop is left, or only bishops on squares of one colour.
    Insufficient,
}

impl End {
    pub fn name(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::Insufficient => "insufficient",
        }
    }

    /// How a position ends the game, if it does.
    pub fn of(board: &Board) -> Option<End> {
        if !board.has_legal_move() {
            return Some(if board.in_check() { End::Checkmate } else { End::Stalemate });
        }
        board.is_insufficient().then_some(End::Insufficient)
    }
}

/// All that is announced after a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Announcement {
    /// Not a try at all, or one that was rejected before on this turn.
    Nonsense,
    /// Rejected: the men that cannot be seen stand in the way, or the king would be in check.
    Illegal,
    Legal {
        /// Capture and checks.
        percept: Percept,
        /// How the game ended, if it did.
        end: Option<End>,
    },
}

impl Announcement {
    /// The referee's answer to a move that is one of the tries, on a board that he sees.
    pub fn to_try(board: &Board, mv: crate::chess::Move) -> (Announcement, Option<Board>) {
        if !board.is_legal(mv) {
            return (Announcement::Illegal, None);
        }
        let (after, capture) = board.play(mv);
        let percept = Percept { capture, checks: Checks::of(&after) };
        (Announcement::Legal { percept, end: End::of(&after) }, Some(after))
    }
}

impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Announcement::Nonsense => write!(f, "nonsense"),
            Announcement::Illegal => write!(f, "illegal"),
            Announcement::Legal { percept, end: None } => write!(f, "{percept}"),
            Announcement::Legal { percept, end: Some(end) } => write!(f, "{percept}; {}", end.name()),
        }
    }
}
