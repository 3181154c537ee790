//! Contracts, scores and international match points (Laws of Duplicate Bridge, law 77 and 78 B).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::Suit;
use crate::seat::Seat;

/// A trump suit or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Strain {
    /// This suit is trumps.
    Trump(Suit),
    /// There are no trumps.
    Notrump,
}

impl Strain {
    /// The trump suit, if there is one.
    pub fn trump(self) -> Option<Suit> {
        match self {
            Strain::Trump(suit) => Some(suit),
            Strain::Notrump => None,
        }
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strain::Trump(suit) => write!(f, "{}", suit.letter()),
            Strain::Notrump => write!(f, "NT"),
        }
    }
}

/// Whether the contract was doubled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Risk {
    Plain,
    Doubled,
    Redoubled,
}

/// Which sides are vulnerable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Vulnerability {
    pub north_south: bool,
    pub east_west: bool,
}

impl Vulnerability {
    /// Whether this player's side is vulnerable.
    pub fn of(self, seat: Seat) -> bool {
        if seat.is_with(Seat::North) { self.north_south } else { self.east_west }
    }

    /// As PBN writes it.
    pub fn pbn(self) -> &'static str {
        match (self.north_south, self.east_west) {
            (false, false) => "None",
            (true, false) => "NS",
            (false, true) => "EW",
            (true, true) => "All",
        }
    }

    /// What PBN may write: `None`, `-`, `Love`, `NS`, `EW`, `All`, `Both`.
    pub fn from_pbn(text: &str) -> Option<Vulnerability> {
        let (north_south, east_west) = match text.to_ascii_lowercase().as_str() {
            "none" | "-" | "love" => (false, false),
            "ns" => (true, false),
            "ew" => (false, true),
            "all" | "both" => (true, true),
            _ => return None,
        };
        Some(Vulnerability { north_south, east_west })
    }
}

/// What declarer has promised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Contract {
    level: u8,
    pub strain: Strain,
    pub risk: Risk,
    pub declarer: Seat,
}

impl Contract {
    /// A contract of `level` 1 to 7, not doubled.
    pub fn new(level: u8, strain: Strain, declarer: Seat) -> Option<Contract> {
        (1..=7).contains(&level).then_some(Contract { level, strain, risk: Risk::Plain, declarer })
    }

    /// The same, doubled or redoubled.
    #[must_use]
    pub fn at_risk(mut self, risk: Risk) -> Contract {
        self.risk = risk;
        self
    }

    /// From 1 to 7: so many tricks more than six.
    pub fn level(self) -> u8 {
        self.level
    }

    /// How many tricks make it: 7 to 13.
    pub fn target(self) -> u8 {
        self.level + 6
    }

    /// The declaring side's score for `tricks` tricks.
    pub fn score(self, tricks: u8, vulnerable: bool) -> i32 {
        let factor = match self.risk {
            Risk::Plain => 1,
            Risk::Doubled => 2,
            Risk::Redoubled => 4,
        };
        if tricks < self.target() {
            return -self.penalty(i32::from(self.target() - tricks), factor, vulnerable);
        }
        let (each, first) = match self.strain {
            Strain::Trump(Suit::Clubs | Suit::Diamonds) => (20, 0),
            Strain::Trump(_) => (30, 0),
            Strain::Notrump => (30, 10),
        };
        let below = (each * i32::from(self.level) + first) * factor;
        let game = if below < 100 {
            50
        } else if vulnerable {
            500
        } else {
            300
        };
        let slam = match (self.level, vulnerable) {
            (6, false) => 500,
            (6, true) => 750,
            (7, false) => 1000,
            (7, true) => 1500,
            _ => 0,
        };
        let over = i32::from(tricks - self.target());
        let overtricks = match factor {
            1 => over * each,
            _ => over * 50 * factor * if vulnerable { 2 } else { 1 },
        };
        let insult = if factor > 1 { 25 * factor } else { 0 };
        below + game + slam + overtricks + insult
    }

    fn penalty(self, down: i32, factor: i32, vulnerable: bool) -> i32 {
        match (factor, vulnerable) {
            (1, false) => 50 * down,
            (1, true) => 100 * down,
            (_, false) => (100 + 200 * (down - 1) + 100 * (down - 3).max(0)) * factor / 2,
            (_, true) => (200 + 300 * (down - 1)) * factor / 2,
        }
    }

    /// Level, strain and doubles without the declarer: `3NT`, `4SX`.
    pub fn bid(self) -> String {
        Bid { level: self.level, strain: self.strain, risk: self.risk }.to_string()
    }

    /// What so many tricks come to: `3NT made with 10 tricks: +430`.
    pub fn result(self, tricks: u8, vulnerable: bool) -> String {
        let how = match self.target().checked_sub(tricks) {
            None | Some(0) => "made".to_owned(),
            Some(missing) => format!("down {missing}"),
        };
        let noun = if tricks == 1 { "trick" } else { "tricks" };
        format!("{} {how} with {tricks} {noun}: {:+}", self.bid(), self.score(tricks, vulnerable))
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.bid(), self.declarer)
    }
}

/// A bid with its doubles and no declarer yet: `3NT`, `4SX`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bid {
    /// From 1 to 7.
    pub level: u8,
    pub strain: Strain,
    pub risk: Risk,
}

impl Bid {
    /// The contract when `declarer` plays it.
    pub fn by(self, declarer: Seat) -> Contract {
        Contract { level: self.level, strain: self.strain, risk: self.risk, declarer }
    }
}

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let risk = match self.risk {
            Risk::Plain => "",
            Risk::Doubled => "X",
            Risk::Redoubled => "XX",
        };
        write!(f, "{}{}{risk}", self.level, self.strain)
    }
}

/// Text that is no contract.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no contract: write level 1 to 7, a strain (C D H S NT) and X or XX")]
pub struct BidError(pub String);

impl FromStr for Bid {
    type Err = BidError;

    fn from_str(text: &str) -> Result<Bid, BidError> {
        let wrong = || BidError(text.chars().take(20).collect());
        let upper = text.trim().to_ascii_uppercase();
        let (plain, risk) = match (upper.strip_suffix("XX"), upper.strip_suffix('X')) {
            (Some(plain), _) => (plain, Risk::Redoubled),
            (None, Some(plain)) => (plain, Risk::Doubled),
            _ => (upper.as_str(), Risk::Plain),
        };
        let mut letters = plain.chars();
        let level = letters.next().and_then(|c| c.to_digit(10)).filter(|level| (1..=7).contains(level));
        let strain = match letters.as_str() {
            "NT" | "N" => Strain::Notrump,
            one => {
                let mut only = one.chars();
                let suit = only.next().and_then(Suit::from_letter).ok_or_else(wrong)?;
                if only.next().is_some() {
                    return Err(wrong());
                }
                Strain::Trump(suit)
            }
        };
        Ok(Bid { level: level.ok_or_else(wrong)? as u8, strain, risk })
    }
}

/// In JSON it is the text that a user types.
impl Serialize for Bid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bid, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// International match points for a difference in score.
pub fn imps(difference: i32) -> i32 {
    const STEPS: [i32; 24] = [
        20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000,
        2250, 2500, 3000, 3500, 4000,
    ];
    difference.signum() * STEPS.iter().filter(|&&step| difference.abs() >= step).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The score table of the Laws: contract, tricks, vulnerable, score.
    #[test]
    fn scores_follow_the_laws() {
        let table = [
            ("3NT", 9, false, 400),
            ("3NT", 11, false, 460),
            ("3NT", 7, false, -100),
            ("3NT", 9, true, 600),
            ("1C", 7, false, 70),
            ("4S", 10, true, 620),
            ("5DX", 11, false, 550),
            ("2SX", 8, false, 470),
            ("1NTXX", 8, false, 760),
            ("1NTXX", 8, true, 1160),
            ("6H", 12, true, 1430),
            ("7NT", 13, false, 1520),
            ("4SX", 6, false, -800),
            ("4SX", 9, true, -200),
            ("4SXX", 6, true, -2200),
            ("2NT", 8, true, 120),
        ];
        for (text, tricks, vulnerable, score) in table {
            let contract = text.parse::<Bid>().expect(text).by(Seat::South);
            assert_eq!(contract.score(tricks, vulnerable), score, "{text} {tricks}");
            assert_eq!(contract.bid(), text);
        }
    }

    #[test]
    fn match_points_step_at_the_laws_values() {
        assert_eq!([0, 10, 20, 40, 50, 430, 4000, -620].map(imps), [0, 0, 1, 1, 2, 10, 24, -12]);
    }

    #[test]
    fn what_nobody_can_bid_is_no_contract() {
        for text in ["0NT", "8S", "3", "3P", "NT3", "3NTT", "", "éS", "3SXXX"] {
            assert!(text.parse::<Bid>().is_err(), "{text}");
        }
    }
}
