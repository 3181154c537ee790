//! `counterplay kriegspiel import`: filtered Kriegspiel PGN to JSON lines.

use std::path::PathBuf;

use clap::Args;
use counterplay::kriegspiel::import;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::output::{self, remark};
use crate::settings::Settings;

/// Turn filtered Kriegspiel PGN (the format of the first checkmate database) into problems as JSON lines
///
/// Example: counterplay kriegspiel import games.pgn --depth 3 > problems.jsonl
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ImportArguments {
    /// The games; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Within how many plies to ask for a mate
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
}

/// Imports games.
pub(crate) fn run(arguments: &ImportArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut reader = Reader::default();
    let file = match reader.read(&arguments.file, &settings.budget) {
        Ok(file) => file,
        Err(Halt::Failure(failure)) => return Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
    };
    let source = &reader.sources.files[file];
    let mut bad = false;
    for problem in import(&source.text, arguments.depth) {
        match problem {
            Ok(problem) => output::json(&problem)?,
            Err(error) => {
                bad = true;
                remark(&format!("error: {}:{}: {}", source.name, error.line, error.problem));
            }
        }
    }
    Ok(if bad { Exit::Bad } else { Exit::Found })
}
