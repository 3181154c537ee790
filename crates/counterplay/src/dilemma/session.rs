//! What is left of a match against a person.

use counterplay_dilemma::{Length, Rules, Session};
use serde::Serialize;

use crate::error::Error;

/// A match against a person, as far as it was played. Its JSON form is what `counterplay dilemma play --json` prints at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionAnswer {
    /// `you`, and the name of the strategy.
    pub strategies: [String; 2],
    /// Executed moves as `CCD…`.
    pub moves: [String; 2],
    /// Points of all turns together.
    pub scores: [f64; 2],
}

impl SessionAnswer {
    /// What a session with the strategy of this name has come to.
    pub fn new(session: &Session, strategy: &str) -> SessionAnswer {
        SessionAnswer {
            strategies: ["you".to_owned(), strategy.to_owned()],
            moves: [session.own.to_string(), session.other.to_string()],
            scores: session.scores,
        }
    }

    /// A line for each side.
    pub fn text(&self) -> String {
        let [own, other] = &self.moves;
        format!("you {own} {}\nit  {other} {}\n", self.scores[0], self.scores[1])
    }
}

/// The number of turns of a session.
///
/// # Errors
/// The rules leave it to chance.
pub fn fixed_turns(rules: &Rules) -> Result<u32, Error> {
    match rules.length {
        Length::Known(turns) | Length::Unknown(turns) => Ok(turns),
        Length::Geometric { .. } => {
            Err(Error::request("a match with a person has a fixed number of turns", "use `turns`"))
        }
    }
}
