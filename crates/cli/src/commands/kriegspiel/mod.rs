//! `counterplay kriegspiel`: chess in which each side sees only its own men.

mod estimate;
mod generate;
mod import;
mod lines;
mod matches;
mod pictures;
mod play;
mod program;
mod seat;
mod solve;

use clap::{Args, Subcommand};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// Kriegspiel: guaranteed checkmates, state estimation, problems, and a game against you
///
/// You see only your own men. The referee (who sees all) says whether a try is legal, where a man was taken,
/// from where the king is in check, and how the game ended.
#[derive(Debug, Args)]
pub(crate) struct KriegspielArguments {
    #[command(subcommand)]
    command: KriegspielCommand,
}

#[derive(Debug, Subcommand)]
enum KriegspielCommand {
    Solve(solve::SolveArguments),
    Estimate(estimate::EstimateArguments),
    Generate(generate::GenerateArguments),
    Play(play::PlayArguments),
    Match(matches::MatchArguments),
    Seat(seat::SeatArguments),
    Import(import::ImportArguments),
    Show(pictures::ShowArguments),
}

/// Does it.
pub(crate) fn run(arguments: &KriegspielArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        KriegspielCommand::Solve(arguments) => solve::run(arguments, settings),
        KriegspielCommand::Estimate(arguments) => estimate::run(arguments, settings),
        KriegspielCommand::Generate(arguments) => generate::run(arguments, settings),
        KriegspielCommand::Play(arguments) => play::run(arguments, settings),
        KriegspielCommand::Match(arguments) => matches::run(arguments, settings),
        KriegspielCommand::Seat(arguments) => seat::run(arguments, settings),
        KriegspielCommand::Import(arguments) => import::run(arguments, settings),
        KriegspielCommand::Show(arguments) => pictures::run(arguments, settings),
    }
}
