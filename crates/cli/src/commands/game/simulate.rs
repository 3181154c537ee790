//! `counterplay game simulate`: random playouts per second.

use std::path::PathBuf;

use clap::Args;
use counterplay::game::{self, SimulateRequest};

use super::read;
use crate::arguments::EXIT_CODES;
use crate::clock::{seconds, thread_time};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::sentinel;
use crate::settings::Settings;

/// Play a game at random and count playouts per CPU second
///
/// Example: counterplay game simulate connectFour.kif --seconds 3
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SimulateArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// How long to play, in seconds of CPU time
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,

    /// Also play by the plain reading of the rules, without grounding, for as long
    #[arg(long)]
    interpreter: bool,
}

/// Plays at random and prints figures.
pub(crate) fn run(arguments: &SimulateArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| {
        let rules = read(&arguments.game, settings)?;
        let SimulateArguments { seconds: allowed, interpreter, .. } = *arguments;
        let request = SimulateRequest { seconds: allowed, interpreter, seed: settings.seed };
        let mut answer = game::simulate(&rules, &request, thread_time, &settings.budget, &**display)?;
        answer.seconds = seconds(settings.started.elapsed());
        display.clear();
        match settings.json {
            true => output::json(&answer)?,
            false => output::answer(&answer.text())?,
        }
        Ok(Exit::Found)
    })
}
