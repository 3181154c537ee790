//! `counterplay bridge show`: hand diagrams, double-dummy tables, PBN.

use std::path::PathBuf;

use clap::Args;
use counterplay::bridge::{DoubleDummy, file_to_lin, file_to_pbn, show};

use super::boards::BoardArguments;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Show the boards of a file as diagrams; convert between LIN and PBN
///
/// Example: counterplay bridge show examples/bridge/figure5.pbn --double-dummy
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// Print PBN instead of diagrams
    #[arg(long)]
    pbn: bool,

    /// Print LIN instead of diagrams
    #[arg(long, conflicts_with = "pbn")]
    lin: bool,

    /// Add the tricks that every player takes in every strain with all hands open
    #[arg(long)]
    double_dummy: bool,

    /// Draw the first board as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Shows them.
pub(crate) fn run(arguments: &ShowArguments, settings: &Settings) -> Result<Exit, Failure> {
    let boards = arguments.boards.read(settings)?;
    if let (Some(file), Some(board)) = (&arguments.svg, boards.boards.first()) {
        let name = file.display().to_string();
        std::fs::write(file, show(board, None).picture()).map_err(|error| Failure::Write { name, error })?;
    }
    if arguments.pbn {
        output::answer(&file_to_pbn(&boards.boards))?;
    } else if arguments.lin {
        output::answer(&file_to_lin(&boards.boards))?;
    } else {
        let mut solver = arguments.double_dummy.then(DoubleDummy::default);
        for board in &boards.boards {
            let answer = show(board, solver.as_mut());
            if settings.json {
                output::json(&answer)?;
            } else {
                output::answer(&answer.text())?;
            }
        }
    }
    Ok(if boards.problems.is_empty() { Exit::Found } else { Exit::Bad })
}
