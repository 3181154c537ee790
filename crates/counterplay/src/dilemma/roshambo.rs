//! Rock, paper, scissors: the models of opponents outside the dilemma.

use counterplay_base::{Budget, Progress};
use counterplay_dilemma::roshambo::{RoshamboPlayer, play};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Halt};

/// Who plays, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoshamboRequest {
    /// The player whose score is told.
    pub first: RoshamboPlayer,
    /// The second player; all others in turn if it is left open.
    pub second: Option<RoshamboPlayer>,
    /// Turns of a match.
    pub turns: u32,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for RoshamboRequest {
    fn default() -> RoshamboRequest {
        RoshamboRequest { first: RoshamboPlayer::default(), second: None, turns: 1000, seed: 0 }
    }
}

/// The matches that were played. Its JSON form is what `counterplay dilemma roshambo --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoshamboAnswer {
    /// Turns of each match.
    pub turns: u32,
    /// One for each second player.
    pub results: Vec<RoshamboResult>,
}

/// The result of one match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoshamboResult {
    pub first: RoshamboPlayer,
    pub second: RoshamboPlayer,
    /// Turns that the first player won less turns that it lost.
    pub score: i64,
    /// The score divided by the turns.
    pub per_turn: f64,
}

/// Plays the matches.
///
/// # Errors
/// A match without turns, or the limit that was reached.
pub fn play_roshambo(
    request: &RoshamboRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<RoshamboAnswer, Halt> {
    let RoshamboRequest { first, second, turns, seed } = *request;
    if turns == 0 {
        return Err(Error::Request { message: "`turns` must be at least 1".to_owned(), help: None }.into());
    }
    progress.begin("match");
    let others = match second {
        Some(second) => vec![second],
        None => RoshamboPlayer::ALL.into_iter().filter(|&other| other != first).collect(),
    };
    let mut results = Vec::with_capacity(others.len());
    for second in others {
        let score = play(first, second, turns, seed, budget)?;
        results.push(RoshamboResult { first, second, score, per_turn: score as f64 / f64::from(turns) });
    }
    Ok(RoshamboAnswer { turns, results })
}

impl RoshamboAnswer {
    /// A line for each match.
    pub fn text(&self) -> String {
        let line = |result: &RoshamboResult| {
            let (first, second) = (result.first.name(), result.second.name());
            format!("{first} against {second:12} {:+6}  {:+.3} per turn\n", result.score, result.per_turn)
        };
        self.results.iter().map(line).collect()
    }
}
