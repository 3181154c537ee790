//! The command `counterplay`: the rim around the engines.
//!
//! Here, and only here, files are read, answers are printed, signals are caught and exit codes are chosen. A
//! command is one file under [`commands`]: its raw arguments, the settings decided from them, and the way from
//! files to an answer. Nothing here searches.

mod arguments;
mod clock;
mod commands;
mod diagnostics;
mod exit;
mod failure;
mod files;
mod help;
mod input;
mod limits;
mod output;
mod pipes;
mod progress;
mod sentinel;
mod settings;

use std::process::ExitCode;

use clap::FromArgMatches;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::settings::Settings;

fn main() -> ExitCode {
    let matches = help::command().get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let settings = Settings::decide(&arguments.common);
    failure::own_up_to_panics(settings.color);
    match commands::run(arguments.command, &settings) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.show(&settings);
            Exit::Bad.into()
        }
    }
}
