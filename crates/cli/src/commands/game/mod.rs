//! `counterplay game`: general games given by their rules in GDL.

mod console;
mod ground;
pub(crate) mod matches;
mod serve;
mod simulate;
mod solve;
mod workers;

use std::path::Path;

use clap::{Args, Subcommand};
use counterplay::game::GameRules;

use crate::clock::{Phase, Phases};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::settings::Settings;

/// General games in GDL: instantiate, simulate, solve, play
#[derive(Debug, Args)]
pub(crate) struct GameArguments {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    Ground(ground::GroundArguments),
    Simulate(simulate::SimulateArguments),
    Solve(solve::SolveArguments),
    Match(matches::MatchArguments),
    Serve(serve::ServeArguments),
}

/// Does what was asked for.
pub(crate) fn run(arguments: &GameArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        GameCommand::Ground(arguments) => ground::run(arguments, settings),
        GameCommand::Simulate(arguments) => simulate::run(arguments, settings),
        GameCommand::Solve(arguments) => solve::run(arguments, settings),
        GameCommand::Match(arguments) => matches::run(arguments, settings),
        GameCommand::Serve(arguments) => serve::run(arguments, settings),
    }
}

/// Reads a rule sheet; the time of reading includes that of the file.
fn read(path: &Path, settings: &Settings) -> Result<GameRules, Halt> {
    let mut phases = Phases::default();
    let mut rules = phases.measure(Phase::Parse, || -> Result<GameRules, Halt> {
        let mut reader = Reader::default();
        let file = reader.read(path, &settings.budget)?;
        Ok(GameRules::of_sources(reader.sources, file)?)
    })?;
    rules.parse = phases.parse.unwrap_or(rules.parse);
    Ok(rules)
}
