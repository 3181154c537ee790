//! `counterplay bridge suit`: the best play of one suit and its odds.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use counterplay::bridge::{SuitAnswer, SuitRequest, suit, suit_with_strategies};
use counterplay_base::Silent;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::remove_earlier;
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

    /// Write declarer's card in every situation, for `counterplay check FILE`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

/// Solves the suit.
pub(crate) fn run(arguments: &SuitArguments, settings: &Settings) -> Result<Exit, Halt> {
    let answer = match arguments.certificate.as_deref() {
        None => suit(&arguments.request, &settings.budget, &Silent)?,
        Some(path) => with_certificate(path, &arguments.request, settings)?,
    };
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

/// Solves the suit and writes the strategies; none is left behind if a limit comes first.
fn with_certificate(path: &Path, request: &SuitRequest, settings: &Settings) -> Result<SuitAnswer, Halt> {
    match suit_with_strategies(request, &settings.budget, &Silent) {
        Ok((answer, text)) => {
            let failed = |error| Failure::Write { name: path.display().to_string(), error };
            fs::write(path, text).map_err(failed)?;
            Ok(answer)
        }
        Err(counterplay::Halt::Limit(limit)) => {
            remove_earlier(path)?;
            Err(Halt::Limit(limit))
        }
        Err(halt) => Err(halt.into()),
    }
}
