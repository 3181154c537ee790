//! `counterplay bridge suit`: the best play of one suit and its odds.

use clap::Args;
use counterplay::bridge::{SuitRequest, suit};
use counterplay_base::Silent;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Halt;
use crate::output;
use crate::settings::{Settings, Verbosity};

/// The best play of one suit for so many tricks, with its exact odds against best defence
///
/// Both hands have all the entries they need, the defenders see everything, and each has thirteen unknown cards.
///
/// Example: counterplay bridge suit KJ74 A2 --tricks 3
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SuitArguments {
    #[command(flatten)]
    request: SuitRequest,
}

/// Solves the suit.
pub(crate) fn run(arguments: &SuitArguments, settings: &Settings) -> Result<Exit, Halt> {
    let answer = suit(&arguments.request, &settings.budget, &Silent)?;
    if settings.json {
        output::json(&answer)?;
        return Ok(Exit::Found);
    }
    output::answer(&answer.text())?;
    if settings.verbosity >= Verbosity::Normal {
        output::remark(&answer.evidence.sentence());
    }
    Ok(Exit::Found)
}
