//! `counterplay dilemma match`: two players, one match.

use clap::Args;
use counterplay::dilemma::{MatchRequest, play_match};

use super::players::{PROTOCOL, PlayerArguments};
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Play one match between two strategies or programs
///
/// Example: counterplay dilemma match TitForTat DBS --turns 30 --noise 0.1 --seed 1
#[derive(Debug, Args)]
#[command(after_help = PROTOCOL)]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    request: MatchRequest,

    #[command(flatten)]
    players: PlayerArguments,
}

/// Plays the match and prints it.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request = MatchRequest { seed: settings.seed, ..arguments.request.clone() };
    let players = arguments.players.named(&[&request.first, &request.second])?;
    let work = sentinel::answered(settings, |display| {
        Ok(play_match(&players, &request, &settings.budget, display)?)
    });
    let Some(mut answer) = work? else { return Ok(Exit::Limit) };
    answer.seconds = seconds(settings.started.elapsed());
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    for fault in &answer.faults {
        remark(&format!("error: {} failed in turn {}: {}", fault.strategy, fault.turn, fault.why));
    }
    if settings.verbosity >= Verbosity::Normal && request.rules.going_on.is_some() {
        remark(&counterplay::count(answer.turns, "turn"));
    }
    Ok(if answer.faults.is_empty() { Exit::Found } else { Exit::Bad })
}
