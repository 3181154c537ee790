//! `counterplay bridge`: declarer play at contract bridge, planned and explained.

mod boards;
mod calibrate;
mod deal;
mod match_;
mod person;
mod plan;
mod play;
mod show;
mod suit;

use std::sync::Arc;

use clap::{Args, Subcommand};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Bridge: declarer's plan for a deal, play, duplicate matches, single-suit odds
///
/// Example: counterplay bridge suit KJ74 A2 --tricks 3
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct BridgeArguments {
    #[command(subcommand)]
    command: BridgeCommand,
}

#[derive(Debug, Subcommand)]
enum BridgeCommand {
    Plan(plan::PlanArguments),
    Play(play::PlayArguments),
    Match(match_::MatchArguments),
    Suit(suit::SuitArguments),
    Calibrate(calibrate::CalibrateArguments),
    Deal(deal::DealArguments),
    Show(show::ShowArguments),
}

/// Does it, under the guard of the limits. Play and match have guards of their own, which know the finished boards.
pub(crate) fn run(arguments: &BridgeArguments, settings: &Settings) -> Result<Exit, Failure> {
    let floor = match &arguments.command {
        BridgeCommand::Play(_) | BridgeCommand::Match(_) => None,
        _ => Some(sentinel::watch_command(settings, &Arc::new(Display::new(settings)))),
    };
    let outcome = match &arguments.command {
        BridgeCommand::Plan(arguments) => plan::run(arguments, settings),
        BridgeCommand::Play(arguments) => play::run(arguments, settings).map_err(Halt::Failure),
        BridgeCommand::Match(arguments) => match_::run(arguments, settings).map_err(Halt::Failure),
        BridgeCommand::Suit(arguments) => suit::run(arguments, settings),
        BridgeCommand::Calibrate(arguments) => calibrate::run(arguments, settings).map_err(Halt::Failure),
        BridgeCommand::Deal(arguments) => deal::run(arguments, settings),
        BridgeCommand::Show(arguments) => show::run(arguments, settings).map_err(Halt::Failure),
    };
    if let Some(floor) = floor {
        floor.take_or_wait();
    }
    output::concluded(outcome, settings)
}
