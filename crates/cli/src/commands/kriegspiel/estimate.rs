//! `counterplay kriegspiel estimate`: which positions agree with all that was heard?

use std::path::PathBuf;

use clap::Args;
use counterplay::Progress;
use counterplay::kriegspiel::{History, HistoryError, estimate};

use crate::arguments::EXIT_CODES;
use crate::commands::kriegspiel::lines::Lines;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::sentinel;
use crate::settings::Settings;

/// Replay histories and tell the exact belief state after each step
///
/// Each line is a JSON object with `id`, `start_fen` (or `root_fen`) and `steps` (or `history`); where a step records the
/// number of `states` or the `sha256` of the sorted positions, it is compared.
///
/// Example: counterplay kriegspiel estimate histories.jsonl --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct EstimateArguments {
    /// The histories, a JSON object on each line; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// List the positions after the last step
    #[arg(long)]
    positions: bool,
}

/// Replays the histories of a file.
pub(crate) fn run(arguments: &EstimateArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| estimate_all(arguments, settings, &**display))
}

fn estimate_all(
    arguments: &EstimateArguments,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Exit, Halt> {
    let mut lines = Lines::read(&arguments.file, settings)?;
    let mut differs = false;
    for (index, place) in lines.places().into_iter().enumerate() {
        let Some(history) = lines.parse::<History>(place, settings) else { continue };
        match estimate(&history, index + 1, arguments.positions, &settings.budget, progress) {
            Ok(found) => {
                differs |= !found.is_as_recorded();
                if settings.json {
                    output::json(&found)?;
                } else {
                    output::answer(&found.text())?;
                }
            }
            Err(HistoryError::Limit(limit)) => return Err(limit.into()),
            Err(error) => lines.tell(place, "kriegspiel::history", &error.to_string(), settings),
        }
    }
    Ok(if lines.bad {
        Exit::Bad
    } else if differs {
        Exit::None
    } else {
        Exit::Found
    })
}
