//! One suit alone: the best play and its odds.

use ::bridge::suit::{self, Step, SuitHolding, SuitStrategy, best_play, best_strategy, write_strategies};
use counterplay_base::{Budget, Evidence, Limit, Progress, Verdict};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Halt};

/// The cards of a suit, and how many tricks are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct SuitRequest {
    /// North's cards of the suit from the top, `-` for none
    pub north: String,

    /// South's cards of the suit
    pub south: String,

    /// How many tricks are wanted; all numbers that are neither certain nor impossible if left out
    #[cfg_attr(feature = "clap", arg(long, value_name = "M"))]
    pub tricks: Option<usize>,
}

/// The best play of a suit. Its JSON form is what `counterplay bridge suit --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitAnswer {
    /// One play, or one for each number of tricks.
    #[serde(flatten)]
    pub lines: SuitLines,
    /// What the odds rest on.
    pub evidence: Evidence,
}

/// One play, or several.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SuitLines {
    /// For the number of tricks that was asked for.
    One(SuitLine),
    /// For all numbers of tricks, the highest first, down to the first that is certain.
    All {
        /// One for each number of tricks.
        answers: Vec<SuitLine>,
    },
}

/// The best play for a number of tricks.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuitLine {
    /// At least so many tricks.
    pub tricks: usize,
    /// The chance against best defence, in percent with the four decimals of published tables.
    pub percent: f64,
    /// How to play while the defenders follow with their lowest cards.
    pub line: String,
}

/// Finds the best play of a suit, with its exact odds against best defence: both hands have all the entries they need, the defenders
/// see everything, and each of them has thirteen unknown cards.
///
/// # Errors
/// The cards are no holding, or the limit that was reached.
pub fn suit(request: &SuitRequest, budget: &Budget, progress: &dyn Progress) -> Result<SuitAnswer, Halt> {
    let holding = holding(request)?;
    progress.begin("suit");
    every_line(request, &holding, |tricks| found(best_play(&holding, tricks, budget)))
}

/// The same with declarer's strategies as the text of a file, for [`check_suit_text`](super::check_suit_text).
///
/// # Errors
/// The cards are no holding, or the limit that was reached.
pub fn suit_with_strategies(
    request: &SuitRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(SuitAnswer, String), Halt> {
    let holding = holding(request)?;
    progress.begin("suit");
    let mut strategies: Vec<SuitStrategy> = Vec::new();
    let answer = every_line(request, &holding, |tricks| {
        let (answer, strategy) = found(best_strategy(&holding, tricks, budget))?;
        strategies.push(strategy);
        Ok(answer)
    })?;
    Ok((answer, write_strategies(&holding, &strategies)))
}

fn holding(request: &SuitRequest) -> Result<SuitHolding, Halt> {
    let read = SuitHolding::new(&request.north, &request.south);
    Ok(read.map_err(|error| Error::Request { message: error.to_string(), help: None })?)
}

fn found<T>(verdict: Verdict<T>) -> Result<T, Limit> {
    match verdict {
        Verdict::Solved(found) => Ok(found),
        Verdict::Stopped(limit) => Err(limit),
        Verdict::Unsolvable => unreachable!("every number of tricks has a best chance"),
    }
}

/// The best play for the number of tricks that is asked for, or for all down to the first that is certain.
fn every_line(
    request: &SuitRequest,
    holding: &SuitHolding,
    mut solve: impl FnMut(usize) -> Result<suit::SuitAnswer, Limit>,
) -> Result<SuitAnswer, Halt> {
    let wanted: Vec<usize> = match request.tricks {
        Some(tricks) => vec![tricks],
        None => (1..=holding.most()).rev().collect(),
    };
    let mut answers = Vec::new();
    for tricks in wanted {
        let found = solve(tricks)?;
        let line = found.line.iter().map(Step::words).collect::<Vec<_>>().join("; ");
        answers.push(SuitLine { tricks: found.tricks, percent: (found.chance * 1e6).round() / 1e4, line });
        if found.ways == suit::DIVISIONS {
            break;
        }
    }
    let lines = match (request.tricks, answers.pop()) {
        (Some(_), Some(only)) => SuitLines::One(only),
        (_, last) => {
            answers.extend(last);
            SuitLines::All { answers }
        }
    };
    Ok(SuitAnswer { lines, evidence: evidence() })
}

/// The odds are exact for the suit alone. They are not checked again here; the tests and the fuzzer do that.
fn evidence() -> Evidence {
    Evidence::Proved {
        engine: "strategies over all layouts of the suit".to_owned(),
        checked_by: None,
        within: Some(
            "the suit alone: free entries to both hands, defenders who see all cards, 13 unknown cards each"
                .to_owned(),
        ),
    }
}

impl SuitAnswer {
    /// The plays, one or several.
    pub fn lines(&self) -> &[SuitLine] {
        match &self.lines {
            SuitLines::One(line) => std::slice::from_ref(line),
            SuitLines::All { answers } => answers,
        }
    }

    /// A line for each number of tricks: the odds and the play.
    pub fn text(&self) -> String {
        let line = |answer: &SuitLine| {
            let line = if answer.line.is_empty() { String::new() } else { format!("  {}", answer.line) };
            let noun = if answer.tricks == 1 { "trick " } else { "tricks" };
            format!("{:>2} {noun}  {:8.4} %{line}\n", answer.tricks, answer.percent)
        };
        self.lines().iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Silent;

    use super::*;

    #[test]
    fn odds_are_those_of_the_tables() {
        let request = SuitRequest { north: "KJ74".into(), south: "A2".into(), tricks: Some(3) };
        let answer = suit(&request, &Budget::unlimited(), &Silent).expect("no limit");
        assert_eq!(answer.lines()[0].percent, 51.3727);
        let json = serde_json::to_value(&answer).expect("JSON");
        assert_eq!(json["percent"], 51.3727);
        assert_eq!(json["evidence"]["kind"], "proved");
        let all =
            suit(&SuitRequest { tricks: None, ..request }, &Budget::unlimited(), &Silent).expect("no limit");
        assert!(all.lines().len() > 1);
    }
}
