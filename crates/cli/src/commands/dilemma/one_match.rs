//! `counterplay dilemma match`: two players, one match.

use std::sync::Arc;

use clap::Args;
use counterplay_dilemma::{Beliefs, Board, Chance, Dice, Fault, Length, Move, Past, Strategy, play};
use serde::Serialize;

use super::field::{PROTOCOL, ProgramArguments};
use super::rules::RulesArguments;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Play one match between two strategies or programs
///
/// Example: counterplay dilemma match TitForTat DBS --turns 30 --noise 0.1 --seed 1
#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub(crate) struct MatchArguments {
    /// The first player
    #[arg(value_name = "A")]
    first: String,

    /// The second player
    #[arg(value_name = "B")]
    second: String,

    /// With --json: what each player believed about the other before each turn
    #[arg(long)]
    beliefs: bool,

    #[command(flatten)]
    rules: RulesArguments,

    #[command(flatten)]
    programs: ProgramArguments,
}

/// The documented shape of `dilemma match --json`.
#[derive(Serialize)]
struct Json {
    strategies: [String; 2],
    turns: u32,
    noise: f64,
    /// Executed moves; those before the fault if a program failed.
    moves: [String; 2],
    /// Missing if a program failed: half a match has no score.
    scores: Option<[f64; 2]>,
    cooperation: Option<[f64; 2]>,
    faults: Vec<JsonFault>,
    /// For each player, what it believed before each turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    beliefs: Option<[Vec<Vec<JsonBelief>>; 2]>,
    seconds: f64,
}

/// A line of a model.
#[derive(Serialize)]
struct JsonBelief {
    condition: String,
    cooperates: f64,
    because: String,
    holds: bool,
}

/// A player whose beliefs are noted before each turn, if they are wanted.
struct Watched {
    player: Box<dyn Strategy>,
    notes: Option<Vec<Vec<JsonBelief>>>,
}

impl Strategy for Watched {
    fn choose(&mut self, past: &Past<'_>, chance: &mut Chance) -> Move {
        let intended = self.player.choose(past, chance);
        let Some(notes) = &mut self.notes else { return intended };
        let lines = self.player.beliefs(past).map_or(Vec::new(), |Beliefs { lines }| lines);
        let note = lines.into_iter().map(|line| JsonBelief {
            condition: line.condition,
            cooperates: line.cooperates,
            because: line.because,
            holds: line.holds,
        });
        notes.push(note.collect());
        intended
    }

    fn fault(&self) -> Option<Fault> {
        self.player.fault()
    }
}

/// What a program did wrong.
#[derive(Serialize)]
struct JsonFault {
    strategy: String,
    turn: usize,
    why: String,
}

/// Plays the match and prints it.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let rules = arguments.rules.decide();
    let entrants = [arguments.programs.find(&arguments.first)?, arguments.programs.find(&arguments.second)?];
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let player = |side: usize| Watched {
        player: entrants[side].player(&rules.setting(side)),
        notes: arguments.beliefs.then(Vec::new),
    };
    let (mut first, mut second) = (player(0), player(1));
    let mut dice = Dice::new(settings.seed, &[]);
    let mut board = Board::default();
    let outcome = play(&mut first, &mut second, &rules, &mut dice, &mut board, &settings.budget);
    floor.take_or_wait();
    let tally = match outcome {
        Ok(tally) => tally,
        Err(limit) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    let faults = [first.fault(), second.fault()].into_iter().zip(&entrants);
    let faults = faults.filter_map(|(fault, entrant)| {
        fault.map(|fault| JsonFault { strategy: entrant.name.clone(), turn: fault.turn, why: fault.why })
    });
    let faults: Vec<JsonFault> = faults.collect();
    let played = faults.iter().map(|fault| fault.turn - 1).min();
    let turns = played.map_or(tally.turns(), |turns| turns as u32);
    let moves = [&board.first, &board.second].map(|moves| {
        let text = moves.to_string();
        text.chars().take(turns as usize).collect::<String>()
    });
    let sound = faults.is_empty();
    let report = Json {
        strategies: entrants.each_ref().map(|entrant| entrant.name.clone()),
        turns,
        noise: rules.noise,
        moves,
        scores: sound.then(|| tally.scores(&rules.game)),
        cooperation: sound
            .then(|| tally.cooperations().map(|count| f64::from(count) / f64::from(turns.max(1)))),
        faults,
        beliefs: first.notes.take().zip(second.notes.take()).map(Into::into),
        seconds: seconds(settings.started.elapsed()),
    };
    if settings.json {
        output::json(&report)?;
    } else {
        output::answer(&text(&report))?;
    }
    for fault in &report.faults {
        remark(&format!("error: {} failed in turn {}: {}", fault.strategy, fault.turn, fault.why));
    }
    if settings.verbosity >= Verbosity::Normal
        && let Length::Geometric { .. } = rules.length
    {
        remark(&format!("{turns} turns"));
    }
    Ok(if report.faults.is_empty() { Exit::Found } else { Exit::Bad })
}

fn text(report: &Json) -> String {
    let width = report.strategies.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for side in 0..2 {
        let score = report.scores.map_or("no score".to_owned(), |scores| scores[side].to_string());
        text.push_str(&format!("{:width$}  {}  {score}\n", report.strategies[side], report.moves[side]));
    }
    text
}
