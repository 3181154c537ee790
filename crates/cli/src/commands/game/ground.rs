//! `counterplay game ground`: the ground rules of a game, in figures.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use counterplay::game;

use super::read;
use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::sentinel;
use crate::settings::Settings;
use counterplay_system::memory;

/// Instantiate a game and print its figures
///
/// Example: counterplay game ground ticTacToe.kif --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct GroundArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// Write the instantiated rules in GDL to this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Grounds a game and prints figures.
pub(crate) fn run(arguments: &GroundArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| {
        let rules = read(&arguments.game, settings)?;
        let mut answer = game::ground(&rules, &settings.budget, &**display)?;
        answer.seconds = seconds(settings.started.elapsed());
        answer.peak_memory = memory::peak();
        display.clear();
        if let Some(path) = &arguments.output {
            fs::write(path, answer.game.to_gdl())
                .map_err(|error| Failure::Write { name: path.display().to_string(), error })?;
        }
        match settings.json {
            true => output::json(&answer)?,
            false => output::answer(&answer.text())?,
        }
        Ok(Exit::Found)
    })
}
