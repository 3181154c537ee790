//! `counterplay plan`: the call of the planning competitions.

use std::path::PathBuf;

use clap::Args;
use counterplay::planning::Quality;

use super::solve::{self, ExitCodes, SolveArguments};
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// Find a plan and write it to a file, as the planning competitions call planners
///
/// Example: counterplay plan domain.pddl p01.pddl sas_plan --quality improve --time-limit 30m
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlanArguments {
    /// The PDDL domain
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,

    /// The file that the best plan is written to as soon as it is found; with `--quality improve` also FILE.1, FILE.2, …
    #[arg(value_name = "PLANFILE")]
    plan_file: PathBuf,

    /// How good the plan has to be
    #[arg(long, value_enum, default_value_t, value_name = "QUALITY")]
    quality: Quality,

    /// Whose exit codes to end with
    #[arg(long, value_enum, default_value_t, value_name = "SCHEME")]
    exit_codes: ExitCodes,
}

/// Solves a problem, writes the plan to its file and prints it.
pub(crate) fn run(arguments: PlanArguments, settings: &Settings) -> Result<Exit, Failure> {
    let PlanArguments { domain, problem, plan_file, quality, exit_codes } = arguments;
    let arguments = SolveArguments::competition(domain, problem, plan_file, quality, exit_codes);
    solve::run(&arguments, settings)
}
