//! `counterplay dilemma strategies`: who is on offer, and where they come from.

use clap::Args;
use counterplay::dilemma::strategies;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// List the strategies with what they do and where they come from
///
/// Example: counterplay dilemma strategies --sources
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Show the sources too
    #[arg(long)]
    sources: bool,
}

/// Prints the list.
pub(crate) fn run(arguments: &ListArguments, settings: &Settings) -> Result<Exit, Failure> {
    let list = strategies();
    if settings.json {
        output::json(&list)?;
    } else {
        output::answer(&list.text(arguments.sources))?;
    }
    Ok(Exit::Found)
}
