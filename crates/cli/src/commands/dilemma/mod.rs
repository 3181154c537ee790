//! `counterplay dilemma`: repeated games with noise, between strategies, programs and people.

mod list;
mod one_match;
mod play;
mod players;
mod program;
mod roshambo;
mod tournament;

use clap::{Args, Subcommand};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// Play repeated games with noise: matches, tournaments, or against you
///
/// Example: counterplay dilemma tournament --noise 0.1 --repetitions 5
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DilemmaArguments {
    #[command(subcommand)]
    command: DilemmaCommand,
}

#[derive(Debug, Subcommand)]
enum DilemmaCommand {
    Match(one_match::MatchArguments),
    Tournament(tournament::TournamentArguments),
    Play(play::PlayArguments),
    Strategies(list::ListArguments),
    Roshambo(roshambo::RoshamboArguments),
}

/// Does it.
pub(crate) fn run(arguments: &DilemmaArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        DilemmaCommand::Match(arguments) => one_match::run(arguments, settings),
        DilemmaCommand::Tournament(arguments) => tournament::run(arguments, settings),
        DilemmaCommand::Play(arguments) => play::run(arguments, settings),
        DilemmaCommand::Strategies(arguments) => list::run(arguments, settings),
        DilemmaCommand::Roshambo(arguments) => roshambo::run(arguments, settings),
    }
}
