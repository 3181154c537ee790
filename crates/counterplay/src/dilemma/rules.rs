//! The rules of a match, as a caller states them.

use counterplay_dilemma::{Game, Length, Rules};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Error;

/// A match that goes on by chance ends here at the latest.
const LONGEST: u32 = 10_000_000;

/// The rules of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Rules"))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchRules {
    /// Turns of a match
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MatchRules::default().turns,
        value_parser = positive, allow_negative_numbers = true))]
    pub turns: u32,

    /// Tell the players how many turns there will be
    #[cfg_attr(feature = "clap", arg(long))]
    pub known_length: bool,

    /// Go on after each turn with this probability, instead of a fixed number of turns
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", value_parser = going_on, allow_negative_numbers = true,
        conflicts_with_all = ["turns", "known_length"]))]
    pub going_on: Option<f64>,

    /// How likely each move is to come out as its opposite
    #[cfg_attr(feature = "clap", arg(long, value_name = "P", default_value_t = 0.0, value_parser = probability,
        allow_negative_numbers = true))]
    pub noise: f64,

    /// What CC, CD, DC and DD are worth to the one who moves first in that pair (R,S,T,P); eight numbers if the
    /// players differ
    #[cfg_attr(feature = "clap", arg(long, value_name = "R,S,T,P", default_value = "3,0,5,1", value_parser = game,
        allow_hyphen_values = true))]
    #[serde(serialize_with = "write_payoffs", deserialize_with = "read_payoffs")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<f64>"))]
    pub payoffs: Game,
}

impl Default for MatchRules {
    fn default() -> MatchRules {
        MatchRules { turns: 200, known_length: false, going_on: None, noise: 0.0, payoffs: Game::DILEMMA }
    }
}

impl MatchRules {
    /// The rules as the engine wants them.
    ///
    /// # Errors
    /// Numbers out of their ranges, or options that exclude each other.
    pub fn decide(&self) -> Result<Rules, Error> {
        let wrong = |message: String| Error::Request { message, help: None };
        if self.turns == 0 {
            return Err(wrong("`turns` must be at least 1".to_owned()));
        }
        let is_probability = |number: f64| (0.0..=1.0).contains(&number);
        if !is_probability(self.noise) || self.going_on.is_some_and(|number| !is_probability(number)) {
            return Err(wrong(
                "`noise` and `going-on` are probabilities: they lie between 0 and 1".to_owned(),
            ));
        }
        let length = match self.going_on {
            Some(1.0) => return Err(wrong(NEVER_ENDS.to_owned())),
            Some(_) if self.known_length => {
                return Err(wrong("`known-length` and `going-on` exclude each other".to_owned()));
            }
            Some(going_on) => Length::Geometric { going_on, most: LONGEST },
            None if self.known_length => Length::Known(self.turns),
            None => Length::Unknown(self.turns),
        };
        Ok(Rules { game: self.payoffs, noise: self.noise, length })
    }
}

const NEVER_ENDS: &str = "with probability 1 a match would never end";

/// Reads a number of at least one, for arguments of a command line.
///
/// # Errors
/// What is wrong, for people.
pub fn positive(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("there must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{text}` is not a whole number from 1 to {}", u32::MAX)),
    }
}

/// Reads a number from 0 to 1.
#[cfg(any(feature = "clap", test))]
fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a probability: it must lie between 0 and 1"))
}

#[cfg(any(feature = "clap", test))]
fn going_on(text: &str) -> Result<f64, String> {
    let number = probability(text)?;
    if number < 1.0 { Ok(number) } else { Err(NEVER_ENDS.to_owned()) }
}

#[cfg(any(feature = "clap", test))]
fn game(text: &str) -> Result<Game, String> {
    text.parse().map_err(|error: counterplay_dilemma::PayoffError| error.to_string())
}

fn write_payoffs<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
    game.to_numbers().serialize(serializer)
}

fn read_payoffs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    let numbers = Vec::<f64>::deserialize(deserializer)?;
    Game::from_numbers(&numbers).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        assert_eq!(probability("0.1"), Ok(0.1));
        for text in ["1.5", "-0.1", "nan", "x", ""] {
            assert!(probability(text).is_err_and(|why| why.contains("probability")), "{text}");
        }
        assert!(going_on("1").is_err());
        assert_eq!(positive("7"), Ok(7));
        for text in ["0", "-1", "1.5", "99999999999"] {
            assert!(positive(text).is_err(), "{text}");
        }
        assert!(game("3,0,x,1").is_err_and(|why| why.contains("`x` is not a number")));
    }

    /// What a command line refuses is refused from JSON as well.
    #[test]
    fn rules_are_read_from_json() {
        let read = |text: &str| serde_json::from_str::<MatchRules>(text);
        let rules = read(r#"{"turns": 30, "noise": 0.1, "payoffs": [4, 1, 3, 2, 3, 0, 5, 1]}"#).unwrap();
        assert_eq!((rules.turns, rules.payoffs.second.dc), (30, 5.0));
        assert_eq!(read(&serde_json::to_string(&rules).unwrap()).unwrap(), rules);
        for text in [r#"{"payoffs": [1, 2]}"#, r#"{"nois": 0.1}"#] {
            assert!(read(text).is_err(), "{text}");
        }
        for text in [
            r#"{"turns": 0}"#,
            r#"{"noise": 1.5}"#,
            r#"{"going-on": 1}"#,
            r#"{"going-on": 0.5, "known-length": true}"#,
        ] {
            assert!(read(text).unwrap().decide().is_err(), "{text}");
        }
    }
}
