//! Rule sets by name: what the referee says beyond the rules of the paper.
//!
//! All of them announce the square of a captured man and the directions of check, so a plan that mates under the rules of the paper
//! mates under each of them: it may ignore the rest. They differ in four points:
//!
//! | | captured man | pawn captures of the side to move | promotion | rejected tries |
//! |---|---|---|---|---|
//! | `paper` | square | – | – | heard by both |
//! | `wild16` | square, pawn or piece | how many | – | heard by nobody else |
//! | `cincinnati` | square, pawn or piece | whether there is one | – | heard by both |
//! | `rand` | square, pawn or piece | on which squares such pawns stand | announced | heard by both |
//!
//! Sources: Russell and Wolfe (2005) and the Berkeley rules for `paper`; the Internet Chess Club's help on wild 16; David Moeser's
//! article of 1977 for `cincinnati`; J. D. Williams' rules of 1950 for `rand`.

use std::fmt;
use std::str::FromStr;

use crate::chess::attacks::squares;
use crate::chess::{Board, Move, Piece, Walk};

/// What is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RuleSet {
    /// Those of Russell and Wolfe, which are the Berkeley rules.
    #[default]
    Paper,
    /// Those of the Internet Chess Club.
    Wild16,
    /// Those of Cincinnati.
    Cincinnati,
    /// Those that were played at RAND.
    Rand,
}

/// What kind of man was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taken {
    Pawn,
    /// Anything but a pawn.
    Piece,
}

/// What is said about captures that pawns of the side to move can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PawnTries {
    /// How many there are; promotions to different pieces count once.
    Count(u32),
    /// Whether there is one.
    Any(bool),
    /// The squares of the pawns that can capture, a bit each.
    From(u64),
}

/// What is announced of an accepted move beyond capture square, checks and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Extras {
    /// What was taken; `None` if nothing was, or if it is not said.
    pub taken: Option<Taken>,
    /// Pawn captures of the side that moves next; `None` if it is not said.
    pub pawn_tries: Option<PawnTries>,
    /// Whether a pawn was promoted; `false` if it is not said.
    pub promotion: bool,
}

/// A name that no rule set has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no rule set; there are paper, wild16, cincinnati and rand")]
pub struct NoRuleSet(pub String);

impl RuleSet {
    pub const ALL: [RuleSet; 4] = [RuleSet::Paper, RuleSet::Wild16, RuleSet::Cincinnati, RuleSet::Rand];

    pub fn name(self) -> &'static str {
        match self {
            RuleSet::Paper => "paper",
            RuleSet::Wild16 => "wild16",
            RuleSet::Cincinnati => "cincinnati",
            RuleSet::Rand => "rand",
        }
    }

    /// Whether the other side hears how many tries were rejected.
    pub fn tells_rejections(self) -> bool {
        self != RuleSet::Wild16
    }

    /// What is announced of a legal move beyond what the paper's referee says.
    pub fn extras(self, before: &Board, mv: Move, after: &Board) -> Extras {
        if self == RuleSet::Paper {
            return Extras::default();
        }
        let taken = before.taken_by(mv).map(|piece| match piece {
            Piece::Pawn => Taken::Pawn,
            _ => Taken::Piece,
        });
        Extras {
            taken,
            pawn_tries: self.pawn_tries(after),
            promotion: self == RuleSet::Rand && mv.promotion().is_some(),
        }
    }

    /// What is said about the pawn captures of the side to move.
    pub fn pawn_tries(self, board: &Board) -> Option<PawnTries> {
        let say = |what: fn(u32, u64) -> PawnTries| {
            let (count, from) = board.pawn_captures();
            Some(what(count, from))
        };
        match self {
            RuleSet::Paper => None,
            RuleSet::Wild16 => say(|count, _| PawnTries::Count(count)),
            RuleSet::Cincinnati => say(|count, _| PawnTries::Any(count > 0)),
            RuleSet::Rand => say(|_, from| PawnTries::From(from)),
        }
    }

    /// Whether a try makes sense after what was announced: a pawn capture that the referee has just ruled out is nonsense.
    pub fn admits(self, board: &Board, mv: Move) -> bool {
        self.pawn_tries(board).is_none_or(|said| said.admits(board, mv))
    }
}

impl PawnTries {
    /// Whether a try may be legal after this was said; only the own men of the board count.
    pub(crate) fn admits(self, board: &Board, mv: Move) -> bool {
        let is_pawn = matches!(board.at(mv.from()), Some((_, Piece::Pawn)));
        if !is_pawn || mv.from().file() == mv.to().file() {
            return true;
        }
        match self {
            PawnTries::Count(count) => count > 0,
            PawnTries::Any(any) => any,
            PawnTries::From(from) => from & mv.from().bit() != 0,
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = NoRuleSet;

    fn from_str(text: &str) -> Result<RuleSet, NoRuleSet> {
        let found = RuleSet::ALL.into_iter().find(|rules| rules.name() == text);
        found.ok_or_else(|| NoRuleSet(text.to_owned()))
    }
}

impl fmt::Display for Extras {
    /// As words after an announcement: `piece`, `promotion`, `tries 2`, `tries yes`, `tries e4,g4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.taken.map(|taken| match taken {
            Taken::Pawn => "pawn".to_owned(),
            Taken::Piece => "piece".to_owned(),
        }));
        words.extend(self.promotion.then(|| "promotion".to_owned()));
        words.extend(self.pawn_tries.map(|tries| match tries {
            PawnTries::Count(count) => format!("tries {count}"),
            PawnTries::Any(any) => format!("tries {}", if any { "yes" } else { "no" }),
            PawnTries::From(0) => "tries none".to_owned(),
            PawnTries::From(from) => {
                let names: Vec<String> = squares(from).map(|square| square.to_string()).collect();
                format!("tries {}", names.join(","))
            }
        }));
        f.write_str(&words.join(" "))
    }
}

impl Board {
    /// What a legal move takes.
    pub(crate) fn taken_by(&self, mv: Move) -> Option<Piece> {
        if let Some((_, piece)) = self.at(mv.to()) {
            return Some(piece);
        }
        let is_pawn = matches!(self.at(mv.from()), Some((_, Piece::Pawn)));
        (is_pawn && self.en_passant() == Some(mv.to())).then_some(Piece::Pawn)
    }

    /// How many captures pawns of the side to move can make, and where such pawns stand. Promotions count once.
    pub(crate) fn pawn_captures(&self) -> (u32, u64) {
        let (mut count, mut origins) = (0, 0);
        let pawns = self.kind(Piece::Pawn) & self.of(self.turn());
        self.walk_moves(pawns, |_, from, targets| {
            let sideways = squares(targets).filter(|to| to.file() != from.file()).count() as u32;
            count += sideways;
            if sideways > 0 {
                origins |= from.bit();
            }
            Walk::On
        });
        (count, origins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(rules: RuleSet, fen: &str, mv: &str) -> String {
        let board: Board = fen.parse().unwrap();
        let mv: Move = mv.parse().unwrap();
        assert!(board.is_legal(mv));
        rules.extras(&board, mv, &board.play(mv).0).to_string()
    }

    #[test]
    fn each_rule_set_says_its_own() {
        // White takes a pawn; after it two black pawns can take three times, once with promotion.
        let fen = "4k3/8/8/3p1p2/4P3/8/p7/RN2K3 w - - 0 1";
        assert_eq!(said(RuleSet::Paper, fen, "e4d5"), "");
        assert_eq!(said(RuleSet::Wild16, fen, "e4d5"), "pawn tries 1");
        assert_eq!(said(RuleSet::Wild16, fen, "b1c3"), "tries 2");
        assert_eq!(said(RuleSet::Cincinnati, fen, "e4d5"), "pawn tries yes");
        assert_eq!(said(RuleSet::Rand, fen, "b1c3"), "tries d5,f5");
        assert_eq!(said(RuleSet::Rand, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"), "promotion tries none");
    }

    #[test]
    fn en_passant_counts_as_a_pawn_try_and_takes_a_pawn() {
        let fen = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1";
        assert_eq!(said(RuleSet::Wild16, fen, "d2d4"), "tries 1");
        let after = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
        assert_eq!(said(RuleSet::Cincinnati, after, "e4d3"), "pawn tries no");
    }

    #[test]
    fn a_pinned_pawn_has_no_try() {
        let board: Board = "4r2k/8/8/8/8/3p4/4P3/4K3 w - - 0 1".parse().unwrap();
        let take = "e2d3".parse().unwrap();
        assert_eq!(RuleSet::Wild16.pawn_tries(&board), Some(PawnTries::Count(0)));
        assert!(!RuleSet::Wild16.admits(&board, take) && RuleSet::Paper.admits(&board, take));
        assert!(RuleSet::Wild16.admits(&board, "e2e3".parse().unwrap()));
    }

    #[test]
    fn rule_sets_have_names() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.name().parse(), Ok(rules));
        }
        assert!("icc".parse::<RuleSet>().is_err());
    }
}
