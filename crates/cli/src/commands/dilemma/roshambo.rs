//! `counterplay dilemma roshambo`: the model machinery at rock, paper, scissors.

use std::sync::Arc;

use clap::Args;
use counterplay_dilemma::roshambo::{Player, play};
use counterplay_syntax::similar;
use serde::Serialize;

use super::rules::positive;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Play rock, paper, scissors: a player that learns against others
///
/// Players: predictive, equilibrium, biased, cycler, beats-last, win-stay.
/// Example: counterplay dilemma roshambo predictive biased --turns 1000
#[derive(Debug, Args)]
pub(crate) struct RoshamboArguments {
    /// The first player
    #[arg(default_value = "predictive")]
    first: String,

    /// The second player; everybody in turn if left out
    second: Option<String>,

    /// Turns of a match
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = positive, allow_negative_numbers = true)]
    turns: u32,
}

#[derive(Serialize)]
struct Json {
    turns: u32,
    results: Vec<JsonResult>,
}

#[derive(Serialize)]
struct JsonResult {
    first: &'static str,
    second: &'static str,
    /// What the first won more than it lost.
    score: i64,
    per_turn: f64,
}

fn find(name: &str) -> Result<(&'static str, Player), Failure> {
    let found = Player::ALL.into_iter().find(|(known, _)| *known == name);
    found.ok_or_else(|| {
        let near = similar(name, Player::ALL.iter().map(|(name, _)| *name));
        let help = near.map(|near| format!("did you mean `{near}`?"));
        Failure::Usage { message: format!("there is no roshambo player `{name}`"), help }
    })
}

/// Plays and prints.
pub(crate) fn run(arguments: &RoshamboArguments, settings: &Settings) -> Result<Exit, Failure> {
    let (first, player) = find(&arguments.first)?;
    let others = match &arguments.second {
        Some(name) => vec![find(name)?],
        None => Player::ALL.into_iter().filter(|(name, _)| *name != first).collect(),
    };
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let mut results = Vec::new();
    for (second, other) in others {
        match play(player, other, arguments.turns, settings.seed, &settings.budget) {
            Ok(score) => {
                let per_turn = score as f64 / f64::from(arguments.turns);
                results.push(JsonResult { first, second, score, per_turn });
            }
            Err(limit) => {
                floor.take_or_wait();
                output::stopped(limit, settings);
                return Ok(Exit::Limit);
            }
        }
    }
    floor.take_or_wait();
    if settings.json {
        output::json(&Json { turns: arguments.turns, results })?;
    } else {
        let line = |r: &JsonResult| {
            format!("{} against {:12} {:+6}  {:+.3} per turn\n", r.first, r.second, r.score, r.per_turn)
        };
        output::answer(&results.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Found)
}
