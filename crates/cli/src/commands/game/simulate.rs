//! `counterplay game simulate`: random playouts per second.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use counterplay::game::{self, SimulateRequest};

use super::read;
use crate::arguments::EXIT_CODES;
use crate::clock::{seconds, thread_time};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits;
use crate::output;
use crate::sentinel;
use crate::settings::Settings;

/// Play a game at random and count playouts per CPU second
///
/// Example: counterplay game simulate connectFour.kif --time 3s
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SimulateArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// How long to play, in CPU time of the playing thread, such as 3s
    #[arg(long, alias = "seconds", default_value = "3s", value_name = "TIME", value_parser = limits::duration)]
    time: Duration,

    /// Also play by the plain reading of the rules, without grounding, for as long
    #[arg(long)]
    interpreter: bool,
}

/// Plays at random and prints figures.
pub(crate) fn run(arguments: &SimulateArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| {
        let rules = read(&arguments.game, settings)?;
        let SimulateArguments { time, interpreter, .. } = *arguments;
        let request = SimulateRequest { seconds: time.as_secs_f64(), interpreter, seed: settings.seed };
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
