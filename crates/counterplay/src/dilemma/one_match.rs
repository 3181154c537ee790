//! One match between two players.

use std::time::Instant;

use counterplay_base::{Budget, Progress};
use counterplay_dilemma::{Belief, Chance, Dice, Fault, History, MatchMoves, Move, Strategy, play};
use serde::{Deserialize, Serialize};

use super::players::Players;
use super::rules::MatchRules;
use crate::effort::seconds;
use crate::error::Halt;

/// Who plays, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchRequest {
    /// The first player
    #[cfg_attr(feature = "clap", arg(value_name = "A"))]
    pub first: String,

    /// The second player
    #[cfg_attr(feature = "clap", arg(value_name = "B"))]
    pub second: String,

    /// With --json: what each player believed about the other before each turn
    #[cfg_attr(feature = "clap", arg(long))]
    pub beliefs: bool,

    /// The rules of the match.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: MatchRules,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

/// A match that was played. Its JSON form is what `counterplay dilemma match --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchAnswer {
    /// The names of both players.
    pub strategies: [String; 2],
    /// How many turns were played, up to the first fault.
    pub turns: u32,
    /// How likely each move was to come out as its opposite.
    pub noise: f64,
    /// Executed moves as `CCD…`; those before the fault if a player failed.
    pub moves: [String; 2],
    /// Total points; null if a player failed, since half a match has no score.
    pub scores: Option<[f64; 2]>,
    /// Shares of turns in which each cooperated; null if a player failed.
    pub cooperation: Option<[f64; 2]>,
    /// Players that failed. Only programs do.
    pub faults: Vec<MatchFault>,
    /// For each player, what it believed before each turn; left out if it was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beliefs: Option<[Vec<Vec<Belief>>; 2]>,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchFault {
    /// The name of the player.
    pub strategy: String,
    /// The turn in which it failed, counted from 1.
    pub turn: usize,
    /// What it did wrong, in a sentence.
    pub why: String,
}

/// Plays one match between two players.
///
/// # Errors
/// An unknown player, rules that do not fit, or the limit that was reached.
pub fn play_match(
    players: &Players,
    request: &MatchRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<MatchAnswer, Halt> {
    let started = Instant::now();
    let rules = request.rules.decide()?;
    let entrants = [players.find(&request.first)?, players.find(&request.second)?];
    progress.begin("match");
    let player = |side: usize| BeliefRecorder {
        player: entrants[side].player(&rules.setting(side)),
        beliefs: request.beliefs.then(Vec::new),
    };
    let (mut first, mut second) = (player(0), player(1));
    let mut dice = Dice::new(request.seed, &[]);
    let mut board = MatchMoves::default();
    let tally = play(&mut first, &mut second, &rules, &mut dice, &mut board, budget)?;
    let names = entrants.map(|entrant| entrant.name);
    let faults: Vec<MatchFault> = [first.fault(), second.fault()]
        .into_iter()
        .zip(&names)
        .filter_map(|(fault, name)| {
            fault.map(|fault| MatchFault { strategy: name.clone(), turn: fault.turn, why: fault.why })
        })
        .collect();
    let is_whole = faults.is_empty();
    let turns = faults.iter().map(|fault| fault.turn as u32 - 1).min().unwrap_or(tally.turns());
    let shares = tally.cooperations().map(|count| f64::from(count) / f64::from(turns.max(1)));
    Ok(MatchAnswer {
        strategies: names,
        turns,
        noise: rules.noise,
        moves: [&board.first, &board.second]
            .map(|moves| moves.iter().take(turns as usize).map(|played| played.to_string()).collect()),
        scores: is_whole.then(|| tally.scores(&rules.game)),
        cooperation: is_whole.then_some(shares),
        faults,
        beliefs: first.beliefs.zip(second.beliefs).map(Into::into),
        seconds: seconds(started.elapsed()),
    })
}

impl MatchAnswer {
    /// A line for each player: its name, its moves and its score.
    pub fn text(&self) -> String {
        let width = self.strategies.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for side in 0..2 {
            let score = self.scores.map_or("no score".to_owned(), |scores| scores[side].to_string());
            text.push_str(&format!("{:width$}  {}  {score}\n", self.strategies[side], self.moves[side]));
        }
        text
    }
}

/// A player whose beliefs are recorded before each turn, if they are wanted.
struct BeliefRecorder {
    player: Box<dyn Strategy>,
    beliefs: Option<Vec<Vec<Belief>>>,
}

impl Strategy for BeliefRecorder {
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        let intended = self.player.choose(history, chance);
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.push(self.player.beliefs(history).map_or(Vec::new(), |beliefs| beliefs.lines));
        }
        intended
    }

    fn fault(&self) -> Option<Fault> {
        self.player.fault()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use counterplay_base::Silent;
    use counterplay_dilemma::Setting;
    use counterplay_dilemma::tournament::Entrant;

    use super::*;
    use crate::error::Error;

    /// Fails in its third turn.
    struct Failing;

    impl Strategy for Failing {
        fn choose(&mut self, _: &History<'_>, _: &mut Chance) -> Move {
            Move::C
        }

        fn fault(&self) -> Option<Fault> {
            Some(Fault { turn: 3, why: "no answer".to_owned() })
        }
    }

    #[test]
    fn half_a_match_has_moves_but_no_score() {
        let make = |_: &Setting| -> Box<dyn Strategy> { Box::new(Failing) };
        let players = Players::default().with(Entrant::new("mine".to_owned(), Arc::new(make)));
        let request = MatchRequest { first: "mine".into(), second: "Defector".into(), ..Default::default() };
        let answer = play_match(&players, &request, &Budget::unlimited(), &Silent).expect("no limit");
        assert_eq!((answer.turns, answer.moves), (2, ["CC".to_owned(), "DD".to_owned()]));
        assert_eq!((answer.scores, answer.faults[0].turn), (None, 3));
    }

    #[test]
    fn a_misspelt_name_is_refused_with_a_suggestion() {
        let request = MatchRequest { first: "TitForTa".into(), second: "DBS".into(), ..Default::default() };
        let Err(Halt::Error(Error::Request { help, .. })) =
            play_match(&Players::default(), &request, &Budget::unlimited(), &Silent)
        else {
            panic!("there is no such strategy");
        };
        assert_eq!(help.as_deref(), Some("did you mean `TitForTat`?"));
    }
}
