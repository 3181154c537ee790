//! `counterplay mdp`: the best policy where nature picks the outcomes by known odds.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use counterplay::Progress;
use counterplay::mdp::{MdpProblem, MdpRequest, Objective, solve};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Find the best policy where nature picks the outcomes by known odds, in exact fractions where possible
///
/// The process is a table `(mdp name (initial s) (goal t) (action s a (cost 1) (1/2 t) (1/2 s)))`, or a domain and a problem in PDDL
/// with `probabilistic` effects, in one file or two.
///
/// Example: counterplay mdp domain.pddl p01.pddl --objective max-prob
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct MdpArguments {
    /// The table, the PDDL domain, or both domain and problem; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: Option<PathBuf>,

    /// What the policy is to achieve [default: min-cost if a goal can be reached for sure, else max-prob]
    #[arg(long, value_enum, value_name = "OBJECTIVE")]
    objective: Option<Objective>,

    /// How much rewards and costs count one step later, such as 0.95 or 19/20
    #[arg(long, value_name = "FACTOR")]
    discount: Option<String>,

    /// Everything ends after so many steps
    #[arg(long, value_name = "STEPS")]
    horizon: Option<usize>,

    /// Take the outcomes of `oneof` to be equally likely
    #[arg(long)]
    uniform: bool,

    /// Write the policy to this file too, in the form that `check` and `act` read
    #[arg(long, value_name = "FILE")]
    plan_file: Option<PathBuf>,

    /// Do not check the policy before it is shown
    #[arg(long)]
    no_check: bool,
}

/// Solves the process.
pub(crate) fn run(arguments: &MdpArguments, settings: &Settings) -> Result<Exit, Failure> {
    sentinel::guarded(settings, |display| answer(arguments, settings, &**display))
}

fn answer(arguments: &MdpArguments, settings: &Settings, progress: &dyn Progress) -> Result<Exit, Halt> {
    let mut reader = Reader::default();
    let first = reader.read(&arguments.file, &settings.budget)?;
    let second = match &arguments.problem {
        Some(problem) => Some(reader.read(problem, &settings.budget)?),
        None => None,
    };
    let problem = MdpProblem::of_sources(reader.sources, first, second)?;
    let request = MdpRequest {
        objective: arguments.objective,
        discount: arguments.discount.clone(),
        horizon: arguments.horizon,
        uniform: arguments.uniform,
        check: !arguments.no_check,
    };
    let answer = solve(&problem, &request, &settings.budget, progress)?;
    if let (Some(file), Some(text)) = (&arguments.plan_file, answer.file_text()) {
        let name = file.display().to_string();
        fs::write(file, text).map_err(|error| Failure::Write { name, error })?;
    }
    if settings.json {
        output::json(&answer)?;
    } else {
        output::answer(&answer.text())?;
        if settings.verbosity >= Verbosity::Normal {
            remark(&answer.evidence.sentence());
        }
    }
    Ok(Exit::of(&answer.verdict))
}
