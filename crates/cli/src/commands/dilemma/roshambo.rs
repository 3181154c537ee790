//! `counterplay dilemma roshambo`: the model machinery at rock, paper, scissors.

use clap::Args;
use counterplay::dilemma::{RoshamboPlayer, RoshamboRequest, play_roshambo, positive};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
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

    /// The second player; all others in turn if left out
    second: Option<String>,

    /// Turns of a match
    #[arg(long, value_name = "N", default_value_t = RoshamboRequest::default().turns, value_parser = positive, allow_negative_numbers = true)]
    turns: u32,
}

fn find(name: &str) -> Result<RoshamboPlayer, Failure> {
    name.parse().map_err(|unknown: counterplay::dilemma::UnknownPlayer| {
        let help = unknown.similar.map(|similar| format!("did you mean `{similar}`?"));
        Failure::Usage { message: unknown.to_string(), help }
    })
}

/// Plays and prints.
pub(crate) fn run(arguments: &RoshamboArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request = RoshamboRequest {
        first: find(&arguments.first)?,
        second: arguments.second.as_deref().map(find).transpose()?,
        turns: arguments.turns,
        seed: settings.seed,
    };
    let work =
        sentinel::answered(settings, |display| Ok(play_roshambo(&request, &settings.budget, display)?));
    let Some(answer) = work? else { return Ok(Exit::Limit) };
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    Ok(Exit::Found)
}
