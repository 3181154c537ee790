//! `counterplay go`: life and death, and a GTP engine.

mod gtp;
mod solve;

use clap::{Args, Subcommand};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// Go: life-and-death problems, and an engine that speaks GTP
///
/// Two agents plan against each other, one to kill a group and one to save it; the tree of their moves proves the answer.
#[derive(Debug, Args)]
pub(crate) struct GoArguments {
    #[command(subcommand)]
    command: GoCommand,
}

#[derive(Debug, Subcommand)]
enum GoCommand {
    Solve(solve::SolveArguments),
    Gtp(gtp::GtpArguments),
}

/// Does it.
pub(crate) fn run(arguments: &GoArguments, settings: &Settings) -> Result<Exit, Failure> {
    match &arguments.command {
        GoCommand::Solve(arguments) => solve::run(arguments, settings),
        GoCommand::Gtp(arguments) => gtp::run(arguments, settings),
    }
}
