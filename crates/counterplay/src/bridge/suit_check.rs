//! Strategies for a suit as files, and their replay in every layout.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_check::{CheckedSuitPart, SuitFlaw, check_suit_strategy};
use serde::Serialize;

pub use counterplay_check::is_suit_strategy as is_suit_text;

use crate::effort::seconds;
use crate::error::Halt;
use crate::figures::count;

/// Whether the strategies of a file do what they say. Its JSON form is what `counterplay check FILE --json` prints for a suit at bridge.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitValidity {
    pub valid: bool,
    /// If it does not hold: the first thing that is wrong, with its line.
    pub why: Option<String>,
    /// North's cards of the suit.
    pub north: Option<String>,
    /// South's cards of the suit.
    pub south: Option<String>,
    /// What is proved, the highest number of tricks first: lower bounds that hold against every defence. That no play does better is not proved.
    pub claims: Vec<SuitClaim>,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// What a strategy makes sure of.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitClaim {
    /// At least so many tricks.
    pub tricks: u8,
    /// With at least this chance, as a fraction.
    pub chance: String,
    /// The same in percent, with the four decimals of published tables.
    pub percent: f64,
    /// Situations for which the file has a card.
    pub situations: usize,
    /// Ways of the missing cards to lie in which the strategy was followed, card by card.
    pub layouts: usize,
}

impl From<CheckedSuitPart> for SuitClaim {
    fn from(part: CheckedSuitPart) -> SuitClaim {
        let (over, under) = part.chance;
        SuitClaim {
            tricks: part.tricks,
            chance: format!("{over}/{under}"),
            percent: (over as f64 / under as f64 * 1e6).round() / 1e4,
            situations: part.situations,
            layouts: part.layouts,
        }
    }
}

impl SuitValidity {
    /// A line for each number of tricks, for people.
    pub fn text(&self) -> String {
        let (Some(north), Some(south), true) = (&self.north, &self.south, self.valid) else {
            return format!("invalid: {}\n", self.why.as_deref().unwrap_or_default());
        };
        let line = |claim: &SuitClaim| {
            format!(
                "valid: North {north}, South {south}: at least {} with a chance of at least {} ({:.4} %) against every defence \
                 ({}, {})\n",
                count(claim.tricks, "trick"),
                claim.chance,
                claim.percent,
                count(claim.situations, "situation"),
                count(claim.layouts, "layout"),
            )
        };
        self.claims.iter().map(line).collect()
    }
}

/// Follows the strategies that `bridge suit --certificate` has written, in every layout that they are to win and against every defence, with rules of its
/// own.
///
/// # Errors
/// The limit that was reached. A strategy that does not hold is no error.
pub fn check_suit_text(text: &str, budget: &Budget) -> Result<SuitValidity, Halt> {
    let started = Instant::now();
    let mut validity =
        SuitValidity { valid: false, why: None, north: None, south: None, claims: Vec::new(), seconds: 0.0 };
    match check_suit_strategy(text, budget) {
        Err(SuitFlaw::Stopped(limit)) => return Err(limit.into()),
        Err(SuitFlaw::Wrong { line, why }) => validity.why = Some(format!("line {line}: {why}")),
        Ok(checked) => {
            validity.valid = true;
            (validity.north, validity.south) = (Some(checked.north), Some(checked.south));
            validity.claims = checked.parts.into_iter().map(SuitClaim::from).collect();
        }
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}
