//! `counterplay bridge deal`: random deals as PBN.

use clap::Args;
use counterplay::bridge::{DealRequest, deal};
use counterplay_base::Silent;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Halt;
use crate::output;
use crate::settings::Settings;

/// Draw random deals of a kind, as PBN
///
/// Example: counterplay bridge deal --count 10 --kind spades --points 25-27 --seed 7
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DealArguments {
    #[command(flatten)]
    request: DealRequest,
}

/// Draws them.
pub(crate) fn run(arguments: &DealArguments, settings: &Settings) -> Result<Exit, Halt> {
    let request = DealRequest { seed: settings.seed, ..arguments.request };
    output::answer(&deal(&request, &settings.budget, &Silent)?.text())?;
    Ok(Exit::Found)
}
