//! Round robins with repetitions, and the ecology of their scores.

use std::num::NonZero;
use std::thread;
use std::time::Instant;

use counterplay_base::{Budget, Evidence, Limit, Progress};
use counterplay_dilemma::ecology::{self, Ecology};
use counterplay_dilemma::tournament::{self as engine, Herald, Options, Results};
use serde::{Deserialize, Serialize};

use super::pictures;
use super::players::Players;
use super::rules::MatchRules;
#[cfg(feature = "clap")]
use super::rules::positive;
use crate::effort::seconds;
use crate::error::{Error, Halt};

/// Who takes part, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct TournamentRequest {
    /// Who takes part, separated by commas [default: all strategies]
    #[cfg_attr(feature = "clap", arg(long, value_name = "A,B,…", value_delimiter = ','))]
    pub players: Vec<String>,

    /// Add teams of a master and its slaves, of these sizes
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE,…", value_delimiter = ',', value_parser = positive,
        allow_negative_numbers = true))]
    pub teams: Vec<u32>,

    /// How often each pair meets
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = TournamentRequest::default().repetitions,
        value_parser = positive, allow_negative_numbers = true))]
    pub repetitions: u32,

    /// No player meets itself
    #[cfg_attr(feature = "clap", arg(long = "no-self-play", action = clap::ArgAction::SetFalse))]
    pub self_play: bool,

    /// Then let the players multiply by what they earn, for so many generations
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true))]
    pub ecology: Option<u32>,

    /// The rules of each match.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: MatchRules,

    /// With --json: add the matrices of scores and cooperation
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Results"))]
    pub matrices: bool,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,

    /// How many threads play; as many as there are cores if it is left open. The answer does not depend on it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub threads: Option<NonZero<usize>>,
}

impl Default for TournamentRequest {
    fn default() -> TournamentRequest {
        TournamentRequest {
            players: Vec::new(),
            teams: Vec::new(),
            repetitions: 5,
            self_play: true,
            ecology: None,
            matrices: false,
            rules: MatchRules::default(),
            seed: 0,
            threads: None,
        }
    }
}

/// A tournament that was played. Its JSON form is what `counterplay dilemma tournament --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentAnswer {
    /// `stopped` if a limit ended it: the ranking is then that of the pairings finished by then. Left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The name of the limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Turns of all matches together.
    pub turns: u64,
    /// How many matches were played.
    pub matches: u64,
    /// The players, best mean first.
    pub ranking: Vec<Rank>,
    /// Players that failed. None of their matches counts.
    pub faults: Vec<TournamentFault>,
    /// What the means rest on; null if there are none.
    pub evidence: Option<Evidence>,
    /// The shares after the last generation, largest first, if generations were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecology: Option<Vec<Share>>,
    /// The names that rows and columns of the matrices stand for, if these were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<String>>,
    /// The mean score of the row in a match against the column; null if they did not meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<Vec<Option<f64>>>>,
    /// The share of turns in which the row cooperated with the column; null if they did not meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooperation: Option<Vec<Vec<Option<f64>>>>,
    /// For each repetition, the mean score of each player in a match, in the order of `strategies`, if the matrices were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<Vec<f64>>>,
    /// The shares of all generations, in the order of `strategies`, if matrices and generations were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<Vec<Vec<f64>>>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// The limit that ended the tournament.
    #[serde(skip)]
    pub stopped: Option<Limit>,
    /// All scores, repetition by repetition.
    #[serde(skip)]
    pub results: Results,
    /// The shares of all generations.
    #[serde(skip)]
    pub generations: Option<Ecology>,
}

/// A place in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rank {
    /// The name of the player.
    pub strategy: String,
    /// The mean score of a match.
    pub mean: f64,
    /// The lower end of the 95 % confidence interval over the repetitions; null with one repetition.
    pub low: Option<f64>,
    /// The upper end of that interval.
    pub high: Option<f64>,
    /// The share of turns in which it cooperated.
    pub cooperation: f64,
}

/// The first match in which a player failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentFault {
    /// The player that failed.
    pub strategy: String,
    /// The other player of that match.
    pub against: String,
    /// The repetition, counted from 1.
    pub repetition: u32,
    /// The turn, counted from 1.
    pub turn: usize,
    /// What it did wrong, in a sentence.
    pub why: String,
}

/// What a strategy makes up of a population.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// The name of the player.
    pub strategy: String,
    /// From 0 to 1.
    pub share: f64,
}

/// Plays a tournament, and lets the players multiply if that is asked for. A limit ends it early; what was finished by then is
/// answered.
///
/// # Errors
/// An unknown player, a field that is empty or too large, or rules that do not fit.
pub fn tournament(
    players: &Players,
    request: &TournamentRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<TournamentAnswer, Halt> {
    tournament_telling(players, request, budget, progress, &|_| {})
}

/// The same; `tell` hears how the players stand on the way.
///
/// # Errors
/// As above.
pub fn tournament_telling(
    players: &Players,
    request: &TournamentRequest,
    budget: &Budget,
    progress: &dyn Progress,
    tell: Herald<'_>,
) -> Result<TournamentAnswer, Halt> {
    let started = Instant::now();
    let field = players.field(&request.players, &request.teams)?;
    let threads = request.threads.or_else(|| thread::available_parallelism().ok());
    let options = Options {
        rules: request.rules.decide()?,
        repetitions: request.repetitions.max(1),
        self_play: request.self_play,
        seed: request.seed,
        threads: threads.map_or(1, NonZero::get),
    };
    if field.len() == 1 && !request.self_play {
        let message = "a single player that does not meet itself has no opponent".to_owned();
        return Err(Error::Request { message, help: None }.into());
    }
    let results = engine::run_telling(&field, &options, budget, progress, tell);
    let mut stopped = results.stopped;
    // An ecology needs the scores of all pairs, and some are missing if a limit ended the tournament.
    let generations = request.ecology.filter(|_| stopped.is_none() && !results.names.is_empty());
    let evolved =
        generations.map(|generations| ecology::evolve(&results.score_matrix(), generations as usize, budget));
    let generations = evolved.transpose().unwrap_or_else(|limit| {
        stopped = Some(limit);
        None
    });
    let mut answer = TournamentAnswer::new(results, generations, stopped, request.matrices);
    answer.seconds = seconds(started.elapsed());
    Ok(answer)
}

impl TournamentAnswer {
    fn new(
        results: Results,
        generations: Option<Ecology>,
        stopped: Option<Limit>,
        matrices: bool,
    ) -> TournamentAnswer {
        let name = |player: usize| results.names[player].clone();
        let rank = |player: usize| Rank {
            strategy: name(player),
            mean: results.means[player].mean,
            low: results.means[player].low(),
            high: results.means[player].high(),
            cooperation: results.cooperation_rate(player),
        };
        let fault = |found: &engine::FaultReport| TournamentFault {
            strategy: found.player.clone(),
            against: found.against.clone(),
            repetition: found.repetition + 1,
            turn: found.fault.turn,
            why: found.fault.why.clone(),
        };
        let shares = |ecology: &Ecology| {
            let ranking = ecology.ranking().into_iter();
            ranking.map(|(player, share)| Share { strategy: name(player), share }).collect()
        };
        TournamentAnswer {
            verdict: stopped.map(|_| "stopped"),
            limit: stopped.map(Limit::name),
            turns: results.turns,
            matches: results.matches,
            ranking: results.ranking().into_iter().map(rank).collect(),
            faults: results.faults.iter().map(fault).collect(),
            evidence: results.evidence(),
            ecology: generations.as_ref().map(shares),
            strategies: matrices.then(|| results.names.clone()),
            scores: matrices.then(|| results.scores.clone()),
            cooperation: matrices.then(|| results.cooperation.clone()),
            runs: matrices.then(|| results.runs.clone()),
            shares: generations.as_ref().filter(|_| matrices).map(|ecology| ecology.shares.clone()),
            seconds: 0.0,
            stopped,
            results,
            generations,
        }
    }

    /// The ranking as a table, the shares of the ecology and what the means rest on; empty if no match counts.
    pub fn text(&self) -> String {
        if self.ranking.is_empty() {
            return String::new();
        }
        let mut text = self.results.text(self.generations.as_ref());
        if let Some(evidence) = &self.evidence {
            text.push_str(&format!("\n{}\n", evidence.sentence()));
        }
        text
    }

    /// The shares of all generations as CSV; `None` without an ecology.
    pub fn ecology_csv(&self) -> Option<String> {
        self.generations.as_ref().map(|ecology| self.results.ecology_csv(ecology))
    }

    /// The ranking as a bar chart (SVG).
    pub fn ranking_picture(&self) -> String {
        pictures::ranking(&self.results)
    }

    /// The mean scores of all pairs as a heat map (SVG), best players first.
    pub fn heat_map(&self) -> String {
        pictures::heat_map(&self.results)
    }

    /// The ten largest shares over the generations as lines (SVG); `None` without an ecology.
    pub fn ecology_picture(&self) -> Option<String> {
        self.generations.as_ref().map(|ecology| pictures::ecology(&self.results, ecology))
    }
}
