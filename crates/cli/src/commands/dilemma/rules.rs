//! The rules of a match, as options and as decided.

use clap::Args;
use counterplay_dilemma::{Game, Length, Rules};

/// Options about the rules.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RulesArguments {
    /// Turns of a match
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = positive, allow_negative_numbers = true)]
    pub(super) turns: u32,

    /// Tell the players how many turns there will be
    #[arg(long)]
    known_length: bool,

    /// Go on after each turn with this probability, instead of a fixed number of turns
    #[arg(
        long,
        value_name = "P",
        value_parser = going_on,
        allow_negative_numbers = true,
        conflicts_with_all = ["turns", "known_length"]
    )]
    going_on: Option<f64>,

    /// How likely each move is to come out as its opposite
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = probability, allow_negative_numbers = true)]
    pub(super) noise: f64,

    /// What CC, CD, DC and DD are worth to the one who moves first in that pair (R,S,T,P); eight numbers if the
    /// players differ
    #[arg(long, value_name = "R,S,T,P", default_value = "3,0,5,1", value_parser = game, allow_hyphen_values = true)]
    payoffs: Game,
}

/// A match that goes on by chance ends here at the latest.
const LONGEST: u32 = 10_000_000;

impl RulesArguments {
    /// The rules they come to.
    pub(super) fn decide(&self) -> Rules {
        let length = match self.going_on {
            Some(going_on) => Length::Geometric { going_on, most: LONGEST },
            None if self.known_length => Length::Known(self.turns),
            None => Length::Unknown(self.turns),
        };
        Rules { game: self.payoffs, noise: self.noise, length }
    }
}

/// Reads a number of at least one.
pub(super) fn positive(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(0) => Err("there must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{text}` is not a whole number from 1 to {}", u32::MAX)),
    }
}

/// Reads a number from 0 to 1.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("`{text}` is not a probability: it must lie between 0 and 1"))
}

fn going_on(text: &str) -> Result<f64, String> {
    let number = probability(text)?;
    if number < 1.0 { Ok(number) } else { Err("with probability 1 a match would never end".to_owned()) }
}

fn game(text: &str) -> Result<Game, String> {
    text.parse().map_err(|error: counterplay_dilemma::PayoffError| error.to_string())
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
}
