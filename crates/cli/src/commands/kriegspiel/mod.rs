//! `counterplay kriegspiel`: chess in which each side sees only its own men.

mod estimate;
mod generate;
mod import;
mod lines;
pub(crate) mod pictures;
mod play;
pub(crate) mod proof;
mod solve;
mod talk;

use clap::{Args, Subcommand, ValueEnum, builder::PossibleValue};
use counterplay_belief::Algorithm;

use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::sentinel;
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
        KriegspielCommand::Import(arguments) => import::run(arguments, settings),
        KriegspielCommand::Show(arguments) => pictures::run(arguments, settings),
    }
}

/// Does work under the guard of the limits, and says so if one of them ends it.
fn watched(settings: &Settings, work: impl FnOnce() -> Result<Exit, Halt>) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |_| work())
}

/// An algorithm as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named(pub(crate) Algorithm);

impl ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Named] {
        const ALL: [Named; Algorithm::ALL.len()] = {
            let mut all = [Named(Algorithm::Auto); Algorithm::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = Named(Algorithm::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}
