//! `counterplay act`: act in a simulated world, with a policy or by planning on the way.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use counterplay::planning::{ActAnswer, ActRequest, AgentKind, NatureKind, RunEnd, act};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::files::Reader;
use crate::input::lifted;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Act in a simulated world where nature picks the outcomes
///
/// Example: counterplay act domain.pddl p01.pddl --agent replan --nature random --seed 7
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ActArguments {
    /// The PDDL domain
    #[arg(value_name = "DOMAIN")]
    domain: PathBuf,

    /// The PDDL problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,

    /// How to decide what to do
    #[arg(long, value_enum, default_value_t, value_name = "AGENT")]
    agent: AgentKind,

    /// Follow the policy of this file, as `solve --plan-file` writes it, instead of finding one
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// Who picks the outcomes
    #[arg(long, value_enum, default_value_t, value_name = "NATURE")]
    nature: NatureKind,

    /// The outcomes, by number from 0, one for each step, instead of `--nature`
    #[arg(long, value_delimiter = ',', value_name = "N,N,…")]
    script: Vec<usize>,

    /// Stop after so many steps
    #[arg(long, default_value_t = 1000, value_name = "STEPS")]
    most_steps: usize,
}

/// Acts.
pub(crate) fn run(arguments: &ActArguments, settings: &Settings) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = sentinel::watch_command(settings, &display);
    let outcome = live(arguments, settings, &display);
    floor.take_or_wait();
    display.clear();
    match outcome {
        Ok(answer) => {
            if settings.json {
                output::json(&answer)?;
            } else {
                output::answer(&answer.text())?;
            }
            if settings.verbosity >= Verbosity::Normal {
                remark(&answer.summary());
            }
            Ok(match answer.end {
                RunEnd::Reached => Exit::Found,
                RunEnd::OutOfSteps => Exit::Limit,
                RunEnd::Stuck => Exit::None,
            })
        }
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            Ok(Exit::Limit)
        }
    }
}

fn live(arguments: &ActArguments, settings: &Settings, display: &Display) -> Result<ActAnswer, Halt> {
    let mut reader = Reader::default();
    let problem = lifted(&mut reader, &arguments.domain, &arguments.problem, &settings.budget)?;
    let policy = match &arguments.policy {
        Some(file) => Some(reader.read_text(file, &settings.budget)?),
        None => None,
    };
    let policy = policy.as_ref().map(|(name, text)| (&name[..], &text[..]));
    let request = ActRequest {
        agent: arguments.agent,
        nature: arguments.nature,
        script: arguments.script.clone(),
        most_steps: arguments.most_steps,
        seed: settings.seed,
    };
    Ok(act(&problem, policy, &request, &settings.budget, display)?)
}
