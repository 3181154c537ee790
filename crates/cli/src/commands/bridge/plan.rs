//! `counterplay bridge plan`: the line of play, its chance against two defences, and why.

use std::path::PathBuf;

use clap::Args;
use counterplay::bridge::{Hands, PlanRequest, plan};
use counterplay_base::Silent;

use super::boards::BoardArguments;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::settings::Settings;

/// Declarer's plan after the opening lead: the line of play, its chance of making, and why
///
/// Only declarer's and dummy's hands are used; the other two may be left out of the deal (`-`). The chance is that of the
/// planner, as `bridge play --declarer planner` plays: layouts are drawn from what declarer knows and played to the end against
/// defence by rule and against a defence that sees all cards.
///
/// Example: counterplay bridge plan examples/bridge/figure5.pbn
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    boards: BoardArguments,

    #[command(flatten)]
    request: PlanRequest,

    /// Also draw the hands as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Plans all boards asked for.
pub(crate) fn run(arguments: &PlanArguments, settings: &Settings) -> Result<Exit, Halt> {
    let selection = arguments.boards.select(Hands::DeclarersOnly, settings)?;
    let request = PlanRequest { seed: settings.seed, threads: settings.threads, ..arguments.request };
    for board in &selection.ready {
        let answer = plan(board, &request, &settings.budget, &Silent)?;
        if let Some(file) = &arguments.svg {
            let name = file.display().to_string();
            std::fs::write(file, answer.picture()).map_err(|error| Failure::Write { name, error })?;
        }
        if settings.json {
            output::json(&answer)?;
        } else {
            output::answer(&answer.text())?;
        }
        if let Some(limit) = answer.stopped {
            output::remark(&format!("stopped: {limit}"));
            return Ok(Exit::Limit);
        }
    }
    Ok(if selection.refused.is_empty() { Exit::Found } else { Exit::Bad })
}
