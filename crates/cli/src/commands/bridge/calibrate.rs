//! `counterplay bridge calibrate`: whether the chances that `bridge plan` tells come true.

use clap::Args;
use counterplay::bridge::{CalibrateRequest, calibrate};
use counterplay_base::Silent;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Compare the chances that `bridge plan` tells with the contracts that the planner makes
///
/// On each random deal the chance is estimated from layouts drawn after the lead by rule, and the true deal is played in the same
/// way. Deals are put into classes by the planner's own valuation. With `--json` there is a line for each deal, then the table.
///
/// Example: counterplay bridge calibrate --deals 20 --samples 4 --seed 1
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CalibrateArguments {
    #[command(flatten)]
    request: CalibrateRequest,
}

/// Predicts and plays the deals, and prints the table.
pub(crate) fn run(arguments: &CalibrateArguments, settings: &Settings) -> Result<Exit, Failure> {
    let request = CalibrateRequest { seed: settings.seed, ..arguments.request };
    let mut written = Ok(());
    let answer = calibrate(&request, &settings.budget, &Silent, |trial| {
        if settings.json && written.is_ok() {
            written = output::json(trial);
        }
    });
    written?;
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
    }
    match answer.stopped {
        Some(limit) => {
            output::remark(&format!("stopped: {limit}"));
            Ok(Exit::Limit)
        }
        None => Ok(Exit::Found),
    }
}
