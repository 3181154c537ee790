//! `counterplay act`: act in a simulated world, with a policy or by planning on the way.

use std::path::PathBuf;

use clap::Args;
use counterplay::planning::{ActEnd, ActRequest, AgentKind, NatureKind, act};

use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Reader;
use crate::input::lifted;
use crate::output::{self, remark};
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
    #[arg(long, default_value_t = ActRequest::default().most_steps, value_name = "STEPS")]
    most_steps: usize,
}

/// Acts.
pub(crate) fn run(arguments: &ActArguments, settings: &Settings) -> Result<Exit, Failure> {
    let work = sentinel::answered(settings, |display| {
        let budget = &settings.budget;
        let mut reader = Reader::default();
        let policy = arguments.policy.as_deref().map(|file| reader.read_text(file, budget)).transpose()?;
        let problem = lifted(&mut reader, &arguments.domain, &arguments.problem, budget)?;
        let policy = policy.as_ref().map(|(name, text)| (&name[..], &text[..]));
        let request = ActRequest {
            agent: arguments.agent,
            nature: arguments.nature,
            script: arguments.script.clone(),
            most_steps: arguments.most_steps,
            seed: settings.seed,
        };
        Ok(act(&problem, policy, &request, budget, display)?)
    });
    let Some(mut answer) = work? else { return Ok(Exit::Limit) };
    answer.seconds = seconds(settings.started.elapsed());
    match settings.json {
        true => output::json(&answer)?,
        false => output::answer(&answer.text())?,
    }
    if settings.verbosity >= Verbosity::Normal {
        remark(&answer.summary());
    }
    Ok(match answer.end {
        ActEnd::Reached => Exit::Found,
        ActEnd::OutOfSteps => Exit::Limit,
        ActEnd::Stuck => Exit::None,
    })
}
